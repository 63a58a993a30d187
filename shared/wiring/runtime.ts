import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { base62 } from '../domain/base62.ts';
import { primaryBrand } from '../domain/catalogue/brand.ts';
import { type TaxCustom, taxCustomOf } from '../domain/catalogue/tax-mode.ts';
import { languageOfCountry } from '../domain/country-language.ts';
import { primaryBrandIdOf } from '../domain/ids.ts';
import type { BrokenRule } from '../domain/rules/rules.ts';
import type { Site } from '../domain/site.ts';
import { env } from '../env.ts';
import type { DomainEvent } from '../events/catalogue.ts';
import type { DocumentQueue, EventBus } from '../events/event-bus.ts';
import { documentQueue } from '../outside/bus/document-queue.ts';
import { eventBus } from '../outside/bus/event-bus.ts';
import { type TargetPolicy, whyNotTarget } from '../outside/webhooks/target.ts';
import { type ApiKeyStore, apiKeyStore } from '../store/access/api-key-store.ts';
import { type AuditStore, auditStore } from '../store/access/audit-store.ts';
import { type DashboardSecretStore, dashboardSecretStore } from '../store/access/dashboard-secret-store.ts';
import { type MemberStore, memberStore } from '../store/access/member-store.ts';
import { type OriginSecretStore, originSecretStore } from '../store/access/origin-secret-store.ts';
import { type SignInStore, signInStore } from '../store/access/sign-in-store.ts';
import { type ThrottleStore, throttleStore } from '../store/access/throttle-store.ts';
import { type AccountLacksStore, accountLacksStore } from '../store/account-lacks-store.ts';
import { type BrandStore, brandStore } from '../store/catalogue/brand-store.ts';
import { type OfferStore, offerStore } from '../store/catalogue/offer-store.ts';
import { type ProductStore, productStore } from '../store/catalogue/product-store.ts';
import { type CustomerStore, customerStore } from '../store/customers/customer-store.ts';
import { type ErasureStore, erasureStore } from '../store/customers/erasure-store.ts';
import { type DiscountStore, discountStore } from '../store/discounts/discount-store.ts';
import { type GuestStore, guestStore } from '../store/discounts/guest-store.ts';
import { type UseStore, useStore } from '../store/discounts/use-store.ts';
import { type EntitlementStore, entitlementStore } from '../store/entitlements/entitlement-store.ts';
import { type GrantStore, grantStore } from '../store/entitlements/grant-store.ts';
import { type LicenseKeyStore, licenseKeyStore } from '../store/entitlements/license-key-store.ts';
import { type PoolStore, poolStore } from '../store/entitlements/pool-store.ts';
import { type DueStore, dueStore } from '../store/events/due-store.ts';
import { type EventStore, eventStore } from '../store/events/event-store.ts';
import { type IdempotencyStore, idempotencyStore } from '../store/idempotency-store.ts';
import { keys, type RowKey } from '../store/keys.ts';
import { type LeftOutFieldStore, leftOutFieldStore } from '../store/left-out-field-store.ts';
import { type DisputeStore, disputeStore } from '../store/payments/dispute-store.ts';
import { type ExpiryStore, expiryStore } from '../store/payments/expiry-store.ts';
import { type PaymentLists, paymentListStore } from '../store/payments/payment-list.ts';
import { type PaymentStore, paymentStore } from '../store/payments/payment-store.ts';
import { type RefundAllowanceStore, refundAllowanceStore } from '../store/payments/refund-allowance-store.ts';
import { type SessionStore, sessionStore } from '../store/payments/session-store.ts';
import { type PayoutStore, payoutStore } from '../store/payouts/payout-store.ts';
import { type PortalStore, portalStore } from '../store/portal/portal-store.ts';
import { readRowsAhead } from '../store/table/read.ts';
import { openTable, type Table } from '../store/table/table.ts';
import { type TaxRulesStore, taxRulesStore } from '../store/tax-rules-store.ts';
import { type DeliveryStore, deliveryStore } from '../store/webhooks/delivery-store.ts';
import { type WebhookHealthStore, webhookHealthStore } from '../store/webhooks/webhook-health-store.ts';
import { type WebhookStore, webhookStore } from '../store/webhooks/webhook-store.ts';
import { type WithdrawalStore, withdrawalStore } from '../store/withdrawal/withdrawal-store.ts';
import { findOrMakeStackSecret } from '../use-cases/access/stack-secret.ts';
import { cursorSecretOf } from '../wire/cursor.ts';
import { freezeEvent } from '../wire/webhooks/event.ts';

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
  | 'ent'
  | 'fil'
  | 'mbr'
  | 'lcp'
  | 'lic'
  | 'lki'
  | 'wdr'
  | 'pls'
  | 'cps';

/** The sources of time and randomness, which tests replace. */
export const world = {
  now: (): Date => new Date(),
  /** The time in the signature of a webhook, which its receiver compares with its own clock. */
  sentAt: (now: Date): Date => now,
  newId: (prefix: IdPrefix): string => `${prefix}_${randomText(21)}`,
  newUuid: (): string => randomUUID(),
  randomBytes: (length: number): Buffer => randomBytes(length),
  random: (): number => Math.random(),
  /** A whole number from 0 to below the limit, from a cryptographic source. */
  randomInt: (limit: number): number => randomInt(limit),
};

export const now = (): Date => world.now();
export const random = (): number => world.random();
export const newId = (prefix: IdPrefix): string => world.newId(prefix);
export const newUuid = (): string => world.newUuid();
export const newBytes = (length: number): Buffer => world.randomBytes(length);

let opened: Table | undefined;

