import { dayMs, hourMs } from './duration.ts';
import { keyedHours } from './idempotency.ts';

/**
 * The length of a time window. It is longer than an idempotency key is remembered. It is shorter than any session is
 * stored, so an id is never reused after its row was removed.
 */
const windowMs = 64 * dayMs;

/**
 * A margin that is longer than a request plus the difference of clocks. With it, two requests at the same time always
 * write to a common window.
 */
const marginMs = 600_000;

/** The windows that an interval touches, latest first. The interval is far shorter than a window. */
const windowsBetween = (from: number, to: number): number[] => [
  ...new Set([Math.floor(to / windowMs), Math.floor(from / windowMs)]),
];

/**
 * The windows in which a request at this time reserves the place of the session. Near a border between windows there
 * are two, otherwise one.
 */
export const windowsToWrite = (now: Date): number[] =>
  windowsBetween(now.getTime() - marginMs, now.getTime() + marginMs);

/** The windows in which a repeated request at this time must look for its session. */
export const windowsToRead = (now: Date): number[] =>
  windowsBetween(now.getTime() - keyedHours * hourMs - marginMs, now.getTime() + marginMs);
