import { withQuantities } from '../../domain/catalogue/adjustable-quantity.ts';
import { assertTotal } from '../../domain/catalogue/price.ts';
import {
  type BillingAddress,
  type CheckTaxId,
  type Customer,
  normalizeEmail,
  type TaxIdCheck,
} from '../../domain/checkout/buyer.ts';
import {
  afterPayment,
  assertPayable,
  type CheckoutSession,
  settledCustomerId,
} from '../../domain/checkout/checkout-session.ts';
import type { GivenConsent } from '../../domain/checkout/consent.ts';
import { assertInvoiceAddress } from '../../domain/checkout/invoice-address.ts';
import { locationEvidence } from '../../domain/checkout/location-evidence.ts';
import type { PricedSession } from '../../domain/checkout/priced-session.ts';
import type { Submission } from '../../domain/checkout/submission.ts';
import type { Place } from '../../domain/checkout/tax.ts';
import type { LoadCodes } from '../../domain/discounts/attached-discount.ts';
import type { BuyingPlace } from '../../domain/discounts/buyer-uses.ts';
import { DomainError, notConnected, refuse } from '../../domain/errors.ts';
import { type CommandRecord, inProgress } from '../../domain/idempotency.ts';
import { customerIdOf, paymentIdOf } from '../../domain/ids.ts';
import {
  type ChargeStart,
  createPayment,
  isForMerchant,
  isStarting,
  sessionChargeOf,
} from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { loggedReason, noTestCards, type ProcessorReason } from '../../domain/processor.ts';
import { keptSupplyConsents } from '../../domain/withdrawal/supply-requests.ts';
import { recordPaymentEvent } from '../../events/catalogue.ts';
import { logInfo } from '../../log.ts';
import type { PaymentProcessor } from '../../outside/processor/payment-processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import type { HomeSaleStep } from '../../store/tax-rules-store.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { mostCountedBefore } from '../../tax/rules/small-seller.ts';
import { type AlertHourlyDeps, alertHourly } from '../alerts/alert-hourly.ts';
import { assertMayJudge, countingRefusals } from '../discounts/count-refusals.ts';
import { type CountUsesDeps, takeUses } from '../discounts/count-uses.ts';
import type { EndUsesDeps } from '../discounts/end-uses.ts';
import { enterCodes } from '../discounts/enter-codes.ts';
import type { EligibilityDeps } from '../discounts/judge-code.ts';
import { passOnUse } from '../discounts/pass-on-use.ts';
import { type StartedPayment, tryToContinue } from '../payments/settle-payment.ts';
import { retryStaleFrom } from '../retry.ts';
import { written } from '../written.ts';
import { paymentOfPress } from './payment-of-press.ts';
import { priceSession, type ReadCheckout } from './price-session.ts';

export interface PayCheckoutDeps extends AlertHourlyDeps {
  sessions: Pick<SessionStore, 'get' | 'save'>;
  payments: Pick<PaymentStore, 'get' | 'saveCharge'> & CountUsesDeps['payments'] & EndUsesDeps['payments'];
  loadCodes: LoadCodes;
  eligibility: EligibilityDeps;
  processor: Pick<PaymentProcessor, 'name' | 'methods' | 'limits' | 'begin' | 'find' | 'close'>;
  /** Throws if charging is impossible because the processor's key is missing or wrong. */
  assertConnected: () => Promise<void>;
  checkTaxId: CheckTaxId;
  taxSettings: () => Promise<TaxSettings>;
  merchantId: string;
  newId: (prefix: 'evt' | 'doc') => string;
}

export const placeOf = (billing: BillingAddress): Place => ({
  country: billing.country,
  region: billing.state ?? undefined,
  postalCode: billing.zipcode ?? undefined,
});

/**
 * The data that the buyer has entered, and the records of the request's Idempotency-Key. `kept` is absent without a
 * key.
 */
type KeyedSubmission = Submission & { kept?: (payment: Payment) => readonly CommandRecord[] };

/**
 * Charges an open session at most once, even if several requests come at the same time. The buyer pays the amount that
 * was shown.
 * @param checkout the session, which is read again if another request has changed it
 */
