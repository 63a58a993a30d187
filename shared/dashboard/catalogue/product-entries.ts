import { mostUnits } from '../../domain/catalogue/adjustable-quantity.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import type { DomainError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { type SupplyKind, supplyKinds } from '../../domain/withdrawal/supply.ts';
import { amountText, exampleAmount, parseAmount } from '../../pages/amount-input.ts';
import { formatMoney } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { OfferedProduct } from '../../use-cases/catalogue/attached-entitlements.ts';
import { presentProduct } from '../../wire/catalogue/product.ts';
import {
  type Entry,
  type Filled,
  hiddenField,
  type Json,
  jsonOf,
  type Reading,
  refusedEntries,
  shownTexts,
  type Typed,
} from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';
import type { FormFault } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

const { check, choice, money, select, text, textArea } = kindsOf(dashboardTexts('catalogue'));
const offer = kindsOf(dashboardTexts('offer'));

const isOpen = (typed: Typed): boolean => typed['pay_what_you_want'] !== '';
const open = { applies: isOpen };
const fixed = { applies: (typed: Typed) => !isOpen(typed) };

/** The suggested amounts, separated by spaces. `none` means no amounts. If it is empty, the page computes them. */
const presets: Entry = {
  ...text('preset_amounts', 'price.preset_amounts', {
    ...{ ...open, label: 'product.presets', maxLength: 80, isCode: true },
    values: (t) => ({
      example: [500, 1_000, 2_500].map((amount) => amountText(amount, 'EUR', t.locale)).join(' '),
      none: t('product.presets.none'),
    }),
    refused: (t, { typed }) => presetWords(typed['currency'] ?? '', t),
  }),
  show: (value, { typed, locale }) => {
    const amounts = value as readonly number[];
    if (amounts.length === 0) return textsOf(dashboardTexts('catalogue'), { locale })('product.presets.none');
    return amounts.map((amount) => amountText(amount, typed['currency'] ?? '', locale)).join(' ');
  },
  read: (typed, filled) => readPresets(typed, filled),
};

function readPresets(text: string, { typed: { currency = '' }, locale }: Filled): Reading {
  const t = textsOf(dashboardTexts('catalogue'), { locale });
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || !isCurrency(currency)) return { value: null };
  if (['none', t('product.presets.none')].includes(text.toLowerCase())) return { value: [] };
  const readings = words.map((word) => parseAmount(word, currency, locale));
  if (readings.some((reading) => 'fault' in reading)) return { value: null, fault: presetWords(currency, t) };
  return { value: readings.flatMap((reading) => ('amount' in reading ? reading.amount : [])) };
}

const presetWords = (currency: string, t: Texts<TextKey<'catalogue'>>): string =>
  t('fault.presets', { example: exampleAmount(currency, t.locale), none: t('product.presets.none') });

/** A limit of the quantity that a buyer may choose. If only one limit is typed, the other gets its default. */
const units = (name: string, path: string, otherwise: number, label: 'quantity.least' | 'quantity.most'): Entry => ({
  ...offer.text(name, path, { label, maxLength: 4, isCode: true, refused: 'quantity.fault' }),
  read: (typed, { typed: { quantity_least, quantity_most } }) => {
    if (quantity_least === '' && quantity_most === '') return { value: undefined };
    return { value: typed === '' ? otherwise : /^\d{1,4}$/.test(typed) ? Number(typed) : 0 };
  },
});

