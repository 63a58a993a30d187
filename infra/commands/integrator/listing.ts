import type * as z from 'zod';
import { UsageError } from '../../usage-error.ts';
import type { ApiCaller, Query } from './api.ts';
import type { TypedWords } from './command.ts';

const usualCount = 20;
const pageSize = 100;

/** How many items `--limit` asks for. */
export function countOf(typed: TypedWords): number {
  const text = typed.text('limit') ?? String(usualCount);
  const count = Number(text);
  if (/^\d{1,6}$/.test(text) && count > 0) return count;
  throw new UsageError('--limit must be a whole number from 1 to 999999.');
}

interface Listing<Item> {
  query: Query;
  page: z.ZodType<{ items: Item[]; next_cursor: string | null; has_more: boolean }>;
  most: number;
}

/** The newest items of a list, walked by cursor: a page may be short, or empty, before the end. */
export async function itemsOf<Item>(
  api: Pick<ApiCaller, 'get'>,
  path: string,
  { query, page, most }: Listing<Item>,
): Promise<Item[]> {
  const found: Item[] = [];
  let cursor: string | null = 'start';
  while (cursor !== null && found.length < most) {
    const size = Math.min(pageSize, most - found.length);
    const answer = page.parse(await api.get(path, { ...query, cursor, page_size: size }));
    found.push(...answer.items);
    cursor = answer.has_more ? answer.next_cursor : null;
  }
  return found.slice(0, most);
}