export async function payCheckout(
  deps: PayCheckoutDeps,
  { session: known, settings }: ReadCheckout,
  submission: KeyedSubmission,
): Promise<Payment> {
  const entered = await enterCodes(deps, known, submission.codes);
  const { taxId: enteredTaxId, billing } = submission;
  const taxId = enteredTaxId ? await deps.checkTaxId(enteredTaxId, billing.country, entered.provenTaxId) : null;
  const read = { session: entered, settings };
  const readAgain = async () => ({
    session: await deps.sessions.get(entered.id),
    // The settings are read again, because another sale may have used the rest of a small seller's limit.
    settings: settings.smallSeller ? await deps.taxSettings() : settings,
  });
  const started = await retryStaleFrom({ read, readAgain }, async ({ session, settings }) => {
    // Another request of the same press may have started the payment meanwhile.
    const repeated = session === entered ? undefined : await paymentOfPress(deps, session, submission.press);
    if (repeated) return { payment: repeated, session: null };
    const now = deps.now();
    assertPayable(session, now);
    assertMarket(session, submission);
    const ordered = { ...session, lines: withQuantities(session.lines, submission.quantities) };
    const priced = priceSession(ordered, submission.amounts, { place: placeOf(billing), taxId, settings, now });
    assertExpected(priced, submission);
    assertTotal(priced.quote.gross, session.currency);
    assertInvoiceAddress(priced.quote, billing);
    assertMayJudge(session);
    const charge = { ...submission, taxId, now, priced, settings };
    return countingRefusals(deps, session.id, () => begin(deps, session, charge));
  });
  return started.payment.status === 'processing' ? beginCharge(deps, started) : started.payment;
}

/**
 * Continues a payment about which the processor has not answered. If it still does not answer, the first request may
 * still be running. Then the answer of that request counts.
 */
export async function resumeCharge(deps: PayCheckoutDeps, id: string): Promise<Payment> {
  const started = await deps.payments.get(id);
  const payment =
    started.status === 'processing' ? await beginCharge(deps, { payment: started, session: null }) : started;
  if (isStarting(payment)) throw inProgress();
  return payment;
}

/**
 * Asks the processor to begin the charge. A refusal is reported to the buyer or the merchant, depending on who can fix
 * it. The refusal of the text for card statements is reported to the merchant, and the sale goes on.
 */
async function beginCharge(deps: PayCheckoutDeps, started: StartedPayment): Promise<Payment> {
  const payment = await tryToContinue(deps, started);
  const { statementRefusal } = payment;
  if (statementRefusal && !started.payment.statementRefusal) await reportStatementText(deps, payment, statementRefusal);
  if (!payment.refusal) return payment;
  const about = { payment_id: payment.id, ...loggedReason(payment.refusal) };
  if (isForMerchant(payment)) deps.alert('processor-refuses', about);
  else logInfo('the processor refuses what the buyer entered', about);
  return payment;
}

const reportStatementText = (
  deps: PayCheckoutDeps,
  { id, statementSuffix = '' }: Payment,
  reason: ProcessorReason,
): Promise<void> =>
  alertHourly(deps, 'statement-text-refused', { payment_id: id, text: statementSuffix, ...loggedReason(reason) });

/**
 * Refuses a payment for another market: in a currency that the page did not show, or with the price of another country.
 */
function assertMarket({ currency, market }: CheckoutSession, { billing, expectedCurrency = null }: Submission): void {
  const isShown = expectedCurrency === null || expectedCurrency === currency;
  const isTheirs = market?.country === undefined || market.country === billing.country;
  if (isShown && isTheirs) return;
  throw new DomainError(
    'CONFLICT',
    `The prices have changed and are in ${currency} now. Check the total before you pay.`,
  );
}

function assertExpected({ quote }: PricedSession, { expectedTotal, typedTotal }: Submission): void {
  if (expectedTotal === null || quote.gross === expectedTotal || quote.gross === typedTotal) return;
  throw new DomainError('CONFLICT', 'The total has changed. Check it before you pay.', {
    extra: { total_amount: quote.gross },
  });
}

type Charge = Omit<KeyedSubmission, 'taxId'> & {
  taxId: TaxIdCheck | null;
  now: Date;
  priced: PricedSession;
  settings: TaxSettings;
};

/**
 * How the sale of a small seller changes the count of its year. If it is taxed in the seller's own country, the count
 * must stay below the limit.
 */
function homeSaleStep({ priced: { homeSale, quote }, settings: { smallSeller } }: Charge): HomeSaleStep | undefined {
  if (!homeSale || !smallSeller) return undefined;
  const isAtHome = quote.lines.some(({ taxedIn }) => taxedIn !== undefined);
  const most = isAtHome ? mostCountedBefore(smallSeller, homeSale) : undefined;
  return { year: homeSale.year, by: homeSale.amount, most };
}

