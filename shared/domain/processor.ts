import * as z from 'zod';
import type { Stage } from './merchant.ts';

/** The message for a test card on any other stack: a sandbox with a processor, and every live stack. */
export const noTestCards = 'Only a sandbox without a processor takes test cards. Leave it out.';

/**
 * A part of the processor that a function uses. The function's bundle contains only its parts, and its role reads
 * only the secrets that they need.
 */
export type ProcessorPart = 'charges' | 'refunds' | 'disputes' | 'records' | 'notifications';

/** The folder of a stage's secrets in the parameter store, separate for each merchant, stage and processor. */
export const secretsFolder = (merchantId: string, stage: Stage, processor: string): string =>
  `/tillstack/${merchantId}/${stage}/${processor}`;

/** The names of the account's key, and of the signing secrets of our notification endpoint, one secret per line. */
export const secretNames = (folder: string) => ({
  key: `${folder}/key`,
  signingSecrets: `${folder}/signing-secrets`,
});

/** The counter that says whether the notification of a probe has arrived. */
export const probeCounter = (probeId: string): string => `PROBE-${probeId}`;

/**
 * Why the processor refused a request, in its own words, without the buyer's data. It is for the merchant: buyers read
 * what they can do.
 */
export const ProcessorReason = z.object({
  message: z.string(),
  code: z.string().nullable(),
  /** The parameter that it is about, as the processor names it. */
  param: z.string().nullable(),
  /** The processor's id of the request, for its support. */
  requestId: z.string().nullable(),
});
export type ProcessorReason = z.infer<typeof ProcessorReason>;

/** A refusal in a log line, with the names of all log lines. */
export const loggedReason = ({ message, code, param, requestId }: ProcessorReason): Record<string, string> => ({
  reason: message,
  ...(code === null ? {} : { code }),
  ...(param === null ? {} : { param }),
  ...(requestId === null ? {} : { processor_request_id: requestId }),
});

/** The processor cannot be asked, or its answer contradicts our records. The message names no secret and no buyer. */
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

interface ErrorFacts {
  code?: string | null;
  refusal?: ProcessorReason;
  cause?: unknown;
}

/**
 * A notification that is refused without any effect: it does not come from the processor, is too old, too large or of
 * the other mode.
 */
export class NotificationRefused extends Error {
  readonly reason: 'size' | 'signature' | 'age' | 'mode' | 'form';

  constructor(reason: NotificationRefused['reason']) {
    super(`The notification was refused: ${reason}.`);
    this.name = 'NotificationRefused';
    this.reason = reason;
  }
}
