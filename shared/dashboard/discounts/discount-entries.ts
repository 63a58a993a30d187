import { type CountedDiscount, type Discount, eligibilities } from '../../domain/discounts/discount.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { presentDiscount } from '../../wire/discounts/discount.ts';
import {
  type Entry,
  type Filled,
  jsonOf,
  type Reading,
  refusedEntries,
  shownTexts,
  type Typed,
  typedTexts,
} from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';
import type { DashboardForm } from '../form.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';
import { readRows, shownRows, typedRows } from './currency-rows.ts';

const { check, choice, instant, list, text } = kindsOf(dashboardTexts('discounts'));

const isFlat = (typed: Typed): boolean => typed['type'] === 'flat';

const inWords = (filled: Filled, key: TextKey<'discounts'>): string =>
  textsOf(dashboardTexts('discounts'), filled)(key);

/** The discount of a percentage code, typed in percent. */
const percent: Entry = {
  ...text('percent', 'amount', { label: 'field.percent', maxLength: 40, refused: 'fault.percent' }),
  applies: (typed) => !isFlat(typed),
  show: (value, { locale }) => percentText(value as number, locale),
  read: (typed, filled) => {
    const basisPoints = readPercent(typed);
    return basisPoints === null ? { value: 1, fault: inWords(filled, 'fault.percent') } : { value: basisPoints };
  },
};

/** Basis points as a percentage in the format of the language: 1250 → `12.5`. */
function percentText(basisPoints: number, locale: Locale): string {
  const shown = String(basisPoints / 100);
  return locale === 'en' ? shown : shown.replace('.', ',');
}

/**
 * A typed percentage in basis points, without floating point: `12.5` or `12,5 %` → 1250. Null if it is not above 0 and
 * at most 100.
 */
function readPercent(typed: string): number | null {
  const [, whole, places = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(typed) ?? [];
  if (whole === undefined) return null;
  const basisPoints = Number(whole + places.padEnd(2, '0'));
  return basisPoints > 0 && basisPoints <= 10_000 ? basisPoints : null;
}

function readLimit(typed: string, filled: Filled): Reading {
  if (typed === '') return { value: null };
  if (/^[1-9]\d{0,8}$/.test(typed)) return { value: Number(typed) };
  return { value: null, fault: inWords(filled, 'fault.limit') };
}

const limit = (
  name: string,
  path: string,
  label: 'field.limit' | 'field.perCustomer',
  refused: TextKey<'discounts'>,
): Entry => ({
  ...text(name, path, { label, maxLength: 40, refused }),
  read: readLimit,
});

const hinted: readonly string[] = ['first_time', 'specific'];

/** The fields of a code, except those for its currencies. */
export const discountEntries = {
  type: choice('type', 'type', {
    label: 'field.type',
    options: (t) =>
      (['percentage', 'flat'] as const).map((value) => ({
        value,
        label: t(`type.${value}`),
        hint: t(`type.${value}.hint`),
      })),
  }),
  code: text('code', 'code', { label: 'field.code', maxLength: 16, isCode: true, refused: 'fault.code' }),
  percent,
  products: list('products', 'restricted_to', { label: 'fold.products', refused: 'fault.products' }),
  starts: instant('starts_at', 'starts_at', { label: 'field.starts', unread: 'fault.time', refused: 'fault.time' }),
  expires: instant('expires_at', 'expires_at', {
    label: 'field.expires',
    unread: 'fault.time',
    refused: 'fault.expires',
  }),
  usageLimit: limit('usage_limit', 'usage_limit', 'field.limit', 'fault.limit.used'),
  perCustomer: limit('per_customer', 'per_customer_usage_limit', 'field.perCustomer', 'fault.perCustomer'),
  eligibility: choice('eligibility', 'customer_eligibility', {
    label: 'field.eligibility',
    options: (t) =>
      eligibilities.map((value) => ({
        value,
        label: t(`eligibility.${value}`),
        ...(hinted.includes(value) && { hint: t(`eligibility.${value}.hint` as TextKey<'discounts'>) }),
      })),
  }),
  belowMinimum: check('below_minimum', 'below_minimum', { label: 'field.below' }),
  combinable: check('combinable', 'combinable', { label: 'field.combinable' }),
  name: text('name', 'name', { label: 'field.name', maxLength: 100, refused: 'fault.name' }),
} as const satisfies Readonly<Record<string, Entry>>;

export const chosenProducts = ({ products = '' }: Typed): string[] => products.split(' ').filter((id) => id !== '');

/** The texts of the form for a code. If the code has no flat amounts, the first row proposes the given currency. */
export function textsOfDiscount(discount: Discount, { locale, currency }: { locale: Locale; currency: string }): Typed {
  const json = presentDiscount({ businessId: '', publicUrl: '' })({ discount, used: 0 });
  const rows = { flat: [], cap: [], [discount.type === 'flat' ? 'flat' : 'cap']: json.currency_options };
  return {
    ...shownRows('cap', rows.cap, locale),
    ...flatRows(rows.flat, currency, locale),
    ...shownTexts(discountEntries, json, locale),
  };
}

function flatRows(options: Parameters<typeof shownRows>[1], currency: string, locale: Locale): Typed {
  if (options.length > 0) return shownRows('flat', options, locale);
  const proposed = { currency, is_default: true, max_amount_possible: null, minimum_subtotal: 0 };
  return shownRows('flat', [proposed], locale);
}

export const newDiscountTexts = (currency: string, locale: Locale): Typed => ({
  ...shownRows('cap', [], locale),
  ...flatRows([], currency, locale),
  ...shownTexts(discountEntries, { type: 'percentage', customer_eligibility: 'any' }, locale),
});

export const discountTextsIn = (form: DashboardForm): Typed => ({
  ...typedRows('flat', form),
  ...typedRows('cap', form),
  ...typedTexts(discountEntries, form),
});

/**
 * Makes the body of an API call from the form, and returns the faults. A time that was not changed keeps its seconds.
 */
export function discountJson(filled: Filled, known: Discount | null) {
  const { json, faults } = jsonOf(discountEntries, filled);
  const rows = readRows(isFlat(filled.typed) ? 'flat' : 'cap', filled);
  const flat = isFlat(filled.typed) && { amount: rows.options[0]?.max_amount_possible || 1 };
  const before = { starts_at: known?.startsAt, expires_at: known?.expiresAt };
  const kept = Object.entries(before).filter(([name, at]) => at && at.slice(0, 16) === filled.typed[name]);
  return {
    body: { ...json, ...flat, currency_options: rows.options, ...Object.fromEntries(kept) },
    faults: [...faults, ...rows.faults],
  };
}

/** The faults of a refused code, with the texts of the page, at the fields of the form. */
export function discountFaults(refusal: DomainError, filled: Filled, used: CountedDiscount['used']): FormFault[] {
  const t = textsOf(dashboardTexts('discounts'), filled, dashboardTexts('faults'));
  if (refusal.code === 'DISCOUNT_CODE_ALREADY_EXISTS') return [{ field: 'code', message: t('fault.code.taken') }];
  const others = { type: 'type_percentage', currency_options: 'flat_currency_0' };
  return refusedEntries(discountEntries, refusal, { ...filled, t }, others).map(({ field, message }) => ({
    field,
    message: message.replace('{used}', String(used)),
  }));
}
