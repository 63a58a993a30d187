import type { Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { DomainError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { maxAmount } from '../../domain/money/money.ts';
import { type AmountFault, amountText, exampleAmount, parseAmount } from '../../pages/amount-input.ts';
import { formatMoney } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import type { DashboardForm } from '../form.ts';
import { faultsOf } from '../form-faults.ts';
import type { FormFault } from '../parts.ts';
import {
  choiceBody,
  noOffer,
  type OfferEntries,
  offerBody,
  offerEntriesFrom,
  offerEntriesOf,
  offerFaults,
  offerFields,
} from './offer-entries.ts';

/** The entries of the product form, with amounts as typed. */
export interface ProductDraft {
  name: string;
  description: string;
  brandId: string;
  taxCategory: string;
  currency: string;
  isOpen: boolean;
  price: string;
  minimum: string;
  suggested: string;
  maximum: string;
  /** What the merchant keeps at least. */
  minimumNet: string;
  allowsZero: boolean;
  /** The amounts to choose from, with spaces between; `none` for none. */
  presets: string;
  taxInclusive: boolean;
  isTaxByPlace: boolean;
  /** The country whose custom holds while none is known; empty: the merchant's. */
  taxAnchor: string;
  offer: OfferEntries;
  /** Where the buyer of the example is: `DE`, `US-TX`. */
  place: string;
}

export const newDraft = (brandId: string, currency: string, place: string): ProductDraft => ({
  name: '',
  description: '',
  brandId,
  taxCategory: 'digital_products',
  currency,
  isOpen: false,
  price: '',
  minimum: '',
  suggested: '',
  maximum: '',
  minimumNet: '',
  allowsZero: false,
  presets: '',
  taxInclusive: true,
  isTaxByPlace: false,
  taxAnchor: '',
  offer: noOffer,
  place,
});

export function draftOf({ price, ...product }: Product, place: string): ProductDraft {
  const { name, description, brandId, taxCategory } = product;
  const { currency, taxInclusive, taxByPlace } = price;
  const tax = { taxInclusive, isTaxByPlace: taxByPlace !== undefined, taxAnchor: taxByPlace?.anchor ?? '' };
  const own = { name, description, brandId, taxCategory, currency, ...tax, place };
  const offer = offerEntriesOf({ ...product, price });
  return { ...own, offer, isOpen: price.kind === 'pay_what_you_want', ...typedAmounts(price) };
}

type ChosenEntries = Pick<
  ProductDraft,
  'price' | 'minimum' | 'suggested' | 'maximum' | 'minimumNet' | 'allowsZero' | 'presets'
>;

function typedAmounts(price: Price): ChosenEntries {
  const typed = (amount: number | null = null) => (amount === null ? '' : amountText(amount, price.currency, 'en'));
  const unset = { price: '', minimum: '', suggested: '', maximum: '', minimumNet: '', allowsZero: false, presets: '' };
  if (price.kind === 'fixed') return { ...unset, price: typed(price.unitAmount) };
  const { minimum, suggested, maximum, minimumNet, allowZero: allowsZero = false, presetAmounts } = price;
  const presets = presetAmounts?.length === 0 ? noPresets : (presetAmounts ?? []).map(typed).join(' ');
  const limits = { minimum: typed(minimum), suggested: typed(suggested), maximum: typed(maximum) };
  return { price: '', ...limits, minimumNet: typed(minimumNet), allowsZero, presets };
}

export const draftFrom = (form: DashboardForm): ProductDraft => ({
  name: form.text('name'),
  description: form.text('description'),
  brandId: form.text('brand_id'),
  taxCategory: form.text('tax_category'),
  currency: form.text('currency'),
  isOpen: form.has('pay_what_you_want'),
  price: form.text('price'),
  minimum: form.text('minimum'),
  suggested: form.text('suggested'),
  maximum: form.text('maximum'),
  minimumNet: form.text('minimum_net'),
  allowsZero: form.has('allow_zero'),
  presets: form.text('preset_amounts'),
  taxInclusive: form.has('tax_inclusive'),
  isTaxByPlace: form.has('tax_by_place'),
  taxAnchor: form.text('tax_anchor'),
  offer: offerEntriesFrom(form),
  place: form.text('place'),
});

/** What the API would be sent, and what cannot be read. */
export function productBody(draft: ProductDraft): { body: Record<string, unknown>; faults: FormFault[] } {
  const { name, description, taxInclusive: tax_inclusive, currency } = draft;
  const { values, faults } = draft.isOpen ? openTerms(draft) : valuesOf({ price: readAmount(draft, 'price', true) });
  const tax = draft.isTaxByPlace ? { tax_mode: 'location', tax_anchor: draft.taxAnchor || null } : {};
  const price = { type: 'one_time_price', currency, pay_what_you_want: draft.isOpen, ...values, ...tax };
  const body = { name, description, tax_category: draft.taxCategory, brand_id: draft.brandId || null, tax_inclusive };
  return { body: { ...body, price, ...offerBody(draft.offer) }, faults };
}

interface Read<Value> {
  amount: Value;
  fault?: FormFault;
}

function openTerms(draft: ProductDraft) {
  const { values, faults } = valuesOf({
    price: readAmount(draft, 'minimum', true),
    suggested_price: readAmount(draft, 'suggested', false),
    maximum_price: readAmount(draft, 'maximum', false),
    minimum_net: readAmount(draft, 'minimumNet', false),
    preset_amounts: readPresets(draft),
  });
  return { values: { ...values, allow_zero: draft.allowsZero, ...choiceBody(draft.offer) }, faults };
}

function valuesOf(amounts: Readonly<Record<string, Read<unknown>>>) {
  return {
    values: Object.fromEntries(Object.entries(amounts).map(([key, { amount }]) => [key, amount])),
    faults: Object.values(amounts).flatMap(({ fault }) => fault ?? []),
  };
}

const noPresets = 'none';

/** The amounts to choose from: null where the page computes them. */
function readPresets({ presets, currency }: ProductDraft): Read<number[] | null> {
  const words = presets.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || !isCurrency(currency)) return { amount: null };
  if (presets.toLowerCase() === noPresets) return { amount: [] };
  const readings = words.map((word) => parseAmount(word, currency, 'en'));
  const unread = readings.find((reading) => 'fault' in reading);
  if (unread) return { amount: null, fault: { field: 'preset_amounts', message: presetWords(currency) } };
  return { amount: readings.flatMap((reading) => ('amount' in reading ? reading.amount : [])) };
}

const presetWords = (currency: string): string =>
  `Enter at most six amounts within the limits, the least first, with spaces between, such as ${exampleAmount(currency, 'en')}. Or enter ${noPresets}.`;

const labels = {
  price: 'price',
  minimum: 'minimum price',
  suggested: 'suggested price',
  maximum: 'maximum price',
  minimumNet: 'least that you keep',
} as const;
type AmountField = keyof typeof labels;

/** The name of the field in the form, where it is another one. */
const fieldNames: Partial<Record<AmountField, string>> = { minimumNet: 'minimum_net' };

function readAmount(draft: ProductDraft, amountField: AmountField, isRequired: boolean): Read<number | null> {
  const { [amountField]: typed, currency } = draft;
  const field = fieldNames[amountField] ?? amountField;
  const label = labels[amountField];
  if (!isCurrency(currency)) return { amount: 0 };
  if (typed === '') return isRequired ? faulty(field, `Enter the ${label}. It can be 0.`) : { amount: null };
  const reading = parseAmount(typed, currency, 'en');
  return 'amount' in reading ? reading : faulty(field, amountMessage(reading.fault, label, currency));
}

const faulty = (field: string, message: string) => ({ amount: 0, fault: { field, message } });

function amountMessage(fault: AmountFault, label: string, currency: string): string {
  const example = exampleAmount(currency, 'en');
  if (fault === 'too_large') return `The ${label} can be at most ${formatMoney(maxAmount, currency, 'en')}.`;
  if (fault === 'ambiguous') return `The ${label} is not clear. Enter it like ${example}.`;
  if (fault === 'too_precise')
    return `The ${label} has more decimal places than ${currency} has. Enter it like ${example}.`;
  return `Enter the ${label} in digits, such as ${example}.`;
}

/** The API's paths, and the fields of the form that they are about. */
const fieldOf: Readonly<Record<string, string>> = {
  name: 'name',
  description: 'description',
  brand_id: 'brand_id',
  tax_category: 'tax_category',
  tax_inclusive: 'tax_inclusive',
  'price.currency': 'currency',
  'price.suggested_price': 'suggested',
  'price.maximum_price': 'maximum',
  'price.preset_amounts': 'preset_amounts',
  'price.minimum_net': 'minimum_net',
  image_id: 'image',
  ...offerFields,
};

/** The API's faults for a form, at its fields and in the merchant's words. */
export function formFaultsOf(refusal: DomainError, draft: ProductDraft, locale: Locale): FormFault[] {
  const named = faultsOf(refusal, { ...fieldOf, 'price.price': draft.isOpen ? 'minimum' : 'price' });
  const words = { ...spoken, ...limitWords(draft), ...offerFaults(locale) };
  return named.map(({ field, message }) => ({ field, message: words[field] ?? message }));
}

/** What the amounts must be, with the amount that they are compared with. */
function limitWords(draft: ProductDraft): Record<string, string> {
  const { currency } = draft;
  if (!isCurrency(currency)) return {};
  const read = (field: AmountField) => readAmount(draft, field, false).amount ?? 0;
  const [minimum, suggested] = [Math.max(read('minimum'), read('minimumNet')), read('suggested')];
  const least = (thing: string, amount: number) => `at least the ${thing}, ${formatMoney(amount, currency, 'en')}`;
  const bound = suggested > minimum ? least('suggestion', suggested) : least('minimum', minimum);
  return {
    suggested: `The suggestion must be ${least('minimum', minimum)}.`,
    maximum: `The maximum must be ${bound}.`,
    preset_amounts: presetWords(currency),
  };
}

const spoken: Readonly<Record<string, string>> = {
  name: 'Enter a name of 1 to 100 characters, without card numbers.',
  description: 'Enter a description of 1 to 1,000 characters, without card numbers.',
  currency: 'Choose a currency.',
  tax_category: 'Choose a tax category.',
  brand_id: 'Choose one of your brands.',
};
