import type { Offer } from '../../domain/catalogue/offer.ts';
import { Price } from '../../domain/catalogue/price.ts';
import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { SessionRequest } from '../../domain/checkout/session-request.ts';
import { attachmentFault } from '../../domain/discounts/attached-discount.ts';
import { DomainError } from '../../domain/errors.ts';
import { assertAddress } from '../../domain/return-address.ts';
import { type CreateCheckoutSessionDeps, createCheckoutSession } from './create-checkout-session.ts';

export type PlanRecoveryDeps = Omit<
  CreateCheckoutSessionDeps,
  'sessions' | 'customers' | 'payments' | 'offers' | 'isSoldTo' | 'announcesExpiry'
>;

/** The session that a recovery link would open now, and what has changed since the expired one. */
export interface RecoveryPlan {
  /** The session to open; not stored yet. */
  session: CheckoutSession;
  /** The offers to which its lines refer; not stored yet. */
  offers: readonly Offer[];
  isPriceChanged: boolean;
  /** The names of products that are no longer sold and are left out. */
  gone: string[];
  /** The codes that are refused and left out. */
  refusedCodes: string[];
}

/**
 * Plans a new session like an expired one. It has the products that are still sold, at current prices, with the same
 * amounts, currency and codes if these are still valid. Undefined if nothing can be bought.
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

/**
 * The requests to try, most similar first. They are with or without the codes, with or without the chosen amounts, and
 * in the same currency or the products' own.
 */
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
  const { billing, taxId, businessName, returnUrl, cancelUrl, metadata } = expired;
  const { takesCodes, takesCardsOnly, consentsBy, market } = expired;
  const fields = { customer: {}, billing, taxId, businessName, returnUrl, cancelUrl, metadata };
  const choices = {
    ...(takesCodes === false && { takesCodes }),
    ...(takesCardsOnly && { takesCardsOnly }),
    ...(consentsBy && { consentsBy }),
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

/** Whether a country can still choose the currency. It can if nobody has chosen one and the session has no country. */
const isUndecided = (market: CheckoutSession['market']): boolean =>
  market !== undefined && market.isChosen === undefined && market.country === undefined;

type Opened = Pick<RecoveryPlan, 'session' | 'offers'>;

/**
 * Opens a session for a request; undefined if it is refused. It drops return addresses that the merchant no longer
 * allows.
 */
async function tryToOpen(deps: PlanRecoveryDeps, request: SessionRequest): Promise<Opened | undefined> {
  const offers: Offer[] = [];
  const { returnUrl, cancelUrl } = request.fields;
  const allowed = { returnUrl: allowedAddress(deps, returnUrl), cancelUrl: allowedAddress(deps, cancelUrl) };
  const opening = {
    ...deps,
    // Always true here. The page itself says so if the buyer chooses a country to which the product is not sold.
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

/** Keeps the customer whom the integrator named. Codes that the buyer could remove before stay removable. */
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
