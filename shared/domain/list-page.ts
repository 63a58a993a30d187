/** The part of a list request that a store needs. */
export interface ItemPageRequest {
  size: number;
  /** How many matching rows come before this page. */
  skip: number;
  /** The last sort key of the previous page. */
  after: string | undefined;
  /**
   * Whether the client requests pages by number. Then each page must be full, because otherwise rows would be lost, or
   * the client would stop too early.
   */
  isNumbered?: boolean;
}

export interface ItemPage<Item> {
  items: Item[];
  hasMore: boolean;
  /**
   * The sort key after which the next page begins. It belongs to the last item, or to the last row that was searched.
   */
  last: string | undefined;
  /** The sort key of each item. */
  sortKeys?: readonly string[];
  isNumbered?: boolean;
  /** Whether the search stopped at its limit before the page was full. */
  isSpent?: boolean;
}

/** The page for a filter that cannot match any row. */
export const emptyPage = { items: [], hasMore: false, last: undefined };

/** A row with the two values by which a list is sorted: its time and its id. */
interface Dated {
  id: string;
  createdAt: string;
}

/** The first and the last instant of a list. Rows of these two instants are included. */
interface TimeLimits {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
}

/**
 * A page from a few rows that are already read, newest first. Its cursors have the same form as those of a list that is
 * read from the table.
 */
export function pageAmong<Row extends Dated>(
  known: readonly Row[],
  { createdFrom = '', createdTo = '~' }: TimeLimits,
  { size, skip, after, isNumbered = false }: ItemPageRequest,
): ItemPage<Row> {
  const keyOf = ({ createdAt, id }: Row): string => `${createdAt}#${id}`;
  const rows = known
    .filter(({ createdAt }) => createdAt >= createdFrom && createdAt <= createdTo)
    .filter((row) => after === undefined || keyOf(row) < after)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  const items = rows.slice(skip, skip + size);
  const sortKeys = items.map(keyOf);
  return { items, hasMore: rows.length > skip + size, last: sortKeys.at(-1), sortKeys, isNumbered };
}
