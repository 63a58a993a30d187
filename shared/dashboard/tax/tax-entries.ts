import { taxCategories } from '../../domain/checkout/tax.ts';
import type { DomainError } from '../../domain/errors.ts';
import { amountText } from '../../pages/amount-input.ts';
import { nameCountries } from '../../pages/format.ts';
import { buyerCountries } from '../../tax/places/countries.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import {
  type Entries,
  type Entry,
  type Filled,
  faultsAt,
  hiddenField,
  refusedEntries,
  type Typed,
  typedTexts,
} from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';
import type { DashboardForm } from '../form.ts';
import type { FormFault } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

const { check, choice, date, money, select, text } = kindsOf(dashboardTexts('tax'));

const country = select('country', 'country', {
  label: 'country',
  isRequired: true,
  options: ({ locale }) =>
    nameCountries(buyerCountries, locale).map(({ code, name }) => ({ value: code, label: name })),
});

/** The fields of a registration that can change. */
export const registrationChangeEntries = {
  taxId: text('tax_id', 'tax_id', { label: 'taxId.there', hint: 'taxId.hint', maxLength: 50, isCode: true }),
  scheme: choice('scheme', 'scheme', {
    label: 'scheme',
    options: (t) =>
      (['standard', 'oss', 'simplified'] as const).map((value) => ({
        value,
        label: t(`scheme.${value}`),
        hint: t(`scheme.${value}.hint`),
      })),
  }),
  from: date('active_from', 'active_from', { label: 'from', isRequired: true }),
  until: date('expires_at', 'expires_at', { label: 'until.optional' }),
  /** The merchant's decision about sales to businesses. It is accepted only for places whose rule is unclear. */
  businesses: select('business_buyers', 'business_buyers', {
    label: 'businesses',
    options: (t) => [
      { value: '', label: t('businesses.table') },
      { value: 'relieved', label: t('businesses.relieved') },
      { value: 'charged', label: t('businesses.charged') },
    ],
  }),
} as const satisfies Entries;

export const registrationEntries = {
  country,
  region: text('region', 'region', { label: 'region', maxLength: 60, isCode: true }),
  ...registrationChangeEntries,
} as const satisfies Entries;

interface TaxWords {
  name: TextKey<'tax'>;
  rate: TextKey<'tax'>;
  hint?: TextKey<'tax'>;
}

/** A tax of an override, in one of two rows. An empty row is not sent. */
function taxRow(row: 0 | 1, { name, rate, hint }: TaxWords): Record<'name' | 'rate', Entry> {
  const [nameField, rateField] = [`name_${row + 1}`, `rate_${row + 1}`];
  const applies = (typed: Typed) => typed[nameField] !== '' || typed[rateField] !== '';
  const hinted = (example: (t: Texts<TextKey<'tax'>>) => string) =>
    hint && { hint, values: (t: Texts<TextKey<'tax'>>) => ({ example: example(t) }) };
  return {
    name: {
      ...text(nameField, `components[${row}].name`, {
        ...{ label: name, maxLength: 60, isCode: true, applies },
        ...hinted(() => 'VAT'),
      }),
      read: (typed) => ({ value: typed }),
    },
    rate: {
      ...text(rateField, `components[${row}].rate`, {
        ...{ label: rate, maxLength: 40, isCode: true, applies },
        ...hinted(({ locale }) => amountText(725, 'EUR', locale)),
      }),
      read: (typed) => ({ value: rateOf(typed) }),
    },
  };
}

/**
 * Converts `7.25` percent to `0.0725` by moving its digits. Other text stays unchanged, and the API then refuses it.
 */
