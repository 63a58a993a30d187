import type { ItemPage, ItemPageRequest } from '../domain/list-page.ts';
import { firstCursor, presentPage, toPageRequest } from '../wire/page.ts';
import type { Visit } from './visit.ts';

const pageSize = 20;

interface Links {
  newest: string | undefined;
  older: string | undefined;
}

/** A page of a list in the dashboard. It has the request to the store, and the links to the previous and next page. */
export async function listView(
  { request, viewer, cursorSecret }: Pick<Visit, 'request' | 'viewer' | 'cursorSecret'>,
  path: string,
  filter: Readonly<Record<string, string>>,
): Promise<{ request: ItemPageRequest; links: (page: ItemPage<unknown>) => Links }> {
  const cursor = request.query('after');
  const walk = { hash: viewer.hash, stackKey: await cursorSecret(), list: path, filters: filter };
  const address = (more: Record<string, string>) => {
    const query = new URLSearchParams({ ...filter, ...more }).toString();
    return query === '' ? path : `${path}?${query}`;
  };
  return {
    request: toPageRequest({ cursor: cursor || firstCursor, page_size: pageSize }, walk),
    links: (page) => {
      const { next_cursor: after } = presentPage(() => null)(page, walk);
      return { newest: cursor ? address({}) : undefined, older: after ? address({ after }) : undefined };
    },
  };
}
