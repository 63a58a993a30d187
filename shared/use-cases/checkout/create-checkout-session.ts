import { chargeFault } from '../../domain/catalogue/charge-fault.ts';
import { assertTotal } from '../../domain/catalogue/price.ts';
import type { CheckTaxId } from '../../domain/checkout/buyer.ts';
import {
  type CheckoutSession,
  costsSomething,
  openSession,
  type SessionFields,
  type SessionLine,
} from '../../domain/checkout/checkout-session.ts';
import type { SessionRequest } from '../../domain/checkout/session-request.ts';
import type { TaxCategory } from '../../domain/checkout/tax.ts';
import { profileOf } from '../../domain/customers/customer-record.ts';
import { type AttachedDiscount, attachAll, type LoadCodes } from '../../domain/discounts/attached-discount.ts';
import { totalWithCodes } from '../../domain/discounts/total-with-codes.ts';
import { notConnected, notFound, refuse } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { assertAddress, type ReturnRules } from '../../domain/return-address.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import type { ChargeLimits } from '../../outside/processor/payment-processor.ts';
import type { OfferStore } from '../../store/catalogue/offer-store.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { isBuyerCountry } from '../../tax/places/countries.ts';
import { tableVersion } from '../../tax/rates/table-version.ts';
import { loadCart } from './load-cart.ts';

export interface CreateCheckoutSessionDeps {
  products: Pick<ProductStore, 'find'>;
  entitlements: Pick<EntitlementStore, 'findMany'>;
  offers: Pick<OfferStore, 'keep'>;
  sessions: Pick<SessionStore, 'create'>;
  customers: Pick<CustomerStore, 'find'>;
  payments: Pick<PaymentLists, 'list'>;
  /** Whether a category can be sold to a country: a rate is known there, or the merchant sells there without tax. */
  isSoldTo: (country: string, category: TaxCategory) => Promise<boolean>;
  loadCodes: LoadCodes;
  checkTaxId: CheckTaxId;
  returnRules: ReturnRules;
  /** Whether an event announces that a session expired unpaid. */
  announcesExpiry: () => boolean;
  /** Whether a payment processor is connected. */
  takesPayments: () => boolean;
  /** The limits that the stage's processor has in a currency; undefined if it does not charge that currency. */
  chargeLimits: (currency: string) => Pick<ChargeLimits, 'minimum' | 'maximum' | 'step'> | undefined;
  now: () => Date;
  newId: (prefix: 'cks') => string;
  newToken: () => string;
}

/** The rows to read: the products, and the tax rules if a country is given, because the merchant may not sell there. */
export const neededRows = <Row>(
  { cart, fields }: SessionRequest,
  keys: { product: (id: string) => Row; taxRules: () => Row; customer: (id: string) => Row },
): Row[] => [
  ...cart.map(({ productId }) => keys.product(productId)),
  ...(fields.customer.id ? [keys.customer(fields.customer.id)] : []),
  ...(fields.billing.country ? [keys.taxRules()] : []),
];

/** Opens a session on the products' current terms. */
export async function createCheckoutSession(
  deps: CreateCheckoutSessionDeps,
  request: SessionRequest,
  claim: Claim<CheckoutSession>,
): Promise<CheckoutSession> {
  assertCountry(request.fields.billing);
  assertAddresses(request.fields, deps.returnRules);
  const [attached, customer] = await Promise.all([codesOf(deps, request), knownCustomer(deps, request.fields)]);
  const lines = await loadCart(deps, request, attached.discounts ?? []);
  await assertSoldThere(deps, lines.lines, request.fields.billing.country);
  const proven = await provenTaxId(deps, request.fields);
  const origin = { id: deps.newId('cks'), now: deps.now(), formToken: deps.newToken(), tableVersion };
  const fields = { ...request.fields, ...proven, customer };
  const announced = deps.announcesExpiry() && { announcesExpiry: true };
  const opened = openSession(lines.lines, fields, { ...origin, brandId: lines.brandId, ...announced });
  const cards = request.takesCardsOnly && { takesCardsOnly: true as const };
  const asking = request.consentsBy && { consentsBy: request.consentsBy };
  const session = { ...opened, ...attached, ...cards, ...asking, ...marketFor(lines, request) };
  const total = totalWithCodes(session);
  if (total !== null) assertTotal(total, session.currency);
  if (costsSomething(session)) assertChargeable(deps, session, total);
  // The offers are stored before the session. Otherwise, a crash could leave a session without prices for another
  // place.
  await deps.offers.keep(lines.offers, deps.now());
  await deps.sessions.create(session, claim(session, null));
  return session;
}

