import { assertPayable, type CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import {
  type AttachedDiscount,
  attachAll,
  type LoadCodes,
  mostCodes,
} from '../../domain/discounts/attached-discount.ts';
import { totalWithCodes } from '../../domain/discounts/total-with-codes.ts';
import { DomainError, refuse } from '../../domain/errors.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { retryStaleFrom } from '../retry.ts';
import { written } from '../written.ts';

export interface EnterCodesDeps {
  sessions: Pick<SessionStore, 'get' | 'save'>;
  loadCodes: LoadCodes;
  now: () => Date;
}

/** How many wrong codes a session accepts, so that codes cannot be found by guessing. */
const mostWrongCodes = 10;

/**
 * Replaces the codes that the buyer has entered; undefined changes nothing. A wrong code is counted before the answer
 * is sent. So parallel requests cannot try more codes than consecutive ones.
 */
export function enterCodes(
  deps: EnterCodesDeps,
  read: CheckoutSession,
  codes: readonly string[] | undefined,
): Promise<CheckoutSession> {
  if (codes === undefined) return Promise.resolve(read);
  return retryStaleFrom({ read, readAgain: () => deps.sessions.get(read.id) }, (session) =>
    replaceCodes(deps, session, codes),
  );
}

/** Adds a code to those that the buyer has entered. Changes nothing if the session already has it. */
export const addCode = (deps: EnterCodesDeps, read: CheckoutSession, code: string): Promise<CheckoutSession> =>
  retryStaleFrom({ read, readAgain: () => deps.sessions.get(read.id) }, (session) =>
    replaceCodes(deps, session, [...enteredCodes(session).filter((entered) => entered !== code), code]),
  );

/** Removes a code that the buyer has entered. It does not remove the integrator's codes. */
export const removeCode = (deps: EnterCodesDeps, read: CheckoutSession, code: string): Promise<CheckoutSession> =>
  retryStaleFrom({ read, readAgain: () => deps.sessions.get(read.id) }, (session) =>
    replaceCodes(
      deps,
      session,
      enteredCodes(session).filter((entered) => entered !== code),
    ),
  );

/** The codes that the buyer entered, and can remove. */
export const enteredCodes = ({ discounts = [] }: Pick<CheckoutSession, 'discounts'>): string[] =>
  codesOf(discounts.filter(({ by }) => by === 'buyer'));

async function replaceCodes(
  deps: EnterCodesDeps,
  session: CheckoutSession,
  entered: readonly string[],
): Promise<CheckoutSession> {
  const { discounts = [] } = session;
  const fixed = discounts.filter(({ by }) => by === 'integrator');
  const codes = entered.filter((code) => !fixed.some((discount) => discount.code === code));
  const attached = new Map(discounts.map((discount) => [discount.code, discount]));
  if (codes.join() === enteredCodes(session).join()) return session;
  assertPayable(session, deps.now());
  const fresh = codes.filter((code) => !attached.has(code));
  if (fresh.length > 0) assertAllowed(session, fixed.length + codes.length);
  const found = await tryCodes(deps, session, { fresh, entered });
  const chosen = codes.map((code) => attached.get(code) ?? (found.get(code) as AttachedDiscount));
  const { refusedCode: _, ...open } = session;
  const next = { ...open, discounts: [...fixed, ...chosen] };
  totalWithCodes(next);
  await deps.sessions.save(next);
  return written(next);
}

const codesOf = (discounts: readonly AttachedDiscount[]): string[] => discounts.map(({ code }) => code);

function assertAllowed({ takesCodes = true, wrongCodes }: CheckoutSession, count: number): void {
  if (!takesCodes) throw refuse('INVALID_REQUEST_PARAMETERS', 'discount_codes', 'This checkout takes no codes.');
  if (count > mostCodes)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'discount_codes', `A checkout takes at most ${mostCodes} codes.`);
  assertTriesLeft({ wrongCodes });
}

/** Refuses another code after too many wrong ones in the session. */
export function assertTriesLeft({ wrongCodes = 0 }: Pick<CheckoutSession, 'wrongCodes'>): void {
  if (wrongCodes >= mostWrongCodes)
    throw new DomainError(
      'TOO_MANY_REQUESTS',
      'Too many wrong codes were entered here. You can still pay without one.',
      {
        faults: [{ path: 'discount_codes', message: 'Too many wrong codes were entered.' }],
      },
    );
}

/** Looks up the terms of new codes. Counts a wrong one before it is refused. */
async function tryCodes(
  { sessions, loadCodes, now }: EnterCodesDeps,
  session: CheckoutSession,
  { fresh, entered }: { fresh: readonly string[]; entered: readonly string[] },
): Promise<Map<string, AttachedDiscount>> {
  const loaded = await loadCodes(fresh);
  const foundFor = new Map(fresh.map((code, index) => [code, loaded[index]]));
  try {
    const frozen = { by: 'buyer' as const, now: now().toISOString() };
    const attached = fresh.map((code) => attachAll([code], [foundFor.get(code)], frozen, entered.indexOf(code))[0]);
    return new Map(attached.flatMap((discount) => (discount ? [[discount.code, discount] as const] : [])));
  } catch (error) {
    await sessions.save({ ...session, wrongCodes: (session.wrongCodes ?? 0) + 1 });
    throw error;
  }
}

/**
 * Removes a code that can no longer be redeemed from a session. The page then shows the total without it, and the buyer
 * confirms again.
 */
export async function dropCode(deps: EnterCodesDeps, id: string, code: string): Promise<CheckoutSession> {
  return retryStaleFrom(
    { read: await deps.sessions.get(id), readAgain: () => deps.sessions.get(id) },
    async (session) => {
      assertPayable(session, deps.now());
      const next = { ...session, discounts: (session.discounts ?? []).filter((discount) => discount.code !== code) };
      await deps.sessions.save(next);
      return written(next);
    },
  );
}
