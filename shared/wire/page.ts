import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { DomainError } from '../domain/errors.ts';
import { withCode } from './values.ts';

const maxReach = 10_000;

const wholeNumber = (least: number, most: number, message: string) =>
  z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most, message)
    .transform(Number);

/** Query fields of every list: numbered pages, or a cursor. */
export const pageFields = {
  page_number: wholeNumber(1, 999_999_999, 'pages are numbered from 1').optional(),
  page_size: wholeNumber(1, 100, 'must be between 1 and 100').optional(),
  cursor: z.string().max(500).optional(),
};

const instant = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time' })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value), 'must lie in the years 0000 to 9999');

/** Query fields of lists that can be cut by time, both ends included. */
export const createdFields = { created_at_gte: instant.optional(), created_at_lte: instant.optional() };

export interface PageQuery {
  page_number?: number | undefined;
  page_size?: number | undefined;
  cursor?: string | undefined;
}

/** Refuses two ways of paging at once, and pages too far away to count to. */
export const onePaging = <Schema extends z.ZodType<PageQuery>>(schema: Schema) =>
  schema
    .refine((query) => query.cursor === undefined || query.page_number === undefined, {
      ...withCode('INVALID_QUERY_PARAMS', 'cannot be combined with page_number'),
      path: ['cursor'],
    })
    .refine((query) => (query.page_number ?? 1) * (query.page_size ?? 10) <= maxReach, {
      ...withCode(
        'INVALID_QUERY_PARAMS',
        `page_number × page_size is at most ${maxReach}; use \`cursor\` to go further`,
      ),
      path: ['page_number'],
    });

/** What a store needs to know of a page. */
export interface PageRequest {
  size: number;
  /** How many matching rows come before this page. */
  skip: number;
  /** The last sort key of the page before. */
  after: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  hasMore: boolean;
  /** The sort key of the last item. */
  last: string | undefined;
}

/** What a filter finds that can match nothing here. */
export const emptyPage = { items: [], hasMore: false, last: undefined };

export function toPageRequest(query: PageQuery, caller: { hash: string }): PageRequest {
  const size = query.page_size ?? 10;
  const after = query.cursor === undefined ? undefined : openCursor(query.cursor, caller.hash);
  return { size, skip: after === undefined ? ((query.page_number ?? 1) - 1) * size : 0, after };
}

export const presentPage =
  <Item>(present: (item: Item) => unknown) =>
  ({ items, hasMore, last }: Page<Item>, caller: { hash: string }) => ({
    items: items.map(present),
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? sealCursor(last, caller.hash) : null,
  });

/** An opaque cursor, signed for the caller's key: an altered one is refused. */
function sealCursor(sortKey: string, signer: string): string {
  const text = Buffer.from(sortKey).toString('base64url');
  return `${text}.${sign(text, signer).toString('base64url')}`;
}

function openCursor(cursor: string, signer: string): string {
  const [text = '', signature = '', excess] = cursor.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(text, signer);
  const isExact = excess === undefined && given.toString('base64url') === signature && given.length === expected.length;
  if (isExact && timingSafeEqual(given, expected)) return Buffer.from(text, 'base64url').toString();
  const message = 'is not a cursor of this list; take next_cursor of an answer';
  throw new DomainError('INVALID_QUERY_PARAMS', `cursor: ${message}`, { faults: [{ path: 'cursor', message }] });
}

const sign = (text: string, signer: string): Buffer =>
  createHmac('sha256', signer).update(text).digest().subarray(0, 16);
