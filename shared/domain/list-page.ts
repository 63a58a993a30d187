/** What a store needs to know of a page. */
export interface ItemPageRequest {
  size: number;
  /** How many matching rows come before this page. */
  skip: number;
  /** The last sort key of the page before. */
  after: string | undefined;
  /** Whether the next page is asked for by its number: a page that is not full would lose rows, or end the walk. */
  isNumbered?: boolean;
}

export interface ItemPage<Item> {
  items: Item[];
  hasMore: boolean;
  /** The sort key to go on after: of the last item, or of the last row that was looked at. */
  last: string | undefined;
  /** The sort key of each item. */
  sortKeys?: readonly string[];
  isNumbered?: boolean;
  /** Whether the search was given up before the page was full. */
  isSpent?: boolean;
}

/** What a filter finds that can match nothing here. */
export const emptyPage = { items: [], hasMore: false, last: undefined };
