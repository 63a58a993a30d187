import { dayMs, hourMs } from './duration.ts';
import { keyedHours } from './idempotency.ts';

/**
 * The length of a window. It is shorter than any session is kept, so no id is reused after its row was removed, and
 * longer than a key is remembered.
 */
const windowMs = 64 * dayMs;

/**
 * Longer than a request lasts, plus the difference of clocks, so two requests at once always share a window that they
 * write to.
 */
const marginMs = 600_000;

/** The windows that an interval touches, latest first. The interval is far shorter than a window. */
const windowsBetween = (from: number, to: number): number[] => [
  ...new Set([Math.floor(to / windowMs), Math.floor(from / windowMs)]),
];

/**
 * The windows in which a request at this time takes the session's place: two near a border between windows, else one.
 */
export const windowsToWrite = (now: Date): number[] =>
  windowsBetween(now.getTime() - marginMs, now.getTime() + marginMs);

/** The windows in which a repeated request at this time must look for its session. */
export const windowsToRead = (now: Date): number[] =>
  windowsBetween(now.getTime() - keyedHours * hourMs - marginMs, now.getTime() + marginMs);
