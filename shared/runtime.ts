import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { eventBus } from './bus/event-bus.ts';
import { base62 } from './domain/base62.ts';
import { primaryBrand } from './domain/catalogue/brand.ts';
import type { TaxCustom } from './domain/catalogue/tax-mode.ts';
import type { TaxIdCheck } from './domain/checkout/buyer.ts';
import { taxIdToken } from './domain/documents/tax-id-link.ts';
import { primaryBrandIdOf } from './domain/ids.ts';
import type { Site } from './domain/site.ts';
import { env } from './env.ts';
import type { DomainEvent } from './events/catalogue.ts';
import type { EventBus } from './events/event-bus.ts';
import { noProcessor } from './processor/no-processor.ts';
import type { ChargeLimits, OfferedCard, PaymentMethods, PaymentProcessor } from './processor/payment-processor.ts';
import { sandboxPayments } from './processor/sandbox-processor.ts';
import { limits as stripeLimits } from './processor/stripe/amounts.ts';
import { type ApiKeyStore, apiKeyStore } from './store/access/api-key-store.ts';
import { type AuditStore, auditStore } from './store/access/audit-store.ts';
import { type MemberStore, memberStore } from './store/access/member-store.ts';
import { type OriginSecretStore, originSecretStore } from './store/access/origin-secret-store.ts';
import { type SignInStore, signInStore } from './store/access/sign-in-store.ts';
import { type ThrottleStore, throttleStore } from './store/access/throttle-store.ts';
import { type BrandStore, brandStore } from './store/catalogue/brand-store.ts';
import { type ProductStore, productStore } from './store/catalogue/product-store.ts';
import { type CustomerStore, customerStore } from './store/customers/customer-store.ts';
import { type ErasureStore, erasureStore } from './store/customers/erasure-store.ts';
import { type DiscountStore, discountStore } from './store/discounts/discount-store.ts';
import { type GuestStore, guestStore } from './store/discounts/guest-store.ts';
import { type DocumentStore, documentStore } from './store/documents/document-store.ts';
import { type DueStore, dueStore } from './store/events/due-store.ts';
import { type EventStore, eventStore } from './store/events/event-store.ts';
import { type ExchangeRateStore, exchangeRateStore } from './store/exchange-rate-store.ts';
import { type ExportJobStore, exportJobStore } from './store/export-job-store.ts';
import { type IdempotencyStore, idempotencyStore } from './store/idempotency-store.ts';
import type { RowKey } from './store/keys.ts';
import { type DisputeStore, disputeStore } from './store/payments/dispute-store.ts';
import { type ExpiryStore, expiryStore } from './store/payments/expiry-store.ts';
import { type KeyedRequest, type KeyedSessions, keyedSessions } from './store/payments/keyed-sessions.ts';
import { type PaymentLists, paymentListStore } from './store/payments/payment-list.ts';
import { type PaymentStore, paymentStore } from './store/payments/payment-store.ts';
import { type RefundAllowanceStore, refundAllowanceStore } from './store/payments/refund-allowance-store.ts';
import { type SessionStore, sessionStore } from './store/payments/session-store.ts';
import { readRowsAhead } from './store/table/read.ts';
import { openTable, type Table } from './store/table/table.ts';
import { type TaxRulesStore, taxRulesStore } from './store/tax-rules-store.ts';
import { type ThresholdStore, thresholdStore } from './store/threshold-store.ts';
import { type DeliveryStore, deliveryStore } from './store/webhooks/delivery-store.ts';
import { type WebhookHealthStore, webhookHealthStore } from './store/webhooks/webhook-health-store.ts';
import { type WebhookStore, webhookStore } from './store/webhooks/webhook-store.ts';
import type { TaxSettings } from './tax/rules/settings.ts';
import { assertTaxId, checkTaxIdFormat } from './tax/tax-ids/tax-id.ts';
import { type TargetPolicy, whyNotTarget } from './webhooks/target.ts';
import { freezeEvent } from './wire/webhooks/event.ts';

