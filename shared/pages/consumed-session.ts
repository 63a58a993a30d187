import { type CheckoutSession, hasItsPayment } from '../domain/checkout-session.ts';
import { DomainError } from '../domain/errors.ts';
import type { PageRequest } from '../http/page.ts';
import { isBuyer } from './buyer-cookie.ts';

interface Asking {
  request: PageRequest;
  /** The session as it is now: it may have been paid since it was read. */
  session: () => Promise<CheckoutSession>;
  holdsApiKey: (headers: PageRequest['headers']) => Promise<boolean>;
}

/** A session that has its payment names it in its refusal, to the browser that paid and to API keys; its address alone tells nothing. */
export async function namingItsPayment<T>(
  { request, session, holdsApiKey }: Asking,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'CHECKOUT_SESSION_CONSUMED') throw error;
    const consumed = await session();
    const { paymentId } = consumed;
    if (paymentId === null || !hasItsPayment(consumed)) throw error;
    if (!isBuyer(request, { id: paymentId }) && !(await holdsApiKey(request.headers))) throw error;
    throw new DomainError(error.code, error.message, { ...error.details, extra: { payment_id: paymentId } });
  }
}
