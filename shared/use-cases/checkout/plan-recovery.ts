import type { Offer } from '../../domain/catalogue/offer.ts';
import { Price } from '../../domain/catalogue/price.ts';
import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { SessionRequest } from '../../domain/checkout/session-request.ts';
import { attachmentFault } from '../../domain/discounts/attached-discount.ts';
import { DomainError } from '../../domain/errors.ts';
import { assertAddress, type CreateCheckoutSessionDeps, createCheckoutSession } from './create-checkout-session.ts';

export type PlanRecoveryDeps = Omit<
  CreateCheckoutSessionDeps,
  'sessions' | 'customers' | 'payments' | 'offers' | 'isSoldTo' | 'announcesExpiry'
>;

/** What a recovery link would open now, and what is no longer as it was. */
export interface RecoveryPlan {
  /** As it would be opened; not stored yet. */
  session: CheckoutSession;
  /** What its lines name; not kept yet. */
  offers: readonly Offer[];
  isPriceChanged: boolean;
  /** The names of products that are left out. */
  gone: string[];
  /** The codes that are left out. */
  refusedCodes: string[];
}

/**
 * Plans a session on the terms of an expired one, where they still hold: the same products that are still sold, at the prices of now,
 * with amounts, currency and codes as they were. Undefined: nothing of it can be bought any more.
 */
export async function planRecovery(
  deps: PlanRecoveryDeps,
  expired: CheckoutSession,
): Promise<RecoveryPlan | undefined> {
  const isSold = await soldLines(deps, expired);
  const lines = expired.lines.filter((_, index) => isSold[index]);
  if (lines.length === 0) return undefined;
  const codes = await validCodes(deps, expired);
  for (const terms of candidates(expired, { lines, codes })) {
    const opened = await tryToOpen(deps, terms);
    if (opened) return compared(expired, lines, { ...opened, session: keepingBuyer(expired, opened.session) });
  }
  return undefined;
}

const soldLines = ({ products }: PlanRecoveryDeps, { lines }: CheckoutSession): Promise<boolean[]> =>
  Promise.all(lines.map(async ({ productId }) => (await products.find(productId))?.archived === false));

async function validCodes(
  { loadCodes, now }: PlanRecoveryDeps,
  { discounts = [] }: CheckoutSession,
): Promise<string[]> {
  const codes = discounts.map(({ code }) => code);
  const found = await loadCodes(codes);
  return codes.filter((_, index) => attachmentFault(found[index], now().toISOString()) === undefined);
}

/** What to ask for, the most alike first: with the codes or without, with the chosen amounts or without, in the currency or in the products' own. */
function candidates(
  expired: CheckoutSession,
  { lines, codes }: { lines: readonly SessionLine[]; codes: readonly string[] },
): SessionRequest[] {
  const asked = (withAmounts: boolean) =>
    lines.map(({ productId, quantity, adjustable, amount, wish }) => ({
      ...{ productId, quantity, adjustable },
      amount: withAmounts ? amount : null,
      ...(withAmounts && wish && { wish }),
    }));
  const { billing, taxId, businessName, returnUrl, cancelUrl, metadata, takesCodes, market } = expired;
  const fields = { customer: {}, billing, taxId, businessName, returnUrl, cancelUrl, metadata };
  const choices = {
    ...(takesCodes === false && { takesCodes }),
    ...(market?.isOffered === false && { choosesCurrency: market.isOffered }),
  };
  const rest = { fields, ...choices };
  const currency = isUndecided(market) ? null : expired.currency;
  const same = { ...rest, cart: asked(true), currency };
  const chosenAgain = { ...rest, cart: asked(false), currency };
  const ownCurrency = { ...rest, cart: asked(false), currency: null };
  return [same, chosenAgain, ownCurrency].flatMap((one) =>
    codes.length > 0 ? [{ ...one, codes: [...codes] }, one] : [one],
  );
}

/** Whether a country would still have chosen the currency. */
const isUndecided = (market: CheckoutSession['market']): boolean =>
  market !== undefined && market.isChosen === undefined && market.country === undefined;

type Opened = Pick<RecoveryPlan, 'session' | 'offers'>;

/** The session that a request opens; undefined if it is refused. Where it led is forgotten if the merchant no longer allows it. */
async function tryToOpen(deps: PlanRecoveryDeps, request: SessionRequest): Promise<Opened | undefined> {
  const offers: Offer[] = [];
  const { returnUrl, cancelUrl } = request.fields;
  const allowed = { returnUrl: allowedAddress(deps, returnUrl), cancelUrl: allowedAddress(deps, cancelUrl) };
  const opening = {
    ...deps,
    // the page tells where a country is not sold to, as it does while a buyer chooses one
    isSoldTo: async () => true,
    announcesExpiry: () => false,
    offers: {
      keep: async (named: readonly Offer[]) => {
        offers.push(...named);
      },
    },
    sessions: { create: async () => {}, find: async () => undefined },
    customers: { find: async () => undefined },
    payments: { list: async () => ({ items: [], hasMore: false, last: undefined }) },
  };
  try {
    const wanted = { ...request, fields: { ...request.fields, ...allowed } };
    return { session: await createCheckoutSession(opening, wanted, () => []), offers };
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'SERVICE_UNAVAILABLE') return undefined;
    throw error;
  }
}

function allowedAddress({ returnRules }: PlanRecoveryDeps, address: string | null): string | null {
  try {
    if (address) assertAddress('return_url', address, returnRules);
    return address;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** The customer whom the integrator named, and codes that the buyer may still take away. */
function keepingBuyer(expired: CheckoutSession, { discounts, ...session }: CheckoutSession): CheckoutSession {
  const byBuyer = (code: string) => expired.discounts?.some((one) => one.code === code && one.by === 'buyer');
  const kept = discounts?.map((one) => (byBuyer(one.code) ? { ...one, by: 'buyer' as const } : one));
  return { ...session, customer: expired.customer, ...(kept && { discounts: kept }) };
}

function compared(expired: CheckoutSession, lines: readonly SessionLine[], { session, offers }: Opened): RecoveryPlan {
  const kept = new Set(lines.map(({ productId }) => productId));
  const codes = new Set(session.discounts?.map(({ code }) => code));
  const terms = (of: readonly SessionLine[]) =>
    JSON.stringify(of.map(({ price, amount }) => [Price.parse(price), amount]));
  return {
    ...{ session, offers },
    isPriceChanged: terms(lines) !== terms(session.lines),
    gone: expired.lines.filter(({ productId }) => !kept.has(productId)).map(({ name }) => name),
    refusedCodes: (expired.discounts ?? []).map(({ code }) => code).filter((code) => !codes.has(code)),
  };
}