/** Random letters and digits, uniformly distributed. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => base62[world.randomInt(base62.length)]).join('');

type IdPrefix =
  | 'pdt'
  | 'cks'
  | 'pay'
  | 'ref'
  | 'cus'
  | 'evt'
  | 'whk'
  | 'doc'
  | 'aud'
  | 'brnd'
  | 'reg'
  | 'ovr'
  | 'exp'
  | 'dsc'
  | 'mbr'
  | 'lcp';

/** Time and chance, replaceable in tests. */
export const world = {
  now: (): Date => new Date(),
  newId: (prefix: IdPrefix): string => `${prefix}_${randomText(21)}`,
  newUuid: (): string => randomUUID(),
  randomBytes: (length: number): Buffer => randomBytes(length),
  random: (): number => Math.random(),
  /** From 0 to below the limit, by a cryptographic source. */
  randomInt: (limit: number): number => randomInt(limit),
};

export const now = (): Date => world.now();
export const newId = (prefix: IdPrefix): string => world.newId(prefix);
export const newUuid = (): string => world.newUuid();
export const newBytes = (length: number): Buffer => world.randomBytes(length);

let opened: Table | undefined;

/** One client per process, opened when it is first needed. */
export const table = (): Table => {
  opened ??= openTable(env.tableName());
  return opened;
};

/** Reads the rows that `act` will need in one call. The stores hand out each row once. */
export const readAhead = <Result>(keys: readonly RowKey[], act: () => Promise<Result>): Promise<Result> =>
  readRowsAhead(table(), keys, act);

/** The brand of products that name none. */
export const primaryBrandId = (): string => primaryBrandIdOf(env.merchant().id);

export const site = (): Site => ({ businessId: env.merchant().id, publicUrl: env.publicUrl() });

export const apiKeys = (): ApiKeyStore => apiKeyStore(table());
export const originSecrets = (): OriginSecretStore => originSecretStore(table());
export const idempotencyRecords = (): IdempotencyStore => idempotencyStore(table());
export const products = (): ProductStore => productStore(table());
export const discounts = (): DiscountStore => discountStore(table());
export const discountGuests = (): GuestStore => guestStore(table());
export const sessions = (): SessionStore => sessionStore(table());
export const expiries = (): ExpiryStore => expiryStore(table(), freeze());
export const payments = (): PaymentStore => paymentStore(table(), freeze());
export const refundAllowances = (): RefundAllowanceStore => refundAllowanceStore(table());
export const disputes = (): DisputeStore => disputeStore(table(), freeze());
export const paymentLists = (): PaymentLists => paymentListStore(table());
export const customers = (): CustomerStore => customerStore(table());
export const erasures = (): ErasureStore => erasureStore(table());
export const events = (): EventStore => eventStore(table());

export const taxRules = (): TaxRulesStore => taxRulesStore(table());

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

