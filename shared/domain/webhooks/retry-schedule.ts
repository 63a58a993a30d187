/** The parts of an attempt that the schedule uses. `retryAfter` is the header as received. */
interface FailedAttempt {
  status: number | null;
  error: string | null;
  retryAfter: string | null;
}

const minute = 60;
const hour = 60 * minute;

/** Seconds from a failed attempt to the next one: 5 s after the first, a day after the ninth, ten attempts in all. */
export const retryDelaysSeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
export const maxTries = retryDelaysSeconds.length + 1;

/** The minimum pause for a server that is overloaded. */
const busyDelaySeconds = minute;
const busyStatuses: readonly (number | null)[] = [429, 502, 504];

const isBusy = ({ status, error }: Omit<FailedAttempt, 'retryAfter'>): boolean =>
  error === 'timeout' || busyStatuses.includes(status);

export interface RetryTiming {
  now: Date;
  random: () => number;
  /** All delays are divided by this number. It is 1, except in tests and in the local sandbox. */
  speed: number;
}

/**
 * The time of the next attempt: the schedule's delay ±20 %. It is later for a busy server, and up to twice as late if
 * the server asks for that.
 */
export function nextAttemptAt(tries: number, outcome: FailedAttempt, { now, random, speed }: RetryTiming): string {
  const jittered = (retryDelaysSeconds[tries - 1] as number) * (0.8 + 0.4 * random());
  const least = isBusy(outcome) ? Math.max(jittered, busyDelaySeconds) : jittered;
  const requested = retryAfterSeconds(outcome.retryAfter, now);
  const delay = Math.min(Math.max(least, requested), 2 * least);
  return new Date(now.getTime() + (delay * 1_000) / speed).toISOString();
}

/** Reads the seconds from a Retry-After header, which contains seconds or a date; 0 if it is missing or invalid. */
export function retryAfterSeconds(header: string | null, now: Date): number {
  if (header === null) return 0;
  if (/^\d{1,12}$/.test(header.trim())) return Number(header);
  const at = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1_000);
}

/**
 * Whether the first attempt failed for a reason that may end soon. Then a second attempt in the same call makes sense.
 */
export function isBriefFailure(
  { tries }: { tries: number },
  { status, error }: Omit<FailedAttempt, 'retryAfter'>,
): boolean {
  if (tries !== 1 || error === null) return false;
  if (error === 'status') return status !== null && status >= 500 && !busyStatuses.includes(status);
  return error === 'connection' || error === 'dns';
}
