/**
 * The maximum size of a list view. With its keys, it stays below 1 kB, so each index writes one unit. JSON is never
 * shorter than DynamoDB's own count.
 */
export const mostRowBytes = 820;

/** Marks a list view that leaves out some fields because they do not fit. */
export interface Cut {
  more: true;
}

/** The whole list view, or only its short fields if the whole does not fit. */
export const fitted = <Whole extends object, Brief extends object>(
  whole: Whole,
  brief: (whole: Whole) => Brief,
): Whole | (Brief & Cut) =>
  Buffer.byteLength(JSON.stringify(whole)) <= mostRowBytes ? whole : { ...brief(whole), more: true };
