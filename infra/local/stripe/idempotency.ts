import { createHash } from 'node:crypto';
import { ApiFault } from './account.ts';

export interface StripeAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface Entry {
  fingerprint: string;
  at: number;
  /** The first answer; absent while the first request is still running. */
  answer?: StripeAnswer;
}

const hoursKept = 24;

/**
 * Stripe's rules for `Idempotency-Key`. The first answer is repeated for 24 hours. It may be a success, a refusal or a
 * server error. A request with other parameters is refused, and so is a second request while the first is running. The
 * key is checked before the parameters, and after the rights of the caller.
 */
export class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => Date;
  /** Whether the refusal of a request is kept, too. Stripe's documentation leaves that open. */
  readonly #keepsRefusals: () => boolean;

  constructor(now: () => Date, keepsRefusals: () => boolean) {
    this.#now = now;
    this.#keepsRefusals = keepsRefusals;
  }

  async once(key: string, request: string, act: () => Promise<StripeAnswer>): Promise<StripeAnswer> {
    const fingerprint = createHash('sha256').update(request).digest('hex');
    const known = this.#entry(key);
    if (known) return repeated(known, fingerprint);
    const entry: Entry = { fingerprint, at: this.#now().getTime() };
    this.#entries.set(key, entry);
    try {
      const answer = await act();
      entry.answer = structuredClone(answer);
      return answer;
    } catch (error) {
      if (error instanceof ApiFault && error.status !== 429 && this.#keepsRefusals()) entry.answer = faultAnswer(error);
      else this.#entries.delete(key);
      throw error;
    }
  }

  #entry(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    const isForgotten = entry && this.#now().getTime() - entry.at >= hoursKept * 3_600_000;
    if (isForgotten) this.#entries.delete(key);
    return isForgotten ? undefined : entry;
  }
}

/** Turns an error into an answer. */
export const faultAnswer = ({ status, type, code, param, message }: ApiFault): StripeAnswer => ({
  status,
  body: { error: { type, code, param, message } },
});

function repeated({ fingerprint, answer }: Entry, asked: string): StripeAnswer {
  if (fingerprint !== asked)
    throw new ApiFault(
      400,
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      {
        type: 'idempotency_error',
      },
    );
  if (!answer)
    throw new ApiFault(409, 'There is currently another in-progress request using this Idempotent Key.', {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
    });
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
}
