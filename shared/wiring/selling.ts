import type { CheckTaxId } from '../domain/checkout/buyer.ts';
import { taxIdPath } from '../domain/documents/tax-id-link.ts';
import { type OrderLinked, orderUrl } from '../domain/orders/order-link.ts';
import { chargeReferenceOf } from '../domain/payments/charge.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { linkReturnRulesOf, type ReturnRules, returnRulesOf } from '../domain/return-address.ts';
import { proofUrl } from '../domain/withdrawal/proof-link.ts';
import { env } from '../env.ts';
import { noProcessor } from '../outside/processor/no-processor.ts';
import type { ChargeLimits, OfferedCard, PaymentProcessor } from '../outside/processor/payment-processor.ts';
import { cardsOf, payOriginsOf } from '../outside/processor/processor-description.ts';
import { processorNamed } from '../outside/processor/registry.ts';
import { sandboxPayments } from '../outside/processor/sandbox/sandbox-processor.ts';
import { stepOfCharge } from '../outside/processor/sandbox/test-card-payments.ts';
import { sessionsAsRecords } from '../store/payments/keyed-sessions.ts';
import { readTaxSettings, type TaxSettings } from '../tax/rules/settings.ts';
import { taxIdFormChecker } from '../tax/tax-ids/tax-id.ts';
import { now, stackSecret, table, taxRules } from './runtime.ts';

/**
 * The settings of a stage for its sales: tax, return addresses, processor and secret links. They are not in
 * `runtime.ts`, which opens the table and its stores.
 */

export const taxSettings = (): Promise<TaxSettings> =>
  readTaxSettings({ merchant: env.merchant(), stage: env.stage(), taxRules: taxRules() });

/** The addresses to which a checkout may send a buyer. */
export const returnRules = (): ReturnRules => returnRulesOf(env.merchant(), env.stage() === 'live');

/** The addresses to which a checkout from a product's link may send a buyer. */
export const linkReturnRules = (): ReturnRules => linkReturnRulesOf(env.merchant(), env.stage() === 'live');

export const checkOnlyTaxIdForm: CheckTaxId = /* @__PURE__ */ taxIdFormChecker(now);

/** The processor of a stage that names none: test cards in a sandbox, and no payments in live. */
export const processor = (): PaymentProcessor => (env.stage() === 'live' ? noProcessor : sandbox);

const sandbox = /* @__PURE__ */ sandboxPayments({
  now,
  stepUrl: ({ sessionId, step, locale }) =>
    `${env.publicUrl()}/checkout/${sessionId}/step?step=${step}${locale === null ? '' : `&lang=${locale}`}`,
});

/** The description of the stage's processor. It makes no call to the processor. */
export const namedProcessor = () => processorNamed(env.processor());

/** The processor's payment methods and limits. */
const terms = () => namedProcessor() ?? processor();

/** The other sites on which buyers pay; empty if they pay on our pages. */
export const payOrigins = (): readonly string[] => payOriginsOf(namedProcessor(), env.processorUrl());

/** The name of the processor on whose site buyers pay; empty if they pay on our pages. */
export const processorTitle = (): string => {
  const methods = terms().methods();
  return methods.kind === 'redirect' ? methods.title : '';
};

/** Whether an event is sent when a checkout expires unpaid. */
export const announcesExpiry = (): boolean => env.merchant().expiredCheckoutEvents === true;

/** Whether this stage can take payments. */
export const takesPayments = (): boolean => terms().methods().kind !== 'none';

/** The limits of a charge in a currency; undefined if the processor does not charge that currency. */
export const chargeLimits = (currency: string): ChargeLimits | undefined => terms().limits(currency);

/** The smallest step in which the processor of a payment moves money. */
export const refundStep = (payment: Payment): number =>
  stepOfCharge({ reference: chargeReferenceOf(payment), currency: payment.currency }, namedProcessor());

/** The test cards that the page offers. Empty if the buyer enters the payment method at the processor. */
export const offeredCards = (): readonly OfferedCard[] => cardsOf(terms().methods());

export const keyedBySession = () => sessionsAsRecords(table(), { now, secret: stackSecret });

/** The link with which the buyer opens the order page of a payment. */
export const orderUrlOf = async (payment: OrderLinked): Promise<string> =>
  orderUrl(env.publicUrl(), payment, await stackSecret());

/** The link with which the owner of the order's address confirms a declaration of withdrawal. */
export const proofUrlOf = async (id: string, address: string): Promise<string> =>
  proofUrl(env.publicUrl(), { id, address }, await stackSecret());

/** A link, valid for thirty days, with which a buyer adds a tax id to the invoice of a payment. */
export const taxIdUrl = async (paymentId: string): Promise<string> =>
  env.publicUrl() + taxIdPath(paymentId, now(), await stackSecret());
