import { isCurrency } from '../../domain/money/currency.ts';
import { amountText } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import type { Filled, Typed } from '../entries.ts';
import { readAmount } from '../entry-kinds.ts';
import type { DashboardForm } from '../form.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';

/** What the amount in a currency's row means: the discount of a flat code, or the maximum discount of a percentage. */
export type RowKind = 'flat' | 'cap';

/** The name of a field of a row: `flat_amount_0`. */
export const rowField = (kind: RowKind, part: 'currency' | 'amount' | 'minimum', index: number): string =>
  `${kind}_${part}_${index}`;

const parts = ['currency', 'amount', 'minimum'] as const;

/** The number of empty rows after the filled ones in a form. */
const spareRows = 2;

/** The most rows that are read from a form. No form of our pages has as many. */
const mostRows = 60;

export interface CurrencyOption {
  currency: string;
  is_default: boolean;
  max_amount_possible: number | null;
  minimum_subtotal: number;
}

/** The texts of the rows in a form, from the values of a code. The default currency comes first. */
export function shownRows(kind: RowKind, options: readonly CurrencyOption[], locale: Locale): Typed {
  const sorted = [...options].sort((a, b) => Number(b.is_default) - Number(a.is_default));
  const rows = sorted.map(({ currency, max_amount_possible: most, minimum_subtotal: least }) => ({
    currency,
    amount: most === null ? '' : amountText(most, currency, locale),
    minimum: least === 0 ? '' : amountText(least, currency, locale),
  }));
  const spare = Array.from({ length: spareRows }, () => ({ currency: '', amount: '', minimum: '' }));
  return Object.fromEntries(
    [...rows, ...spare].flatMap((row, index) => parts.map((part) => [rowField(kind, part, index), row[part]])),
  );
}

/** The fields of the rows, as the merchant has typed them. */
export const typedRows = (kind: RowKind, form: DashboardForm): Typed =>
  Object.fromEntries(
    Array.from({ length: mostRows }, (_, index) => index)
      .filter((index) => form.has(rowField(kind, 'currency', index)))
      .flatMap((index) => parts.map((part) => rowField(kind, part, index)))
      .map((name) => [name, form.text(name)]),
  );

/** The indexes of the rows in a form. */
export const filledRows = (kind: RowKind, typed: Typed): number[] =>
  Array.from({ length: mostRows }, (_, index) => index).filter((index) => rowField(kind, 'currency', index) in typed);

const rowAt = (kind: RowKind, index: number, typed: Typed) => ({
  index,
  currency: typed[rowField(kind, 'currency', index)] ?? '',
  amount: typed[rowField(kind, 'amount', index)] ?? '',
  minimum: typed[rowField(kind, 'minimum', index)] ?? '',
});

export const isRowEmpty = (kind: RowKind, index: number, typed: Typed): boolean =>
  parts.every((part) => !typed[rowField(kind, part, index)]);

/**
 * Whether a row is used. The first row of a flat code is always used, because a flat code needs an amount. Its other
 * rows are used only if they have an amount or a minimum.
 */
const isFilled = (kind: RowKind, { currency, amount, minimum, index }: ReturnType<typeof rowAt>): boolean =>
  amount !== '' || minimum !== '' || (kind === 'cap' ? currency !== '' : index === 0);

/** Reads the rows in the form of the API, with the default currency first. Also returns the faults. */
export function readRows(kind: RowKind, { typed, locale }: Filled): { options: CurrencyOption[]; faults: FormFault[] } {
  const t = textsOf(dashboardTexts('discounts'), { locale });
  const faults: FormFault[] = [];
  const filled = filledRows(kind, typed)
    .map((index) => rowAt(kind, index, typed))
    .filter((row) => isFilled(kind, row));
  const named = filled.map((row) => row.currency);
  const amountIn = (
    name: string,
    text: string,
    { currency, isPositive }: { currency: string; isPositive: boolean },
  ) => {
    const { value, fault = isPositive && value === 0 ? t('fault.amount.missing') : undefined } = readAmount(
      text || '0',
      { currency, locale },
    );
    if (fault !== undefined) faults.push({ field: name, message: fault });
    return value;
  };
  const options = filled.flatMap(({ currency, amount, minimum, index }, at): CurrencyOption[] => {
    const field = rowField(kind, 'currency', index);
    if (!isCurrency(currency)) {
      faults.push({ field, message: t('fault.currency') });
      return [];
    }
    if (named.indexOf(currency) < at) faults.push({ field, message: t('fault.currency.twice') });
    const most = { name: rowField(kind, 'amount', index), isNeeded: kind === 'flat' || amount !== '' };
    return [
      {
        currency,
        max_amount_possible: most.isNeeded ? amountIn(most.name, amount, { currency, isPositive: true }) : null,
        minimum_subtotal: amountIn(rowField(kind, 'minimum', index), minimum, { currency, isPositive: false }),
        is_default: at === 0,
      },
    ];
  });
  return { options, faults };
}
