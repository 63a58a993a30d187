import * as z from 'zod';
import { type DomainError, refuseField } from '../domain/errors.ts';
import type { ItemPage, ItemPageRequest } from '../domain/list-page.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { openCursor, sealCursor, type Walk } from './cursor.ts';
import { says } from './says.ts';
import { isSortKey } from './sort-key.ts';
import { wholeNumber } from './whole-number.ts';
import { withCode } from './with-code.ts';

const maxReach = 10_000;

/** Query fields of every list: numbered pages, or a cursor. */
export const pageFields = {
  page_number: wholeNumber(1, 999_999_999, 'pages are numbered from 1').optional(),
  page_size: wholeNumber(1, 100, says(sentences.range, { least: 1, most: 100 })).optional(),
  cursor: z.string().max(500).optional(),
};

const instant = z.iso
  .datetime({ offset: true, ...says(sentences.date_time) })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value), says(sentences.years));

/** Query fields of lists that can be limited by time, both ends included. */
export const createdFields = { created_at_gte: instant.optional(), created_at_lte: instant.optional() };

interface PageQuery {
  page_number?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
}

/** Refuses a request with both a page number and a cursor, and a page number that is too high. */
export const onePaging = <Schema extends z.ZodType<PageQuery>>(schema: Schema) =>
  schema
    .refine((query) => query.cursor === undefined || query.page_number === undefined, {
      ...withCode('INVALID_QUERY_PARAMS', 'cannot be combined with page_number'),
      path: ['cursor'],
    })
    .refine((query) => !((query.page_number ?? 1) * (query.page_size ?? 10) > maxReach), {
      ...withCode(
        'INVALID_QUERY_PARAMS',
        `page_number × page_size is at most ${maxReach}; use \`cursor\` to go further`,
      ),
      path: ['page_number'],
    });

/** The cursor for the first page. */
export const firstCursor = 'start';

export function toPageRequest(query: PageQuery, walk: Walk): ItemPageRequest {
  const { page_size: size = 10, page_number: number = 1, cursor } = query;
  if (cursor === undefined) return { size, skip: (number - 1) * size, after: undefined, isNumbered: true };
  return { size, skip: 0, after: cursor === firstCursor ? undefined : openCursor(cursor, walk, isSortKey) };
}

/** Facts about a list, for the error message if it cannot return a whole page. */
export interface ListTerms {
  /** The query fields that make a search smaller. */
  narrowedBy?: readonly string[];
  /** The size of the largest item in an answer. */
  mostItemBytes?: number;
}

/** The most bytes of items in a page. The response of a function has at most 6 MB, and also contains other data. */
const mostPageBytes = 4_500_000;
const mostItems = 100;

/**
 * A page that fits into a response. If the items do not fit, a page with a cursor ends early. A page with a number is
 * refused, and the error names a size that fits.
 */
export const presentPage =
  <Item>(present: (item: Item) => unknown, terms: ListTerms = {}) =>
  (page: ItemPage<Item>, walk: Walk) => {
    const { items, last, hasMore } = fitting(page, page.items.map(present), terms);
    const next = hasMore && last !== undefined ? sealCursor(last, walk) : null;
    return { items, has_more: hasMore, next_cursor: next };
  };

function fitting({ isNumbered, isSpent, ...page }: ItemPage<unknown>, items: unknown[], terms: ListTerms) {
  if (isNumbered && isSpent) throw tooSparse(terms);
  const count = countThatFits(items);
  if (count === items.length) return { ...page, items };
  if (isNumbered) throw tooLarge(terms);
  return { items: items.slice(0, count), last: page.sortKeys?.[count - 1], hasMore: true };
}

/** How many of the items fit into a response. It is at least one. */
function countThatFits(items: readonly unknown[]): number {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += sentBytes(item);
    return bytes > mostPageBytes;
  });
  return end < 0 ? items.length : Math.max(1, end);
}

/** The size of a value in Lambda's response. There, the body is a string inside JSON. */
export const sentBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(value)));

const byCursor = `use \`cursor\`, which begins with \`cursor=${firstCursor}\``;

function tooSparse({ narrowedBy = [] }: ListTerms): DomainError {
  const narrow = narrowedBy.length > 0 ? `narrow it by ${narrowedBy.join(' or ')}, or ` : '';
  return refusePage('page_number', `matches too few rows to fill a page: ${narrow}${byCursor}`);
}

function tooLarge({ mostItemBytes = mostPageBytes / mostItems }: ListTerms): DomainError {
  const most = Math.floor(mostPageBytes / mostItemBytes);
  return refusePage(
    'page_size',
    `would make a page larger than ${mostPageBytes} bytes: ${byCursor}, or page_size ≤ ${most}`,
  );
}

const refusePage = (path: string, message: string): DomainError => refuseField('INVALID_QUERY_PARAMS', path, message);