/** The fields of a product. */
export const productEntries = {
  name: text('name', 'name', { label: 'product.name', maxLength: 100, isRequired: true, refused: 'fault.name' }),
  description: textArea('description', 'description', {
    ...{ label: 'product.description', maxLength: 1_000, isRequired: true, refused: 'fault.description' },
  }),
  brand: select('brand_id', 'brand_id', { label: 'brand', hint: 'product.brand.hint', refused: 'fault.brand' }),
  currency: select('currency', 'price.currency', { label: 'product.currency', refused: 'fault.currency' }),
  isOpen: check('pay_what_you_want', 'price.pay_what_you_want', { label: 'product.open' }),
  price: money('price', 'price.price', {
    ...{ ...fixed, label: 'price', hint: 'product.price.hint', called: 'field.price', isRequired: true },
    values: (t) => ({ example: amountText(1_999, 'EUR', t.locale) }),
  }),
  minimum: money('minimum', 'price.price', {
    ...open,
    label: 'product.minimum',
    called: 'field.minimum',
    isRequired: true,
  }),
  suggested: money('suggested', 'price.suggested_price', {
    ...{ ...open, label: 'product.suggested', called: 'field.suggested' },
    refused: leastWords,
  }),
  maximum: money('maximum', 'price.maximum_price', {
    ...{ ...open, label: 'product.maximum', called: 'field.maximum', refused: mostWords },
  }),
  minimumNet: money('minimum_net', 'price.minimum_net', {
    ...open,
    label: 'product.minimumNet',
    called: 'field.minimumNet',
  }),
  presets,
  allowsZero: check('allow_zero', 'price.allow_zero', { ...open, label: 'product.allowZero' }),
  purpose: offer.text('purpose', 'price.purpose', {
    ...open,
    label: 'purpose',
    maxLength: 200,
    refused: 'purpose.fault',
  }),
  showsNet: offer.check('show_net', 'price.show_net', { ...open, label: 'net' }),
  taxInclusive: check('tax_inclusive', 'tax_inclusive', { label: 'product.taxInclusive' }),
  taxByPlace: {
    ...check('tax_by_place', 'price.tax_mode', { label: 'product.taxByPlace' }),
    show: (value) => (value === 'location' ? 'true' : ''),
    read: (typed) => ({ value: typed === '' ? undefined : 'location' }),
  },
  /** The country whose tax is displayed while the buyer's country is unknown. Empty means the merchant's country. */
  taxAnchor: {
    ...text('tax_anchor', 'price.tax_anchor', { label: 'tax', maxLength: 2 }),
    applies: ({ tax_by_place: byPlace }) => byPlace !== '',
    draw: hiddenField,
  },
  category: choice('tax_category', 'tax_category', {
    ...{ label: 'product.category', refused: 'fault.category' },
    options: (t) =>
      taxCategories.map((value) => ({ value, label: t(`category.${value}`), hint: t(`category.${value}.hint`) })),
  }),
  /** Whether the law of withdrawal treats the product as content or service. If empty, the tax category decides. */
  supply: select('supply', 'supply', {
    ...{ label: 'product.supply', refused: 'fault.supply' },
    options: (t) => ['', ...supplyKinds].map((value) => ({ value, label: t(`supply.${value as SupplyKind | ''}`) })),
  }),
  leastUnits: units('quantity_least', 'adjustable_quantity.minimum', 1, 'quantity.least'),
  mostUnits: units('quantity_most', 'adjustable_quantity.maximum', mostUnits, 'quantity.most'),
  instructions: offer.textArea('delivery_instructions', 'digital_product_delivery.instructions', {
    ...{ label: 'delivery.instructions', maxLength: 1_000, refused: 'delivery.instructions.fault' },
  }),
  url: offer.text('delivery_url', 'digital_product_delivery.external_url', {
    ...{ label: 'delivery.url', maxLength: 2_000, isCode: true, refused: 'delivery.url.fault' },
  }),
} as const satisfies Readonly<Record<string, Entry>>;

const { minimumNet, allowsZero, purpose, showsNet } = productEntries;

/** The other fields of a price that the buyer chooses, in the order of the page. */
export const choiceEntries = [minimumNet, presets, allowsZero, purpose, showsNet];

/** Fields that every request contains. Empty quantity limits are sent as null, which removes them. */
const always = { price: { type: 'one_time_price' }, adjustable_quantity: null };

/** The body for the API, and the fields that cannot be read. */
export const productJson = (filled: Filled) => jsonOf(productEntries, filled, always);

/** Whether the price of a unit, or its minimum, is filled in. */
export const hasPrice = (typed: Typed): boolean => typed[isOpen(typed) ? 'minimum' : 'price'] !== '';

/** The texts in the form of an existing product. */
export const textsOfProduct = (product: OfferedProduct, locale: Locale): Typed =>
  shownTexts(productEntries, presentProduct({ businessId: '', publicUrl: '' })(product), locale);

/** The texts in the form of a new product. */
export const newProductTexts = (brandId: string, currency: string, locale: Locale): Typed => {
  const json = { brand_id: brandId, price: { currency }, tax_category: 'digital_products', tax_inclusive: true };
  return shownTexts(productEntries, json, locale);
};

/** The API's errors, with the texts of the page, at the fields of the form. */
export const productFaults = (refusal: DomainError, filled: Filled): FormFault[] =>
  refusedEntries(
    productEntries,
    refusal,
    { ...filled, t: textsOf(dashboardTexts('catalogue'), filled, dashboardTexts('faults')) },
    { image_id: 'image' },
  );

/** The amounts that limits are compared with, from the JSON of a product or of a price for a market. */
function limitsIn(json: Json, { typed: { currency = '' }, locale }: Filled) {
  const { price = json } = json as { price?: Json };
  const amount = (path: string): number => (price[path] as number | null | undefined) ?? 0;
  const minimum = Math.max(amount('price'), amount('amount'), amount('minimum_net'));
  const inWords = (minor: number) => ({ amount: formatMoney(minor, currency, locale) });
  return { minimum, suggested: amount('suggested_price'), inWords };
}

function leastWords(t: Texts<TextKey<'catalogue'>>, filled: Filled, json: Json): string {
  const { minimum, inWords } = limitsIn(json, filled);
  return t('fault.suggested', inWords(minimum));
}

function mostWords(t: Texts<TextKey<'catalogue'>>, filled: Filled, json: Json): string {
  const { minimum, suggested, inWords } = limitsIn(json, filled);
  return suggested > minimum
    ? t('fault.maximum.suggested', inWords(suggested))
    : t('fault.maximum.minimum', inWords(minimum));
}

/** The fields that the price of a market also has if the buyer chooses the price. Each has its text for lists. */
export const chosenTerms = [
  [productEntries.suggested, 'limit.suggested'],
  [productEntries.maximum, 'limit.maximum'],
  [productEntries.presets, 'limit.presets'],
  [productEntries.minimumNet, 'limit.net'],
] as const satisfies readonly (readonly [Entry, TextKey<'prices'>])[];
