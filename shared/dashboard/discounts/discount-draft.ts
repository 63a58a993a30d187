import type { Discount } from '../../domain/discounts/discount.ts';
import type { DiscountCurrency } from '../../domain/discounts/discount-terms.ts';
import { amountText } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import type { DashboardForm } from '../form.ts';

/** What a code does in one currency, as typed: the amount is what a flat code takes, or the most of a percentage. */
export interface CurrencyRow {
  currency: string;
  amount: string;
  minimum: string;
}

/** The entries of the form of a code, as typed. */
export interface DiscountDraft {
  code: string;
  name: string;
  type: string;
  percent: string;
  /** Of a flat code; the first one is the default currency. */
  flat: CurrencyRow[];
  /** Of a percentage. */
  caps: CurrencyRow[];
  products: string[];
  startsAt: string;
  expiresAt: string;
  usageLimit: string;
  perCustomer: string;
  eligibility: string;
  belowMinimum: boolean;
}

const noRow: CurrencyRow = { currency: '', amount: '', minimum: '' };

/** So many rows are offered beyond those that are filled. */
const spareRows = 2;

const withSpare = (rows: readonly CurrencyRow[]): CurrencyRow[] => [...rows, ...Array(spareRows).fill(noRow)];

export const newDiscountDraft = (currency: string): DiscountDraft => ({
  ...{ code: '', name: '', type: 'percentage', percent: '', startsAt: '', expiresAt: '' },
  ...{ usageLimit: '', perCustomer: '', eligibility: 'any', belowMinimum: false, products: [] },
  flat: withSpare([{ ...noRow, currency }]),
  caps: withSpare([]),
});

/** An instant as the field of a browser shows it, to the minute. */
export const minuteOf = (instant: string | null): string => instant?.slice(0, 16) ?? '';

export function draftOfDiscount(discount: Discount, locale: Locale, currency: string): DiscountDraft {
  const { type, amount, currencies } = discount;
  const sorted = [...currencies].sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
  const rows = sorted.map((row) => typedRow(row, locale));
  const isFlat = type === 'flat';
  return {
    code: discount.code,
    name: discount.name ?? '',
    type,
    percent: isFlat ? '' : percentText(amount, locale),
    flat: withSpare(isFlat ? rows : [{ ...noRow, currency }]),
    caps: withSpare(isFlat ? [] : rows),
    products: discount.restrictedTo,
    startsAt: minuteOf(discount.startsAt),
    expiresAt: minuteOf(discount.expiresAt),
    usageLimit: String(discount.usageLimit ?? ''),
    perCustomer: String(discount.perCustomerLimit ?? ''),
    eligibility: discount.eligibility,
    belowMinimum: discount.belowMinimum,
  };
}

const typedRow = ({ currency, maximum, minimumSubtotal }: DiscountCurrency, locale: Locale): CurrencyRow => ({
  currency,
  amount: maximum === null ? '' : amountText(maximum, currency, locale),
  minimum: minimumSubtotal === 0 ? '' : amountText(minimumSubtotal, currency, locale),
});

/** 1250 → `12.5` */
function percentText(basisPoints: number, locale: Locale): string {
  const text = String(basisPoints / 100);
  return locale === 'en' ? text : text.replace('.', ',');
}

export const draftFromForm = (form: DashboardForm): DiscountDraft => ({
  code: form.text('code'),
  name: form.text('name'),
  type: form.text('type'),
  percent: form.text('percent'),
  flat: rowsIn(form, 'flat'),
  caps: rowsIn(form, 'cap'),
  products: form.all('products'),
  startsAt: form.text('starts_at'),
  expiresAt: form.text('expires_at'),
  usageLimit: form.text('usage_limit'),
  perCustomer: form.text('per_customer'),
  eligibility: form.text('eligibility'),
  belowMinimum: form.has('below_minimum'),
});

/** More rows than any form of ours has; a form with more fields is refused before. */
const mostRows = 60;

function rowsIn(form: DashboardForm, kind: 'flat' | 'cap'): CurrencyRow[] {
  const numbers = Array.from({ length: mostRows }, (_, index) => index).filter((index) =>
    form.has(`${kind}_currency_${index}`),
  );
  return numbers.map((index) => ({
    currency: form.text(`${kind}_currency_${index}`),
    amount: form.text(`${kind}_amount_${index}`),
    minimum: form.text(`${kind}_minimum_${index}`),
  }));
}
