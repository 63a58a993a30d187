import { type CheckoutSession, hasItsPayment } from '../domain/checkout/checkout-session.ts';
import { DomainError, hasCode } from '../domain/errors.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { boughtPaymentId, isBuyer } from '../http/buyer-cookie.ts';
import type { PageRequest } from '../http/page.ts';

export interface ConsumedSessionDeps {
  payments: { find: (id: string) => Promise<Payment | undefined> };
  holdsApiKey: (headers: PageRequest['headers']) => Promise<boolean>;
}

interface Asking {
  request: PageRequest;
  /** Reads the session again. It may have been paid since the first read. */
  session: () => Promise<CheckoutSession>;
}

/**
 * Adds the payment to the error for a paid session, but only for the browser that paid and for API keys. Other people
 * who know the session's address do not get the payment.
 */
export async function namingItsPayment<T>(
  deps: ConsumedSessionDeps,
  { request, session }: Asking,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!hasCode(error, 'CHECKOUT_SESSION_CONSUMED')) throw error;
    const consumed = await session();
    const { paymentId } = consumed;
    if (paymentId === null || !hasItsPayment(consumed)) throw error;
    if (!(await mayKnow(deps, request, paymentId))) throw error;
    throw new DomainError(error.code, error.message, { ...error.details, extra: { payment_id: paymentId } });
  }
}

/**
 * Whether the caller may know the payment. For a browser, the payment is read only if its cookie says that it has paid.
 */
async function mayKnow(deps: ConsumedSessionDeps, request: PageRequest, paymentId: string): Promise<boolean> {
  const paid = boughtPaymentId(request) === paymentId ? await deps.payments.find(paymentId) : undefined;
  return (paid !== undefined && isBuyer(request, paid)) || deps.holdsApiKey(request.headers);
}
