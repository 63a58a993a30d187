import type { Stage } from './merchant.ts';

/** What is said to a test card on every other stack: a sandbox with a processor, and a live stack with or without one. */
export const noTestCards = 'Only a sandbox without a processor takes test cards. Leave it out.';

/** What a function asks of the processor; its bundle holds these parts, and its role reads what they need. */
export type ProcessorPart = 'charges' | 'refunds' | 'disputes' | 'records' | 'notifications';

/** Where a stage's secrets lie in the parameter store: a folder for each merchant, stage and processor. */
export const secretsFolder = (merchantId: string, stage: Stage, processor: string): string =>
  `/tillstack/${merchantId}/${stage}/${processor}`;

/** The account's key, and the signing secrets of our notification endpoint, one in each line. */
export const secretNames = (folder: string) => ({
  key: `${folder}/key`,
  signingSecrets: `${folder}/signing-secrets`,
});

/** The processor cannot be asked, or says something that contradicts our books. The message names no secret and no buyer. */
export class ProcessorError extends Error {
  readonly kind: 'unavailable' | 'unauthorized' | 'refused' | 'contradiction';
  /** The processor's word for it. */
  readonly code: string | null;

  constructor(kind: ProcessorError['kind'], message: string, { code = null, cause }: ErrorFacts = {}) {
    super(message, { cause });
    this.name = 'ProcessorError';
    this.kind = kind;
    this.code = code;
  }
}

interface ErrorFacts {
  code?: string | null;
  cause?: unknown;
}

/** A notification that is not the processor's, too old, too large or of the other mode: it causes nothing. */
export class NotificationRefused extends Error {
  readonly reason: 'size' | 'signature' | 'age' | 'mode' | 'form';

  constructor(reason: NotificationRefused['reason']) {
    super(`The notification was refused: ${reason}.`);
    this.name = 'NotificationRefused';
    this.reason = reason;
  }
}
