import type { TaxIdCheck } from '../domain/checkout/buyer.ts';
import { taxIdPath } from '../domain/documents/tax-id-link.ts';
import { chargeReferenceOf } from '../domain/payments/charge.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { env } from '../env.ts';
import { noProcessor } from '../outside/processor/no-processor.ts';
import type { ChargeLimits, OfferedCard, PaymentProcessor } from '../outside/processor/payment-processor.ts';
import { processorNamed } from '../outside/processor/registry.ts';
import { sandboxPayments } from '../outside/processor/sandbox/sandbox-processor.ts';
import { isOfTestCard } from '../outside/processor/sandbox/test-card-payments.ts';
import { sessionsAsRecords } from '../store/payments/keyed-sessions.ts';
import type { TaxSettings } from '../tax/rules/settings.ts';
import { assertTaxId, checkTaxIdFormat } from '../tax/tax-ids/tax-id.ts';
import { now, stackSecret, table, taxRules } from './runtime.ts';

/** What holds for the sales of a stage: tax, links, processor and secret links. It is separate from `runtime.ts`, which opens the table and its stores. */

/** The merchant's decisions about tax. A sandbox collects tax everywhere, unless it is told otherwise. */
export async function taxSettings(): Promise<TaxSettings> {
  const merchant = env.merchant();
  const collectPolicy = merchant.collectPolicy ?? (env.stage() === 'live' ? 'registered_only' : 'everywhere');
  const { country: merchantCountry, region: merchantRegion, taxId: merchantTaxId } = merchant;
  const { onUnsupported, onUnverifiedTaxId } = merchant;
  const own = { merchantCountry, merchantRegion, merchantTaxId, collectPolicy, onUnsupported, onUnverifiedTaxId };
  const { registrations, overrides, changedAt } = await taxRules().get();
  return { ...own, registrations, overrides, changedAt };
}

/** Where a buyer may be led from a checkout. */
export const returnRules = () => {
  const { returnOrigins: origins, returnSchemes: schemes = [] } = env.merchant();
  return { origins, schemes, httpsOnly: env.stage() === 'live' };
};

/** The same for a product's link, which a stranger can write: only the origins that the configuration names. */
export const linkReturnRules = () => ({ ...returnRules(), origins: env.merchant().returnOrigins ?? [] });

/** Checks the form of a tax id, for pages that take none of a buyer. */
export async function checkTaxIdForm(id: string, country: string): Promise<TaxIdCheck> {
  const check = checkTaxIdFormat(id, country);
  assertTaxId(check);
  return { ...check, checkedAt: now().toISOString() };
}

/** The processor of a stage that names none: test cards, which must never pay in live. */
export const processor = (): PaymentProcessor => (env.stage() === 'live' ? noProcessor : sandbox);

const sandbox = /* @__PURE__ */ sandboxPayments({
  now,
  stepUrl: ({ sessionId, step }) => `${env.publicUrl()}/checkout/${sessionId}/step?step=${step}`,
});

/** The processor that the stage names, for pages that ask no processor. */
export const namedProcessor = () => processorNamed(env.processor());

/** What the stage sells by. */
const terms = () => namedProcessor() ?? processor();

/** The sites on which buyers pay; none where they stay on our pages. */
export function payOrigins(): readonly string[] {
  const named = namedProcessor();
  const playedAt = env.processorUrl();
  return named && playedAt !== undefined ? [playedAt] : (named?.payOrigins ?? []);
}

/** Whether an event tells of checkouts that expire unpaid. */
export const announcesExpiry = (): boolean => env.merchant().expiredCheckoutEvents === true;

/** Whether this stage takes money of buyers. */
export const takesPayments = (): boolean => terms().methods().kind !== 'none';

/** What the stage's processor charges in a currency; undefined: nothing. */
export const chargeLimits = (currency: string): ChargeLimits | undefined => terms().limits(currency);

/** The step in which the processor of a payment moves money. Test cards have none, even where the stage names a processor by now. */
export function refundStep(payment: Payment): number {
  if (isOfTestCard({ reference: chargeReferenceOf(payment) })) return 1;
  return namedProcessor()?.limits(payment.currency)?.step ?? 1;
}

/** The test cards to choose from; none where the processor takes the method itself. */
export function offeredCards(): readonly OfferedCard[] {
  const methods = terms().methods();
  return methods.kind === 'test-cards' ? methods.cards : [];
}

export const keyedBySession = () => sessionsAsRecords(table(), { now, secret: stackSecret });

/** Where a buyer can add a tax id to the invoice of a payment, for thirty days. */
export const taxIdUrl = async (paymentId: string): Promise<string> =>
  env.publicUrl() + taxIdPath(paymentId, now(), await stackSecret());
