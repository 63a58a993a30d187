/** The merchant id and address of a stack, which are the same in every response. */
export interface Site {
  /** The merchant's id. */
  businessId: string;
  /** The public address of the API and the pages, without a trailing slash. */
  publicUrl: string;
}