/** Where the merchant's prices are shown without tax. */
export function taxCustom(): TaxCustom {
  const { country: merchantCountry, exclusiveCountries = ['US', 'CA'] } = env.merchant();
  return { merchantCountry, exclusiveCountries };
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

/** How a buyer can pay in this stage, for pages that ask no processor. */
const paymentMethods = (): PaymentMethods =>
  env.processor() === undefined ? processor().methods() : { kind: 'redirect' };

/** The sites on which buyers pay; none where they stay on our pages. */
export const payOrigins = (): readonly string[] =>
  env.processor() === undefined ? [] : [env.stripeUrl() ?? 'https://checkout.stripe.com'];

/** Whether an event tells of checkouts that expire unpaid. */
const announcesExpiry = (): boolean => env.merchant().expiredCheckoutEvents === true;

/** Whether somebody takes a buyer's money in this stage. */
export const takesPayments = (): boolean => paymentMethods().kind !== 'none';

/** What the stage's processor charges in a currency; undefined: nothing. */
export const chargeLimits = (currency: string): ChargeLimits | undefined =>
  env.processor() === undefined ? processor().limits(currency) : stripeLimits(currency);

/** What holds for every session that is opened in this stage. */
export const selling = () => ({ takesPayments, chargeLimits, announcesExpiry });

/** The test cards to choose from; none where the processor takes the method itself. */
export function offeredCards(): readonly OfferedCard[] {
  const methods = paymentMethods();
  return methods.kind === 'test-cards' ? methods.cards : [];
}

export const webhooks = (): WebhookStore => webhookStore(table());
export const webhookHealth = (): WebhookHealthStore => webhookHealthStore(table());
export const deliveries = (): DeliveryStore => deliveryStore(table());
export const dueRows = (): DueStore => dueStore(table());
export const bus = (): EventBus => eventBus(env.busName());

/** Where webhooks may go in this stage. */
export const targetPolicy = (): TargetPolicy => ({
  allowsLoopback: env.stage() === 'sandbox' && env.allowsLoopbackWebhooks(),
  ownHost: new URL(env.publicUrl()).hostname,
});

/** Why nothing may be sent to an address in this stage. */
export const whyNotUrl = (url: string): string | undefined => whyNotTarget(url, targetPolicy());

/** Gives an event the body that its receivers get, now and in every repetition. */
export const freeze = (): ((event: DomainEvent) => string) => freezeEvent(site());

let knownSecret: string | undefined;

/** The stack's own secret, from which others are derived. It is made when it is first needed and may be, never changes, and is read once by each process. */
async function stackSecret(assertMayMake: () => Promise<unknown>): Promise<string> {
  knownSecret ??= (await apiKeys().findSessionSecret()) ?? (await makeSecret(assertMayMake));
  return knownSecret;
}

async function makeSecret(assertMayMake: () => Promise<unknown>): Promise<string> {
  await assertMayMake();
  const made = randomText(43);
  return apiKeys()
    .saveSessionSecret(made)
    .then(
      () => made,
      async (error: unknown) => (await apiKeys().findSessionSecret()) ?? Promise.reject(error),
    );
}

/** How a session is its own record under an idempotency key: a repetition is answered with it, also when it is paid or has expired. */
export const keyedBySession = () => ({
  ownRecords: recordsOfSession,
  continuation: { begun: ({ id }: { id: string }) => id, resume: (id: string) => sessions().get(id) },
});

const recordsOfSession = async (
  record: KeyedRequest['record'],
  admit: () => Promise<unknown>,
): Promise<KeyedSessions> => keyedSessions(table(), { record, now: now(), secret: await stackSecret(admit) });

/** Where a buyer can add a tax id to the invoice of a payment, for thirty days. */
export async function taxIdUrl(paymentId: string): Promise<string> {
  const token = taxIdToken(paymentId, now(), await stackSecret(async () => {}));
  return `${env.publicUrl()}/invoices/payments/${paymentId}/tax-id?token=${token}`;
}

export const members = (): MemberStore => memberStore(table());
export const throttles = (): ThrottleStore => throttleStore(table());
export const signIns = (): SignInStore => signInStore(table());
export const auditLog = (): AuditStore => auditStore(table());
export const brands = (): BrandStore => brandStore(table(), primaryBrand(env.merchant()));

export const exportJobs = (): ExportJobStore => exportJobStore(table());
export const thresholds = (): ThresholdStore => thresholdStore(table(), freeze());
export const exchangeRates = (): ExchangeRateStore => exchangeRateStore(table());
export const documents = (): DocumentStore => documentStore(table());

/** Whether buyers are mailed their documents. */
export const mailsDocuments = (): boolean => env.merchant().receipts !== undefined || env.mailFolder() !== undefined;

/** What mails to members are made of. */
export const memberMails = () => ({
  merchant: env.merchant().name,
  from: env.merchant().receipts?.from ?? 'receipts@example.com',
  publicUrl: env.publicUrl(),
  isSandbox: env.stage() === 'sandbox',
});

/** Runs tasks one after another. A failed task does not stop the next one. */
function oneAfterAnother() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(act: () => Promise<Result>): Promise<Result> => {
    const next = last.then(act, act);
    last = next.catch(() => {});
    return next;
  };
}

const inTurn = oneAfterAnother();

/** The books from which returns are made. */
export const accounting = () => ({
  payments: { ...payments(), ...paymentLists() },
  disputes: disputes(),
  documents: documents(),
  taxRules: taxRules(),
  rates: exchangeRates(),
  merchantCountry: env.merchant().country,
});

/** What issuing invoices and credit notes needs. */
export const issuing = () => ({
  payments: payments(),
  taxRules: taxRules(),
  brands: brands(),
  documents: documents(),
  merchant: env.merchant(),
  rates: exchangeRates(),
  awaitsRates: env.stage() === 'live',
  isMailed: mailsDocuments(),
  inTurn,
  now,
  random: () => world.random(),
});
