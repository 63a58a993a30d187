import * as z from 'zod';
import { UsageError } from '../../usage-error.ts';
import type { TypedWords } from '../kit/command.ts';
import type { ApiCaller, Query } from './api.ts';

const usualCount = 20;
const pageSize = 100;

export const limitOption = { limit: { value: '<number>', help: `How many at most; default: ${usualCount}.` } };

/** The number of items in the option `--limit`. */
export function countOf(typed: TypedWords): number {
  const text = typed.text('limit') ?? String(usualCount);
  const count = Number(text);
  if (/^\d{1,6}$/.test(text) && count > 0) return count;
  throw new UsageError('--limit must be a whole number from 1 to 999999.');
}

const Page = z.object({ items: z.array(z.unknown()), has_more: z.boolean(), next_cursor: z.string().nullable() });

/** Reads the newest items of a list with a cursor. A page may be short or empty before the end of the list. */
export async function itemsOf(
  api: Pick<ApiCaller, 'get'>,
  path: string,
  query: Query,
  most: number,
): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor: string | null = 'start';
  while (cursor !== null && found.length < most) {
    const size = Math.min(pageSize, most - found.length);
    const answer: z.infer<typeof Page> = Page.parse(await api.get(path, { ...query, cursor, page_size: size }));
    found.push(...answer.items);
    cursor = answer.has_more ? answer.next_cursor : null;
  }
  return found.slice(0, most);
}
