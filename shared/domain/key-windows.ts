import { dayMs, hourMs } from './duration.ts';
import { keyedHours } from './idempotency.ts';

/** Shorter than any session is kept, so no id is given again after its row was removed. Longer than a key counts. */
const windowMs = 64 * dayMs;

/** Longer than a request lasts, with what clocks may differ by: two requests at once always write to one window in common. */
const marginMs = 600_000;

/** The windows that an interval touches, the latest first. It is far shorter than a window. */
const windowsBetween = (from: number, to: number): number[] => [
  ...new Set([Math.floor(to / windowMs), Math.floor(from / windowMs)]),
];

/** The windows in which a request at this time takes the session's place: two around the border of both, else one. */
export const windowsToWrite = (now: Date): number[] =>
  windowsBetween(now.getTime() - marginMs, now.getTime() + marginMs);

/** The windows in which the session of a repetition at this time may be. */
export const windowsToRead = (now: Date): number[] =>
  windowsBetween(now.getTime() - keyedHours * hourMs - marginMs, now.getTime() + marginMs);
