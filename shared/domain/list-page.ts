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
