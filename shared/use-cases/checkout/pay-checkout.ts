import { assertTotal } from '../../domain/catalogue/price.ts';
import { type BillingAddress, type Customer, normalizeEmail, type TaxIdCheck } from '../../domain/checkout/buyer.ts';
import { afterPayment, assertPayable, type CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { locationEvidence } from '../../domain/checkout/location-evidence.ts';
import type { PricedSession } from '../../domain/checkout/priced-session.ts';
import type { Submission } from '../../domain/checkout/submission.ts';
import type { Place } from '../../domain/checkout/tax.ts';
import { DomainError } from '../../domain/errors.ts';
import { customerIdOf, paymentIdOf } from '../../domain/ids.ts';
import { type ChargeOutcome, createPayment, type Payment } from '../../domain/payments/payment.ts';
import { recordPaymentEvent } from '../../events/catalogue.ts';
import type { Processor } from '../../processor/processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { endPayment } from '../payments/settle-payment.ts';
import { retryStaleFrom } from '../retry.ts';
import { priceSession, type ReadCheckout } from './price-session.ts';

export interface PayCheckoutDeps {
  sessions: Pick<SessionStore, 'get'>;
  payments: Pick<PaymentStore, 'get' | 'saveCharge'>;
  processor: Pick<Processor, 'name' | 'isRemote' | 'charge'>;
  checkTaxId: (id: string, country: string) => Promise<TaxIdCheck>;
  merchantId: string;
  now: () => Date;
  newId: (prefix: 'evt' | 'doc') => string;
}

export const placeOf = (billing: BillingAddress): Place => ({
  country: billing.country,
  region: billing.state ?? undefined,
  postalCode: billing.zipcode ?? undefined,
});

/**
 * Charges an open session at most once, under any concurrency. The buyer is charged what was shown.
 * @param checkout its session is read again if another request has changed it
 */
export async function payCheckout(
  deps: PayCheckoutDeps,
  { session: read, settings }: ReadCheckout,
  submission: Submission,
): Promise<Payment> {
  const { taxId: given, billing } = submission;
  const taxId = given ? await deps.checkTaxId(given, billing.country) : null;
  const readAgain = () => deps.sessions.get(read.id);
  const payment = await retryStaleFrom(read, readAgain, async (session) => {
    const now = deps.now();
    assertPayable(session, now);
    const priced = priceSession(session, submission.amounts, { place: placeOf(billing), taxId, settings, now });
    assertExpected(priced, submission.expectedTotal);
    assertTotal(priced.quote.gross, session.currency);
    return charge(deps, session, { ...submission, taxId, now, priced });
  });
  return payment.status === 'processing' && deps.processor.isRemote
    ? chargeRemotely(deps, payment, submission)
    : payment;
}

/**
 * Asks the processor for the committed charge, and commits its answer. Without an answer, the payment stays due and
 * the sweeper asks again.
 */
async function chargeRemotely(deps: PayCheckoutDeps, payment: Payment, { card }: Submission): Promise<Payment> {
  const { id: paymentId, gross: amount, currency } = payment;
  try {
    const outcome = await deps.processor.charge({ paymentId, amount, currency, card });
    return await endPayment(deps, paymentId, async () => outcome);
  } catch {
    return payment;
  }
}

function assertExpected({ quote }: PricedSession, expectedTotal: number | null): void {
  if (expectedTotal === null || quote.gross === expectedTotal) return;
  throw new DomainError('CONFLICT', 'The total has changed. Check it before you pay.', {
    extra: { total_amount: quote.gross },
  });
}

type Charge = Omit<Submission, 'taxId'> & { taxId: TaxIdCheck | null; now: Date; priced: PricedSession };

async function charge(deps: PayCheckoutDeps, session: CheckoutSession, asked: Charge): Promise<Payment> {
  const { priced, billing, taxId, businessName, language } = asked;
  const id = paymentIdOf(session.id, session.attempts + 1);
  const now = asked.now.toISOString();
  const outcome = await chargeOutcome(deps, id, session.currency, asked);
  const customer = customerOf(deps.merchantId, session, asked);
  const cardCountry = outcome.card?.country ?? null;
  const evidence = locationEvidence({ billing, ipCountry: asked.ipCountry ?? null, cardCountry });
  const sale = { session, ...priced, customer, billing, taxId, businessName, language, evidence };
  const created = createPayment(sale, outcome, {
    id,
    now,
    processor: deps.processor.name,
    documentSecret: deps.newId('doc'),
  });
  const { payment, event } = recordPaymentEvent(created, { id: deps.newId('evt'), now });
  await deps.payments.saveCharge({ session: afterPayment(session, payment, true), payment, event });
  return payment;
}

const unknownYet: ChargeOutcome = { status: 'processing', card: null, errorCode: null, errorMessage: null };

/** A total of 0 needs no processor. A remote processor is asked after the charge is committed. */
async function chargeOutcome(
  deps: PayCheckoutDeps,
  paymentId: string,
  currency: string,
  { priced, card }: Charge,
): Promise<ChargeOutcome> {
  const amount = priced.quote.gross;
  if (amount === 0) return { ...unknownYet, status: 'succeeded' };
  return deps.processor.isRemote ? unknownYet : deps.processor.charge({ paymentId, amount, currency, card });
}

function customerOf(merchantId: string, session: CheckoutSession, { email, name }: Charge): Customer {
  const id = customerIdOf(merchantId, normalizeEmail(email));
  return { id, email: email.trim(), name: name.trim(), phone: session.customer.phone ?? null };
}