/** The table of the process, opened on first use. */
export const table = (): Table => {
  opened ??= openTable(env.tableName());
  return opened;
};

/** Reads the rows that `act` will need in one call. The stores then use these rows, each only once. */
export const readAhead = <Result>(keys: readonly RowKey[], act: () => Promise<Result>): Promise<Result> =>
  readRowsAhead(table(), keys, act);

/** The brand of products that name no brand. */
export const primaryBrandId = (): string => primaryBrandIdOf(env.merchant().id);

export const site = (): Site => ({ businessId: env.merchant().id, publicUrl: env.publicUrl() });

export const apiKeys = (): ApiKeyStore => apiKeyStore(table());
export const dashboardSecrets = (): DashboardSecretStore => dashboardSecretStore(table());
export const originSecrets = (): OriginSecretStore => originSecretStore(table());
export const idempotencyRecords = (): IdempotencyStore => idempotencyStore(table());
export const products = (): ProductStore => productStore(table());
export const offers = (): OfferStore => offerStore(table());
export const discounts = (): DiscountStore => discountStore(table());
export const discountGuests = (): GuestStore => guestStore(table());
export const entitlements = (): EntitlementStore => entitlementStore(table());
export const sessions = (): SessionStore => sessionStore(table());
export const expiries = (): ExpiryStore => expiryStore(table(), freeze());
export const payments = (): PaymentStore => paymentStore(table(), freeze());
/** The store of payments, together with the uses of codes. It is for functions that begin or end a payment. */
export const countedPayments = (): PaymentStore & UseStore => ({ ...payments(), ...useStore(table()) });
export const refundAllowances = (): RefundAllowanceStore => refundAllowanceStore(table());
export const disputes = (): DisputeStore => disputeStore(table(), freeze());
export const payouts = (): PayoutStore => payoutStore(table());
export const paymentLists = (): PaymentLists => paymentListStore(table());
export const customers = (): CustomerStore => customerStore(table());
export const erasures = (): ErasureStore => erasureStore(table());
export const grants = (): GrantStore => grantStore(table(), freeze());
export const codePools = (): PoolStore => poolStore(table());
export const licenseKeys = (): LicenseKeyStore => licenseKeyStore(table());
export const withdrawals = (): WithdrawalStore => withdrawalStore(table(), freeze());
export const portals = (): PortalStore => portalStore(table());
export const events = (): EventStore => eventStore(table());

export const accountLacks = (): AccountLacksStore => accountLacksStore(table());
export const leftOutFields = (): LeftOutFieldStore => leftOutFieldStore(table());
export const taxRules = (): TaxRulesStore => taxRulesStore(table());

/** The countries where the merchant's prices are shown without tax. */
export const taxCustom = (): TaxCustom => taxCustomOf(env.merchant());

export const webhooks = (): WebhookStore => webhookStore(table());
export const webhookHealth = (): WebhookHealthStore => webhookHealthStore(table());
export const deliveries = (): DeliveryStore => deliveryStore(table());
export const dueRows = (): DueStore => dueStore(table());

/** The event bus, from which webhooks are dispatched. */
export const bus = (): EventBus => eventBus(env.busName());
/** The queue of events that may lead to a document. */
export const documentEvents = (): DocumentQueue => documentQueue(env.documentQueueUrl());

/** The addresses to which this stage may send webhooks. */
export const targetPolicy = (): TargetPolicy => ({
  allowsLoopback: env.stage() === 'sandbox' && env.allowsLoopbackWebhooks(),
  ownHost: new URL(env.publicUrl()).hostname,
});

/** Why this stage may not send webhooks to an address; undefined if it may. */
export const whyNotUrl = (url: string): BrokenRule | undefined => whyNotTarget(url, targetPolicy());

/** Makes the body of an event. All receivers get the same body, also when it is sent again. */
export const freeze = (): ((event: DomainEvent) => string) => freezeEvent(site());

export const members = (): MemberStore => memberStore(table());
export const throttles = (): ThrottleStore => throttleStore(table());
export const signIns = (): SignInStore => signInStore(table());
export const auditLog = (): AuditStore => auditStore(table());
/** The language of the merchant's texts, if the merchant has not chosen one. It is the main language of the country. */
export const policyLanguage = (): string => languageOfCountry(env.merchant().country);

export const brands = (): BrandStore => brandStore(table(), primaryBrand(env.merchant()));

/** The dependencies of mails to members. */
export const memberMails = () => ({
  merchant: env.merchant().name,
  from: env.merchant().receipts?.from ?? 'receipts@example.com',
  publicUrl: env.publicUrl(),
  isSandbox: env.stage() === 'sandbox',
});

let knownSecret: string | undefined;

/** The stack's own secret. A process reads it only once. */
export async function stackSecret(assertMayMake?: () => Promise<unknown>): Promise<string> {
  const newSecret = () => randomText(43);
  knownSecret ??= await findOrMakeStackSecret({ apiKeys: apiKeys(), newSecret, assertMayMake });
  return knownSecret;
}

/** The stack's own secret; undefined if it was never needed yet. */
export async function findStackSecret(): Promise<string | undefined> {
  knownSecret ??= await apiKeys().findSessionSecret();
  return knownSecret;
}

/**
 * The secret that signs the cursors of lists; undefined if the stack has none yet. A list does not create the secret,
 * because it writes nothing. The sweep does not either. A new secret would replace one that must be restored from a
 * backup.
 */
export const cursorSecret = async (): Promise<string | undefined> => cursorSecretOf(await findStackSecret());

/** The rows that `cursorSecret` reads. Empty if the process already knows the secret. */
export const cursorSecretRows = (): RowKey[] => (knownSecret ? [] : [keys.sessionSecret()]);