/** Stores that a charge begins. From then on, the session has this payment until the processor answers. */
async function begin(deps: PayCheckoutDeps, session: CheckoutSession, charge: Charge): Promise<StartedPayment> {
  const { priced, billing, taxId, businessName, language, consents = [], supplyConsents = [], policies = {} } = charge;
  const { country } = billing;
  const id = paymentIdOf(session.id, session.attempts + 1);
  const now = charge.now.toISOString();
  const start = startOf(deps, session.currency, charge);
  if (start.status === 'processing') await deps.assertConnected();
  const customer = customerOf(deps.merchantId, session, charge);
  const cardCountry = start.card?.country ?? null;
  const evidence = locationEvidence({ billing, ipCountry: charge.ipCountry ?? null, cardCountry });
  const sale = {
    session,
    ...priced,
    customer,
    billing,
    taxId,
    businessName,
    language,
    evidence,
    ...keptConsents(consents, now),
    ...keptSupplyConsents(supplyConsents, { country, taxId, total: priced.quote.gross, lines: session.lines }, now),
    ...(Object.keys(policies).length > 0 && { policies: { ...policies } }),
    ...(charge.payLabel && { payLabel: charge.payLabel }),
    ...(charge.press && { press: charge.press }),
    ...(charge.statementSuffix && { statementSuffix: charge.statementSuffix }),
  };
  const created = createPayment(sale, start, {
    id,
    now,
    processor: deps.processor.name,
    documentSecret: deps.newId('doc'),
  });
  const { payment: counted, uses } = await takeUses(deps, created, {
    eligibility: deps.eligibility,
    place: charge.place ?? nowhere,
    passOn: (discountId) => passOnUse(deps, discountId),
  });
  const { payment, ...records } =
    counted.status === 'processing'
      ? { payment: counted }
      : recordPaymentEvent(counted, { id: deps.newId('evt'), now });
  return commitBeginning(deps, charge, { session, payment, uses, ...records });
}

/** Stores the beginning of a charge, together with the records of the request's Idempotency-Key. */
async function commitBeginning(
  deps: PayCheckoutDeps,
  charge: Charge,
  {
    session,
    payment,
    ...records
  }: Omit<Parameters<PaymentStore['saveCharge']>[0], 'session'> & { session: CheckoutSession },
): Promise<StartedPayment> {
  const after = afterPayment(session, sessionChargeOf(payment), true);
  const kept = charge.kept?.(payment) ?? [];
  await deps.payments.saveCharge({ session: after, payment, homeSale: homeSaleStep(charge), kept, ...records });
  return { payment: written(payment), session: written(after), isNew: true };
}

const nowhere: BuyingPlace = { browser: null, network: null };

/** The consents that the buyer gave, with their time. Empty if none was requested. */
const keptConsents = (given: readonly GivenConsent[], at: string): Pick<Payment, 'consents'> =>
  given.length > 0 ? { consents: given.map((consent) => ({ ...consent, at })) } : {};

/**
 * The first state of the charge. A total of 0 succeeds without a processor. For any other total, the processor is asked
 * after the start is stored.
 */
function startOf({ processor }: PayCheckoutDeps, currency: string, { priced, card: number }: Charge): ChargeStart {
  const undecided = { errorCode: null, errorMessage: null };
  if (priced.quote.gross === 0) return { ...undecided, status: 'succeeded', card: null };
  const methods = processor.methods();
  if (methods.kind === 'none') throw number === '' ? notConnected() : liveModeTestCard();
  if (!processor.limits(currency))
    throw refuse('UNSUPPORTED_CURRENCY', 'currency', `The processor does not charge in ${currency}.`);
  if (methods.kind === 'redirect') return { ...undecided, status: 'processing', card: null };
  const card = methods.cards.find((offered) => offered.number === number);
  if (card)
    return {
      ...undecided,
      status: 'processing',
      card: { lastFour: number.slice(-4), network: card.network, country: null },
    };
  throw refuse('INVALID_REQUEST_PARAMETERS', 'card', 'Choose one of the test cards.');
}

const liveModeTestCard = (): DomainError => new DomainError('LIVE_MODE_TEST_CARD', noTestCards);

function customerOf(merchantId: string, session: CheckoutSession, { email, name }: Charge): Customer {
  const id = settledCustomerId(session, email) ?? customerIdOf(merchantId, normalizeEmail(email));
  return { id, email: email.trim(), name: name.trim(), phone: session.customer.phone ?? null };
}
