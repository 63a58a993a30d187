/** Where and for whom a stack runs: the parts of a response that are the same for every object. */
export interface Site {
  /** The merchant's id. */
  businessId: string;
  /** The public address of the API and the pages, without a trailing slash. */
  publicUrl: string;
}
