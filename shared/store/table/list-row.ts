/**
 * The most that a list view may take: with its keys it stays below 1 kB, so that each index writes one unit. JSON is never shorter
 * than what DynamoDB counts.
 */
export const mostRowBytes = 820;

/** The list view says that there is more of its object than fits. */
export interface Cut {
  more: true;
}

/** The whole list view, or what is short in it where the whole does not fit. */
export const fitted = <Whole extends object, Brief extends object>(
  whole: Whole,
  brief: (whole: Whole) => Brief,
): Whole | (Brief & Cut) =>
  Buffer.byteLength(JSON.stringify(whole)) <= mostRowBytes ? whole : { ...brief(whole), more: true };
