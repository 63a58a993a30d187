import * as z from 'zod';
import type { Stage } from './merchant.ts';

/** The refusal of a test card on a stack that takes none: a sandbox with a processor, and every live stack. */
export const noTestCards = 'Only a sandbox without a processor takes test cards. Leave it out.';

/**
 * A part of the processor's code that a function uses. The function's bundle contains only these parts, and its role
 * can read only their secrets.
 */
export type ProcessorPart = 'charges' | 'refunds' | 'disputes' | 'records' | 'payouts' | 'notifications';

/** The folder of a stage's secrets in the parameter store, separate for each merchant, stage and processor. */
export const secretsFolder = (merchantId: string, stage: Stage, processor: string): string =>
  `/tillstack/${merchantId}/${stage}/${processor}`;

/**
 * The parameter names of the account's key and of the signing secrets of our notification endpoint. The signing secrets
 * stand one per line.
 */
export const secretNames = (folder: string) => ({
  key: `${folder}/key`,
  signingSecrets: `${folder}/signing-secrets`,
});

/** The counter that shows whether the notification for a test request has arrived. */
export const probeCounter = (probeId: string): string => `PROBE-${probeId}`;

/** The counter of the notifications about a payment that came while the processor did not answer. */
export const notifiedCounter = (paymentId: string): string => `NOTIFIED-${paymentId}`;

/**
 * Why the processor refused a request, in its own words, without the buyer's data. Only the merchant sees it; buyers
 * see what they can do.
 */
export const ProcessorReason = z.object({
  message: z.string(),
  code: z.string().nullable(),
  /** The request parameter that caused the refusal, as the processor names it. */
  param: z.string().nullable(),
  /** The processor's id of the request. The processor's support asks for it. */
  requestId: z.string().nullable(),
});
export type ProcessorReason = z.infer<typeof ProcessorReason>;

/** A refusal as fields of a log line. */
export const loggedReason = ({ message, code, param, requestId }: ProcessorReason): Record<string, string> => ({
  reason: message,
  ...(code === null ? {} : { code }),
  ...(param === null ? {} : { param }),
  ...(requestId === null ? {} : { processor_request_id: requestId }),
});

/**
 * Thrown if the processor cannot be reached, or its answer contradicts our records. The message contains no secret and
 * no data of a buyer.
 */
export class ProcessorError extends Error {
  readonly kind: 'unavailable' | 'unauthorized' | 'refused' | 'contradiction';
  /** The processor's error code. */
  readonly code: string | null;
  /** The processor's own words, if it refused the request. */
  readonly refusal: ProcessorReason | undefined;

  constructor(kind: ProcessorError['kind'], message: string, { code = null, refusal, cause }: ErrorFacts = {}) {
    super(message, { cause });
    this.name = 'ProcessorError';
    this.kind = kind;
    this.code = code;
    this.refusal = refusal;
  }
}

/** The account's key may not read something. The right has the name on the processor's page for keys. */
export class RightMissing extends ProcessorError {
  readonly right: string;

  constructor(right: string, cause: unknown) {
    super('unauthorized', `The key lacks the right ${right}.`, { cause });
    this.name = 'RightMissing';
    this.right = right;
  }
}

interface ErrorFacts {
  code?: string | null;
  refusal?: ProcessorReason;
  cause?: unknown;
}

/** The charge that a notification names, before its signature is checked. */
export interface ClaimedCharge {
  paymentId: string;
  merchantId: string;
  reference: string;
}

/**
 * Thrown for a notification that is refused without any effect: it does not come from the processor, is too old, is too
 * large, or belongs to the other mode (test or live).
 */
export class NotificationRefused extends Error {
  readonly reason: 'size' | 'signature' | 'age' | 'mode' | 'form';
  /** The charge that it names. Only an alarm may use this, because anybody can write it. */
  readonly claim: ClaimedCharge | undefined;

  constructor(reason: NotificationRefused['reason'], claim?: ClaimedCharge) {
    super(`The notification was refused: ${reason}.`);
    this.name = 'NotificationRefused';
    this.reason = reason;
    this.claim = claim;
  }
}

/** The rights and events that the account at the processor lacks. Sales work without them. */
export const AccountLacks = z.object({
  /** The missing rights of the key, by their names on the processor's page. */
  rights: z.array(z.string()),
  /** The events for which the endpoint gets no notifications. */
  events: z.array(z.string()),
  /** When the account was checked. */
  at: z.string(),
});
export type AccountLacks = z.infer<typeof AccountLacks>;
