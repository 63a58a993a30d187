/**
 * The maximum size of a list view. With its keys, it stays below 1 kB, so each index writes one unit. The length of its
 * JSON is never less than the size that DynamoDB counts.
 */
export const mostRowBytes = 820;

/** Marks a shortened list view. Some fields are missing, because they did not fit. */
export interface Cut {
  more: true;
}

/** The whole list view. If it does not fit, only its short fields. */
export const fitted = <Whole extends object, Brief extends object>(
  whole: Whole,
  brief: (whole: Whole) => Brief,
): Whole | (Brief & Cut) =>
  Buffer.byteLength(JSON.stringify(whole)) <= mostRowBytes ? whole : { ...brief(whole), more: true };
