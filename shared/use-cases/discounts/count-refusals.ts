import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { isPersonal } from '../../domain/discounts/personal-refusal.ts';
import { DomainError } from '../../domain/errors.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { retryStaleFrom } from '../retry.ts';
import { assertTriesLeft } from './enter-codes.ts';

interface CountRefusalsDeps {
  sessions: Pick<SessionStore, 'get' | 'save'>;
}

/** Refuses to check a code again that this session was refused for a customer, if the session has no tries left. */
export function assertMayJudge({ discounts = [], wrongCodes }: CheckoutSession): void {
  if (discounts.some(({ wasRefused }) => wasRefused)) assertTriesLeft({ wrongCodes });
}

/**
 * Begins a charge, and counts refusals that depend on the customer. Such a refusal reveals who has bought, or who is on
 * the guest list. So it counts as a wrong code before the answer is sent. This limits how many addresses a session can
 * try.
 */
export async function countingRefusals<Result>(
  { sessions }: CountRefusalsDeps,
  id: string,
  begin: () => Promise<Result>,
): Promise<Result> {
  try {
    return await begin();
  } catch (error) {
    if (!(error instanceof DomainError) || !isPersonal(error)) throw error;
    const readAgain = () => sessions.get(id);
    await retryStaleFrom({ read: await readAgain(), readAgain }, async (session) => {
      assertMayJudge(session);
      await sessions.save(refusedOnce(session, error.details.discountCode));
    });
    throw error;
  }
}

const refusedOnce = (session: CheckoutSession, code: string | undefined): CheckoutSession => ({
  ...session,
  wrongCodes: (session.wrongCodes ?? 0) + 1,
  discounts: (session.discounts ?? []).map((discount) =>
    discount.code === code ? { ...discount, wasRefused: true } : discount,
  ),
});