/** Looks up the current terms of the codes in a request. Without codes, the session gets no such field. */
async function codesOf(
  { loadCodes, now }: CreateCheckoutSessionDeps,
  { codes = [], takesCodes }: SessionRequest,
): Promise<Pick<CheckoutSession, 'discounts' | 'takesCodes'>> {
  const frozen = { by: 'integrator' as const, now: now().toISOString() };
  const discounts: AttachedDiscount[] = attachAll(codes, await loadCodes(codes), frozen);
  return { ...(discounts.length > 0 && { discounts }), ...(takesCodes === false && { takesCodes }) };
}

/** The market of a cart with localized prices. Without such prices, the session gets no such field. */
const marketFor = (
  { market }: Pick<CheckoutSession, 'market'>,
  { choosesCurrency }: SessionRequest,
): Pick<CheckoutSession, 'market'> =>
  market ? { market: { ...market, ...(choosesCurrency === false && { isOffered: false }) } } : {};

/** Refuses a wrong tax id. If the register confirms the id, the session stores the proof. */
async function provenTaxId(deps: CreateCheckoutSessionDeps, { taxId, billing }: SessionFields) {
  const check = taxId ? await deps.checkTaxId(taxId, billing.country ?? '') : undefined;
  return check?.status === 'valid' ? { provenTaxId: check } : {};
}

/**
 * Refuses what the processor would refuse at payment: any charge if there is no processor, an unsupported currency, or
 * a known total that is too small or too large.
 */
function assertChargeable(
  { takesPayments, chargeLimits }: CreateCheckoutSessionDeps,
  session: CheckoutSession,
  total: number | null,
): void {
  const { currency } = session;
  if (!takesPayments()) throw notConnected();
  const limits = chargeLimits(currency);
  if (!limits) throw refuse('UNSUPPORTED_CURRENCY', 'product_cart', `The processor does not charge in ${currency}.`);
  const fault = chargeFault(total ?? 0, currency, limits);
  if (!fault) return;
  const { minimum, maximum, step } = limits;
  const values = { currency, step, total: total ?? 0 };
  const rule =
    fault.kind === 'maximum'
      ? brokenRule(sentences.charge_maximum, { ...values, most: maximum })
      : brokenRule(sentences.charge_minimum, { ...values, least: minimum });
  const code = fault.kind === 'minimum' ? 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT' : 'INVALID_REQUEST_PARAMETERS';
  throw refuse(code, 'product_cart', rule);
}

/** Refuses a country that does not exist. */
export function assertCountry({ country }: SessionFields['billing']): void {
  if (country && !isBuyerCountry(country))
    throw refuse('UNSUPPORTED_COUNTRY', 'billing_address.country', `${country} is not an ISO 3166-1 country, nor XK.`);
}

/** Refuses a country given by the integrator if a product of the cart cannot be sold there. */
async function assertSoldThere(
  { isSoldTo }: CreateCheckoutSessionDeps,
  lines: readonly SessionLine[],
  country: string | undefined,
): Promise<void> {
  for (const { name, taxCategory } of country ? lines : []) {
    if (!country || (await isSoldTo(country, taxCategory))) continue;
    const message = `“${name}” cannot be sold to ${country}: no tax rate is known for ${taxCategory} there.`;
    throw refuse('UNSUPPORTED_COUNTRY', 'billing_address.country', message);
  }
}

/** Refuses a return address that is not safe in a live stack, or that the merchant does not allow. */
function assertAddresses({ returnUrl, cancelUrl }: SessionFields, rules: ReturnRules): void {
  if (returnUrl) assertAddress('return_url', returnUrl, rules);
  if (cancelUrl) assertAddress('cancel_url', cancelUrl, rules);
}

/**
 * Fills in the details of a customer who is given by id, from the merchant's row or the latest payment. The page asks
 * for erased details again.
 */
async function knownCustomer(
  deps: CreateCheckoutSessionDeps,
  { customer }: SessionFields,
): Promise<SessionFields['customer']> {
  if (!customer.id) return customer;
  const [record, { items }] = await Promise.all([
    deps.customers.find(customer.id),
    deps.payments.list({ customerId: customer.id }, { size: 1, skip: 0, after: undefined }),
  ]);
  const [latest] = items;
  const purchases = latest && { firstAt: latest.createdAt, latest: latest.customer };
  const known = profileOf(customer.id, record, purchases);
  if (!known) throw notFound('customer', customer.id, 'customer.customer_id');
  const { id, email, name, phone } = known;
  return { id, ...(email && { email }), ...(name && { name }), phone, ...customer };
}
