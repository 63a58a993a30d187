import type { DomainError } from '../../domain/errors.ts';
import { isCurrency } from '../../domain/money/currency.ts';
import { maxAmount } from '../../domain/money/money.ts';
import { type AmountFault, exampleAmount, parseAmount } from '../../pages/amount-input.ts';
import { formatMoney } from '../../pages/format.ts';
import type { CatalogueKey } from '../../texts/texts.ts';
import { faultsOf } from '../form-faults.ts';
import type { FormFault } from '../parts.ts';
import type { Texts } from '../texts.ts';
import { choiceBody, offerBody, offerFaults, offerFields } from './offer-entries.ts';
import type { ProductDraft } from './product-draft.ts';

interface ReadProduct {
  body: Record<string, unknown>;
  faults: FormFault[];
}

/** What the API would be sent, and what cannot be read. */
export function productBody(draft: ProductDraft, t: Texts<CatalogueKey>): ReadProduct {
  const { name, description, taxInclusive: tax_inclusive, currency } = draft;
  const { values, faults } = draft.isOpen
    ? openTerms(draft, t)
    : valuesOf({ price: readAmount({ draft, t }, 'price', true) });
  const tax = draft.isTaxByPlace ? { tax_mode: 'location', tax_anchor: draft.taxAnchor || null } : {};
  const price = { type: 'one_time_price', currency, pay_what_you_want: draft.isOpen, ...values, ...tax };
  const body = { name, description, tax_category: draft.taxCategory, brand_id: draft.brandId || null, tax_inclusive };
  return { body: { ...body, price, ...offerBody(draft.offer) }, faults };
}

interface Read<Value> {
  amount: Value;
  fault?: FormFault;
}

function openTerms(draft: ProductDraft, t: Texts<CatalogueKey>) {
  const { values, faults } = valuesOf({
    price: readAmount({ draft, t }, 'minimum', true),
    suggested_price: readAmount({ draft, t }, 'suggested', false),
    maximum_price: readAmount({ draft, t }, 'maximum', false),
    minimum_net: readAmount({ draft, t }, 'minimumNet', false),
    preset_amounts: readPresets(draft, t),
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
function readPresets({ presets, currency }: ProductDraft, t: Texts<CatalogueKey>): Read<number[] | null> {
  const words = presets.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || !isCurrency(currency)) return { amount: null };
  if ([noPresets, t('product.presets.none')].includes(presets.toLowerCase())) return { amount: [] };
  const readings = words.map((word) => parseAmount(word, currency, t.locale));
  const unread = readings.find((reading) => 'fault' in reading);
  if (unread) return { amount: null, fault: { field: 'preset_amounts', message: presetWords(currency, t) } };
  return { amount: readings.flatMap((reading) => ('amount' in reading ? reading.amount : [])) };
}

const presetWords = (currency: string, t: Texts<CatalogueKey>): string =>
  t('fault.presets', { example: exampleAmount(currency, t.locale), none: t('product.presets.none') });

type AmountField = 'price' | 'minimum' | 'suggested' | 'maximum' | 'minimumNet';

interface Typed {
  draft: ProductDraft;
  t: Texts<CatalogueKey>;
}

/** The name of the field in the form, where it is another one. */
const fieldNames: Partial<Record<AmountField, string>> = { minimumNet: 'minimum_net' };

function readAmount({ draft, t }: Typed, amountField: AmountField, isRequired: boolean): Read<number | null> {
  const { [amountField]: typed, currency } = draft;
  const field = fieldNames[amountField] ?? amountField;
  const label = t(`field.${amountField}`);
  if (!isCurrency(currency)) return { amount: 0 };
  if (typed === '') return isRequired ? faulty(field, t('fault.enter', { field: label })) : { amount: null };
  const reading = parseAmount(typed, currency, t.locale);
  return 'amount' in reading ? reading : faulty(field, amountMessage(reading.fault, { field: label, currency }, t));
}

const faulty = (field: string, message: string) => ({ amount: 0, fault: { field, message } });

function amountMessage(fault: AmountFault, about: { field: string; currency: string }, t: Texts<CatalogueKey>): string {
  const { currency } = about;
  const values = {
    ...about,
    example: exampleAmount(currency, t.locale),
    amount: formatMoney(maxAmount, currency, t.locale),
  };
  return t(amountFaults[fault], values);
}

const amountFaults = {
  too_large: 'fault.large',
  ambiguous: 'fault.unclear',
  too_precise: 'fault.places',
  malformed: 'fault.digits',
} as const satisfies Record<AmountFault, CatalogueKey>;

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
export function formFaultsOf(refusal: DomainError, draft: ProductDraft, t: Texts<CatalogueKey>): FormFault[] {
  const named = faultsOf(refusal, t, { ...fieldOf, 'price.price': draft.isOpen ? 'minimum' : 'price' });
  const words = { ...spoken(t), ...limitWords(draft, t), ...offerFaults(t.locale) };
  return named.map(({ field, message }) => ({ field, message: words[field] ?? message }));
}

/** What the amounts must be, with the amount that they are compared with. */
function limitWords(draft: ProductDraft, t: Texts<CatalogueKey>): Record<string, string> {
  const { currency } = draft;
  if (!isCurrency(currency)) return {};
  const read = (field: AmountField) => readAmount({ draft, t }, field, false).amount ?? 0;
  const [minimum, suggested] = [Math.max(read('minimum'), read('minimumNet')), read('suggested')];
  const amount = (minor: number) => ({ amount: formatMoney(minor, currency, t.locale) });
  return {
    suggested: t('fault.suggested', amount(minimum)),
    maximum:
      suggested > minimum
        ? t('fault.maximum.suggested', amount(suggested))
        : t('fault.maximum.minimum', amount(minimum)),
    preset_amounts: presetWords(currency, t),
  };
}

const spoken = (t: Texts<CatalogueKey>): Readonly<Record<string, string>> => ({
  name: t('fault.name'),
  description: t('fault.description'),
  currency: t('fault.currency'),
  tax_category: t('fault.category'),
  brand_id: t('fault.brand'),
});
