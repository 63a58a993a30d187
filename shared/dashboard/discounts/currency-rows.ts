import { isCurrency } from '../../domain/money/currency.ts';
import { amountText } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import { discountsTexts } from '../../texts/texts.ts';
import { type Filled, readAmount, type Typed } from '../entries.ts';
import type { DashboardForm } from '../form.ts';
import type { FormFault } from '../parts.ts';
import { textsOf } from '../texts.ts';

/** What a code does in its currencies: how much a flat code takes off, or at most how much a percentage does. */
export type RowKind = 'flat' | 'cap';

/** The names of the three fields of a row: `flat_amount_0`. */
export const rowField = (kind: RowKind, part: 'currency' | 'amount' | 'minimum', index: number): string =>
  `${kind}_${part}_${index}`;

const parts = ['currency', 'amount', 'minimum'] as const;

/** So many rows are offered beyond those that are filled. */
const spareRows = 2;

/** More rows than any form of ours has; a form with more fields is refused before. */
const mostRows = 60;

export interface CurrencyOption {
  currency: string;
  is_default: boolean;
  max_amount_possible: number | null;
  minimum_subtotal: number;
}

/** The rows of a form that shows a code, the default currency first. */
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

/** The rows of a posted form. */
export const typedRows = (kind: RowKind, form: DashboardForm): Typed =>
  Object.fromEntries(
    Array.from({ length: mostRows }, (_, index) => index)
      .filter((index) => form.has(rowField(kind, 'currency', index)))
      .flatMap((index) => parts.map((part) => rowField(kind, part, index)))
      .map((name) => [name, form.text(name)]),
  );

/** How many rows a form has. */
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

/** The first currency of a flat code counts only with an amount, because the form proposes it. */
const isFilled = (kind: RowKind, { currency, amount, minimum, index }: ReturnType<typeof rowAt>): boolean =>
  amount !== '' || minimum !== '' || (kind === 'cap' ? currency !== '' : index === 0);

/** The currencies as the API takes them, the first one the default, and what cannot be read. */
export function readRows(kind: RowKind, { typed, locale }: Filled): { options: CurrencyOption[]; faults: FormFault[] } {
  const t = textsOf(discountsTexts, { locale });
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
