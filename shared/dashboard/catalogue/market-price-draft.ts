import type { LocalizedPrice } from '../../domain/catalogue/localized-price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { DomainError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { amountText, exampleAmount, parseAmount } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import { buyerCountries } from '../../tax/places/countries.ts';
import { type PricesKey, pricesTexts } from '../../texts/texts.ts';
import type { DashboardForm } from '../form.ts';
import type { FormFault } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

/** The entries of the form of a price for a market, as typed. */
export interface MarketDraft {
  /** The price that is changed; empty for a new one. */
  priceId: string;
  currency: string;
  country: string;
  amount: string;
  suggested: string;
  maximum: string;
  presets: string;
  minimumNet: string;
  /** `true`, `false`, or empty: as the product. */
  tax: string;
}

export const newMarketDraft: MarketDraft = {
  ...{ priceId: '', currency: '', country: '', amount: '' },
  ...{ suggested: '', maximum: '', presets: '', minimumNet: '', tax: '' },
};

const noPresets = 'none';

export function draftOfMarket(price: LocalizedPrice, locale: Locale): MarketDraft {
  const { id: priceId, currency, countryCode, taxInclusive, presetAmounts } = price;
  const typed = (amount: number | null) => (amount === null ? '' : amountText(amount, currency, locale));
  return {
    ...{ priceId, currency, country: countryCode ?? '', amount: typed(price.amount) },
    ...{ suggested: typed(price.suggested), maximum: typed(price.maximum), minimumNet: typed(price.minimumNet) },
    presets: presetAmounts?.length === 0 ? noPresets : (presetAmounts ?? []).map(typed).join(' '),
    tax: taxInclusive === null ? '' : String(taxInclusive),
  };
}

export const marketDraftFrom = (form: DashboardForm): MarketDraft => ({
  priceId: form.text('price_id'),
  currency: form.text('currency'),
  country: form.text('country'),
  amount: form.text('amount'),
  suggested: form.text('suggested'),
  maximum: form.text('maximum'),
  presets: form.text('presets'),
  minimumNet: form.text('minimum_net'),
  tax: form.text('tax'),
});

/** The id of a field. Each price has a separate form on the page. */
export const marketField = (name: string, { priceId }: Pick<MarketDraft, 'priceId'>): string =>
  `market_${name}_${priceId || 'new'}`;

interface MarketContext {
  locale: Locale;
  product: Pick<Product, 'price' | 'pricingMode'>;
}

const taxValues: Readonly<Record<string, boolean>> = { true: true, false: false };

/** What the API would be sent, and what cannot be read. */
export function marketBody(draft: MarketDraft, { locale, product }: MarketContext) {
  const t = textsOf(pricesTexts, { locale });
  const { currency, country, tax } = draft;
  const faults: FormFault[] = [];
  const refused = (name: string, message: string) => {
    faults.push({ field: marketField(name, draft), message });
    return null;
  };
  const isChosen = product.price.kind === 'pay_what_you_want';
  const read = (name: string, typed: string) => {
    if (typed === '' || !isCurrency(currency)) return null;
    const reading = parseAmount(typed, currency, locale);
    if ('amount' in reading) return reading.amount;
    const example = exampleAmount(currency, locale);
    return refused(name, reading.fault === 'too_large' ? t('fault.amount.large') : t('fault.amount', { example }));
  };
  if (!isCurrency(currency)) refused('currency', t('fault.currency'));
  if (product.pricingMode === 'by_country' && !buyerCountries.includes(country)) refused('country', t('fault.country'));
  if (draft.amount === '') refused('amount', t(isChosen ? 'fault.missing.minimum' : 'fault.missing'));
  const limits = {
    suggested_price: read('suggested', draft.suggested),
    maximum_price: read('maximum', draft.maximum),
    preset_amounts: presetsIn(draft.presets, (typed) => read('presets', typed)),
    minimum_net: read('minimum_net', draft.minimumNet),
  };
  const amount = read('amount', draft.amount) ?? 0;
  const terms = { amount, tax_inclusive: taxValues[tax] ?? null, ...(isChosen && limits) };
  return { terms, market: { currency, country_code: country || null }, faults };
}

/** The amounts to choose from: null where the page computes them. */
function presetsIn(typed: string, read: (typed: string) => number | null): number[] | null {
  const words = typed.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return null;
  return typed.toLowerCase() === noPresets ? [] : words.flatMap((word) => read(word) ?? []);
}

const byCode: Readonly<Record<string, readonly [string, PricesKey]>> = {
  LOCALIZED_PRICE_ALREADY_EXISTS: ['currency', 'fault.exists'],
  LOCALIZED_PRICE_DUPLICATES_BASE: ['currency', 'fault.base'],
  LOCALIZED_PRICE_SHAPE_MISMATCH: ['currency', 'fault.mode'],
  PRODUCT_PRICING_MODE_REQUIRED: ['currency', 'fault.mode'],
  INVALID_SUGGESTED_PRICE: ['suggested', 'fault.suggested'],
  INVALID_MAXIMUM_PRICE: ['maximum', 'fault.maximum'],
  UNSUPPORTED_COUNTRY: ['country', 'fault.country'],
  UNSUPPORTED_CURRENCY: ['currency', 'fault.currency'],
};

const byPath: Readonly<Record<string, readonly [string, PricesKey]>> = {
  amount: ['amount', 'fault.missing'],
  'price.preset_amounts': ['presets', 'fault.presets'],
  preset_amounts: ['presets', 'fault.presets'],
  country_code: ['country', 'fault.country'],
};

/** What the use case refuses, at its field and in the merchant's words. */
export function marketFaults(
  { code, details, message }: DomainError,
  draft: MarketDraft,
  t: Texts<PricesKey>,
): FormFault[] {
  const path = details.faults?.[0]?.path ?? '';
  const [name, key] = byCode[code] ?? byPath[path.replace(/\[.*/, '')] ?? ['', undefined];
  if (key) return [{ field: marketField(name, draft), message: t(key) }];
  return [{ field: '', message: /at most 100/.test(message) ? t('fault.most') : message }];
}
