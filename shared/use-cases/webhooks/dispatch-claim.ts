import type { RecordedEvent } from '../../events/recorded-event.ts';

/** How long an attempt claims its delivery; longer than any attempt takes. */
const claimSeconds = 120;

/**
 * How long a dispatcher claims its event: longer than it lives, which is 60 seconds. It ends before the event is published again, two minutes
 * after it occurred, so that this repetition finds no claim of a dispatcher that has died.
 */
export const dispatchClaimSeconds = 90;

/** How long a delivery waits that was created while its event was not dispatched: a dispatcher may have read the event before. */
const newDeliveryWaitMs = 5_000;

/** The longest time from a dispatcher's read to its claim. It ends before any delivery is due that the read has missed. */
export const readToClaimMs = 4_000;

const later = (now: Date, ms: number): string => new Date(now.getTime() + ms).toISOString();

/** Until when the claim of a delivery holds that begins now. */
export const claimedUntil = (now: Date): string => later(now, claimSeconds * 1_000);

/** The same for the claim of an event. */
export const dispatchClaimedUntil = (now: Date): string => later(now, dispatchClaimSeconds * 1_000);

/** When a delivery is due that a resend or recovery creates. */
export const firstDueAt = ({ open }: Pick<RecordedEvent, 'open'>, now: Date): string =>
  later(now, open.deliveries ? newDeliveryWaitMs : 0);

/**
 * Whether a dispatcher may be making the first attempt at an endpoint now. It has claimed the event, and names the endpoint.
 * A claim of an earlier version names none, so it counts for all.
 */
export const isFirstAttemptClaimed = (
  { open, claimedUntil: until = '', claimedFor }: Pick<RecordedEvent, 'open' | 'claimedUntil' | 'claimedFor'>,
  endpointId: string,
  now: Date,
): boolean => open.deliveries && until > now.toISOString() && (claimedFor?.includes(endpointId) ?? true);
