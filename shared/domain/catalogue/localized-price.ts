import * as z from 'zod';
import { DomainError, notFound, refuse } from '../errors.ts';
import { Amount } from '../money/money.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { choiceTerms } from './pay-what-you-want.ts';
import { assertPrice, type Price } from './price.ts';

/** Whether a product has different prices by currency, or by the buyer's country. */
export const pricingModes = ['by_currency', 'by_country'] as const;
export type PricingMode = (typeof pricingModes)[number];

const termNames = Object.keys(choiceTerms) as (keyof typeof choiceTerms)[];

type Nullable<Shape extends z.ZodRawShape> = { [Name in keyof Shape]: z.ZodNullable<Shape[Name]> };

/** Every term of a price that the buyer chooses, but null is allowed: a localized price can have no such term. */
const nullable = Object.fromEntries(termNames.map((name) => [name, choiceTerms[name].nullable()])) as Nullable<
  typeof choiceTerms
>;

/** A price of a product for one market. It is never converted from another one. */
export const LocalizedPrice = z.object({
  id: z.string(),
  currency: z.string(),
  /** The country whose buyers get this price; null if all buyers who pay in the currency get it. */
  countryCode: z.string().nullable(),
  /** The amount of one unit: the fixed price, or the least that the buyer may choose. */
  amount: Amount,
  /** Whether the price includes tax; null if the product's own price decides that. */
  taxInclusive: z.boolean().nullable(),
  suggested: Amount.nullable(),
  maximum: Amount.nullable(),
  ...nullable,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type LocalizedPrice = z.infer<typeof LocalizedPrice>;

/** The content of a localized price, without its id. */
export const LocalizedTerms = LocalizedPrice.omit({ id: true, createdAt: true, updatedAt: true });
export type LocalizedTerms = z.infer<typeof LocalizedTerms>;
/** The fields that a change may contain. The market of a price cannot change. */
export type LocalizedChange = Partial<Omit<LocalizedTerms, 'currency' | 'countryCode'>>;

/** The localized prices of a product. */
export interface LocalizedPricing<Terms extends LocalizedTerms = LocalizedPrice> {
  price: Price;
  pricingMode?: PricingMode | undefined;
  localizedPrices?: readonly Terms[] | undefined;
}

/** All prices of a product, as the product or a checkout stores them. */
export type AllPrices = LocalizedPricing<LocalizedTerms>;

const mostPrices = 100;

/** The complete price of a market. It has the product's kind and tax, but never limits from another currency. */
export function priceInMarket(base: Price, rule: LocalizedTerms): Price {
  const { currency, amount, taxInclusive } = rule;
  const { taxByPlace } = base;
  const tax =
    taxInclusive === null ? { taxInclusive: base.taxInclusive, ...(taxByPlace && { taxByPlace }) } : { taxInclusive };
  if (base.kind === 'fixed') return { kind: 'fixed', currency, unitAmount: amount, ...tax };
  const { suggested, maximum } = rule;
  const own = {
    ...Object.fromEntries(termNames.flatMap((name) => (rule[name] ? [[name, rule[name]]] : []))),
    ...(base.allowZero && { allowZero: base.allowZero }),
    ...(base.purpose && { purpose: base.purpose }),
    ...(base.showsNet && { showsNet: base.showsNet }),
  };
  return { kind: 'pay_what_you_want', currency, minimum: amount, suggested, maximum, ...tax, ...own };
}

/** The price of a product for a buyer who pays in a currency; undefined if it has none. */
export function priceIn(
  { price, pricingMode, localizedPrices = [] }: AllPrices,
  currency: string,
  country: string | undefined,
): Price | undefined {
  const market = pricingMode === 'by_country' ? country : null;
  const rule = localizedPrices.find((one) => one.currency === currency && one.countryCode === market);
  if (rule) return priceInMarket(price, rule);
  return price.currency === currency ? price : undefined;
}

/**
 * Adds a price. Refuses a market that does not fit the mode, that has a price already, or that is the product's own.
 */
export function withLocalizedPrice(pricing: LocalizedPricing, added: LocalizedPrice): LocalizedPrice[] {
  const { localizedPrices: all = [] } = pricing;
  assertMarket(pricing, added);
  if (all.some((one) => one.currency === added.currency && one.countryCode === added.countryCode))
    throw alreadyPriced(added);
  if (added.countryCode !== null && all.some(({ countryCode }) => countryCode === added.countryCode))
    throw alreadyPriced(added);
  if (all.length >= mostPrices)
    throw new DomainError('INVALID_REQUEST_PARAMETERS', brokenRule(sentences.prices_full, { most: mostPrices }));
  assertTerms(pricing.price, added);
  return [...all, added];
}

/** Changes one of the prices. */
export function withChangedPrice(pricing: LocalizedPricing, changed: LocalizedPrice): LocalizedPrice[] {
  assertTerms(pricing.price, changed);
  return (pricing.localizedPrices ?? []).map((one) => (one.id === changed.id ? changed : one));
}

/** The localized prices that are still valid after a change of the product. */
export function fittingPrices(before: LocalizedPricing, after: LocalizedPricing): LocalizedPrice[] {
  const { pricingMode, price, localizedPrices = [] } = after;
  if (pricingMode === undefined || pricingMode !== before.pricingMode || price.kind !== before.price.kind) return [];
  return localizedPrices.filter(({ currency, countryCode }) => countryCode !== null || currency !== price.currency);
}

export function findLocalizedPrice({ localizedPrices = [] }: LocalizedPricing, id: string): LocalizedPrice {
  const found = localizedPrices.find((one) => one.id === id);
  if (found) return found;
  throw notFound('localized price', id);
}

function assertMarket({ pricingMode, price }: LocalizedPricing, { countryCode, currency }: LocalizedPrice): void {
  if (pricingMode === undefined)
    throw new DomainError('PRODUCT_PRICING_MODE_REQUIRED', brokenRule(sentences.market_mode_missing));
  if ((pricingMode === 'by_country') !== (countryCode !== null)) {
    const rule = pricingMode === 'by_country' ? sentences.market_country_missing : sentences.market_country_extra;
    throw refuse('LOCALIZED_PRICE_SHAPE_MISMATCH', 'country_code', brokenRule(rule));
  }
  if (pricingMode === 'by_currency' && currency === price.currency)
    throw refuse('LOCALIZED_PRICE_DUPLICATES_BASE', 'currency', brokenRule(sentences.market_is_base, { currency }));
}

const alreadyPriced = ({ countryCode, currency }: LocalizedPrice): DomainError =>
  refuse(
    'LOCALIZED_PRICE_ALREADY_EXISTS',
    countryCode === null ? 'currency' : 'country_code',
    brokenRule(sentences.market_exists, { market: countryCode ?? currency }),
  );

function assertTerms(base: Price, rule: LocalizedPrice): void {
  if (base.kind === 'fixed' && rule.amount === 0)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'amount', brokenRule(sentences.market_amount));
  const isChosen = (['suggested', 'maximum', ...termNames] as const).some((name) => rule[name] !== null);
  if (base.kind === 'fixed' && isChosen)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'amount', brokenRule(sentences.market_limits));
  assertPrice(priceInMarket(base, rule));
}
