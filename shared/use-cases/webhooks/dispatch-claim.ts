import type { RecordedEvent } from '../../events/recorded-event.ts';

/** For how many seconds an attempt claims its delivery. It is longer than any attempt takes. */
const claimSeconds = 120;

/**
 * For how many seconds a dispatcher claims its event. It is longer than a dispatcher runs, which is 60 seconds. The
 * claim ends before the event is published again, two minutes after it occurred. So if the dispatcher has crashed, the
 * second one finds the event free.
 */
export const dispatchClaimSeconds = 90;

/**
 * How many milliseconds a new delivery waits if its event is not dispatched yet, because a dispatcher may have read
 * the event before the delivery existed.
 */
const newDeliveryWaitMs = 5_000;

/**
 * The longest time from a dispatcher's read of an event to its claim. It is shorter than a new delivery waits, so a
 * delivery that the read has missed is not due yet.
 */
export const readToClaimMs = 4_000;

const later = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** The end of a claim of a delivery, if the claim begins now. */
export const claimedUntil = (now: Date): string => later(now, claimSeconds * 1_000);

/** The end of a claim of an event, if the claim begins now. */
export const dispatchClaimedUntil = (now: Date): string => later(now, dispatchClaimSeconds * 1_000);

/** When a delivery that a resend or a recovery created is due. */
export const firstDueAt = ({ open }: Pick<RecordedEvent, 'open'>, now: Date): string =>
  later(now, open.deliveries ? newDeliveryWaitMs : 0);

/**
 * Whether a dispatcher may be making the first attempt at an endpoint now: it has claimed the event and names the
 * endpoint.
 */
export const isFirstAttemptClaimed = (
  { open, claimedUntil: until = '', claimedFor }: Pick<RecordedEvent, 'open' | 'claimedUntil' | 'claimedFor'>,
  endpointId: string,
  now: Date,
): boolean => open.deliveries && until > now.toISOString() && claimedFor?.includes(endpointId) === true;