export function rateOf(percent: string): string {
  const [, whole = '', places = ''] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s*%?$/.exec(percent) ?? [];
  if (whole === '') return percent;
  const digits = whole.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}${places}`;
}

const first = taxRow(0, { name: 'overrides.name', rate: 'overrides.rate', hint: 'overrides.name.hint' });
const second = taxRow(1, { name: 'overrides.name2', rate: 'overrides.rate2' });

export const overrideEntries = {
  country,
  region: text('region', 'region', { label: 'region.optional', maxLength: 60, isCode: true }),
  postalCodes: text('postal_code_prefix', 'postal_code_prefix', {
    ...{ label: 'overrides.postal', maxLength: 12, isCode: true },
  }),
  category: select('category', 'category', {
    label: 'overrides.category',
    options: (t) => [
      { value: '', label: t('overrides.allCategories') },
      ...taxCategories.map((value) => ({ value, label: t(`category.${value}`) })),
    ],
  }),
  taxability: select('taxability', 'taxability', {
    label: 'overrides.treatment',
    isRequired: true,
    options: (t) =>
      (['taxable', 'zero_rated', 'exempt', 'not_taxable', 'no_tax', 'outside_scope'] as const).map((value) => ({
        value,
        label: t(`treatment.${value}`),
      })),
  }),
  mode: choice('mode', 'mode', {
    label: 'overrides.mode',
    options: (t) => [
      { value: 'replace', label: t('overrides.replace') },
      { value: 'add', label: t('overrides.addTo'), hint: t('overrides.addTo.hint') },
    ],
  }),
  name: first.name,
  rate: first.rate,
  name2: second.name,
  rate2: second.rate,
  from: date('effective_from', 'effective_from', { label: 'from', isRequired: true }),
  until: date('effective_to', 'effective_to', { label: 'until.optional' }),
  reason: text('reason', 'reason', { label: 'overrides.reason', maxLength: 500, isCode: true, isRequired: true }),
  customer: text('customer_id', 'customer_id', {
    ...{ label: 'overrides.customer', maxLength: 40, isCode: true },
    values: () => ({ example: 'cus_…' }),
  }),
  certificate: text('certificate', 'certificate', { label: 'overrides.certificate', maxLength: 100, isCode: true }),
} as const satisfies Entries;

/** The form of a small seller. Its amounts are in euro. */
export const smallSellerEntries = {
  currency: { ...text('currency', 'currency', { label: 'smallSeller', maxLength: 3 }), draw: hiddenField },
  isOneState: check('is_one_state', 'is_one_state', { label: 'smallSeller.oneState' }),
  lastYear: money('last_year', 'last_year', { label: 'smallSeller.lastYear', isRequired: true }),
  thisYear: money('this_year', 'this_year', { label: 'smallSeller.thisYear', isRequired: true }),
} as const satisfies Entries;

/** One of the forms on the page. Different forms have fields with the same names. */
export interface TaxForm {
  entries: Entries;
  fieldId: (name: string) => string;
  /** The fields for faults whose path is not a field. */
  others?: Readonly<Record<string, string>>;
}

export const registrationForm: TaxForm = {
  entries: registrationEntries,
  fieldId: (name) => `registration-${name}`,
};

export const registrationChangeForm = (id: string): TaxForm => ({
  entries: registrationChangeEntries,
  fieldId: (name) => `${name}-${id}`,
});

export const smallSellerForm: TaxForm = { entries: smallSellerEntries, fieldId: (name) => `small-seller-${name}` };

export const overrideForm: TaxForm = {
  entries: overrideEntries,
  fieldId: (name) => `override-${name}`,
  others: { components: 'rate_1' },
};

/** The texts of a posted form. If only the second tax is filled in, it becomes the first. */
export function taxTextsIn({ entries }: TaxForm, form: DashboardForm): Typed {
  const typed = typedTexts(entries, form);
  const { name_1, rate_1, name_2 = '', rate_2 = '' } = typed;
  return name_1 === '' && rate_1 === '' ? { ...typed, name_1: name_2, rate_1: rate_2, name_2: '', rate_2: '' } : typed;
}

/** The API's errors at the fields of the form. */
export const taxFaults = ({ entries, fieldId, others }: TaxForm, refusal: DomainError, filled: Filled): FormFault[] =>
  faultsAt(
    refusedEntries(
      entries,
      refusal,
      { ...filled, t: textsOf(dashboardTexts('tax'), filled, dashboardTexts('faults')) },
      others,
    ),
    fieldId,
  );
