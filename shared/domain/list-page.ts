/** The part of a list request that a store needs. */
export interface ItemPageRequest {
  size: number;
  /** How many matching rows come before this page. */
  skip: number;
  /** The last sort key of the page before. */
  after: string | undefined;
  /**
   * Whether the next page is requested by its number. A page that is not full would then lose rows, or end the walk.
   */
  isNumbered?: boolean;
}

export interface ItemPage<Item> {
  items: Item[];
  hasMore: boolean;
  /** The sort key after which the next page begins: of the last item, or of the last row that was searched. */
  last: string | undefined;
  /** The sort key of each item. */
  sortKeys?: readonly string[];
  isNumbered?: boolean;
  /** Whether the search stopped at its limit before the page was full. */
  isSpent?: boolean;
}

/** The page for a filter that cannot match anything here. */
export const emptyPage = { items: [], hasMore: false, last: undefined };
