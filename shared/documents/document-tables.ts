import {
  type Document,
  type DocumentLine,
  isFreeOrder,
  type RateGroup,
  type ReliefWording,
  returnsMoney,
} from '../domain/documents/document.ts';
import { formatCount, formatMoney, formatUnitPrice } from '../pages/format.ts';
import type { Locale } from '../pages/locale.ts';
import { taxLabel } from '../pages/tax-label.ts';
import { type TaxRow, totalsOf } from '../pages/totals.ts';
import { type TranslateDocument, translator } from '../texts/texts.ts';

/** A piece of text in a cell. Labels are drawn lighter than values. */
export interface Text {
  text: string;
  isLabel?: boolean;
}

export type DocumentCell = readonly Text[];

export interface DocumentColumn {
  label: string;
  isNumeric: boolean;
}

export interface ViewTable {
  title: string;
  columns: readonly DocumentColumn[];
  rows: readonly (readonly DocumentCell[])[];
}

export interface LabelledValue {
  label: string;
  value: string;
}

export interface Total extends LabelledValue {
  /** The row of the paid or refunded total. Other rows are its parts. */
  isTotal: boolean;
}

interface Money {
  currency: string;
  locale: Locale;
}

/** The lines of a document. Invoices show quantity and price. If there is no tax, the net is not printed. */
export function linesTable(document: Document, locale: Locale, t: TranslateDocument): ViewTable {
  const money = { currency: document.currency, locale };
  const isTaxed = taxesOf(document, document.groups).length > 0;
  const isCounted = document.kind === 'INV';
  const columns = [
    { label: t('line.name'), isNumeric: false, cell: ({ name }: DocumentLine) => [{ text: name }] },
    ...(isCounted ? countedColumns(document, money, t) : []),
    ...(isTaxed ? taxedColumns(document, money, t) : []),
    {
      label: t('line.gross'),
      isNumeric: true,
      cell: (line: DocumentLine) => [{ text: printedAmount(document, line, locale) }],
    },
  ];
  return {
    title: translator(locale)('order.title'),
    columns: columns.map(({ label, isNumeric }) => ({ label, isNumeric })),
    rows: document.lines.map((line) => columns.map(({ cell }) => cell(line))),
  };
}

interface LineColumn extends DocumentColumn {
  cell: (line: DocumentLine) => DocumentCell;
}

const countedColumns = (document: Document, money: Money, t: TranslateDocument): LineColumn[] => [
  {
    label: t('line.quantity'),
    isNumeric: true,
    cell: ({ quantity }) => (quantity === null ? [] : [{ text: formatCount(quantity, money.locale) }]),
  },
  {
    label: t('line.unit'),
    isNumeric: true,
    cell: (line) => unitCell(line, { ...money, differ: hasBothPrices(document) }, t),
  },
];

/** Whether some prices include the tax and others do not. */
const hasBothPrices = ({ lines }: Document): boolean => new Set(lines.map(({ taxInclusive }) => taxInclusive)).size > 1;

/**
 * The displayed price. If it includes tax, the price without tax is printed too (VAT Directive, art. 226(8)). If only
 * some prices include tax, each price says whether it does.
 */
function unitCell(line: DocumentLine, money: Money & { differ: boolean }, t: TranslateDocument): DocumentCell {
  const { unitAmount, netUnitPrice, taxInclusive, tax } = line;
  if (unitAmount === null) return [];
  const kind = t(taxInclusive ? 'line.inclusive' : 'line.exclusive');
  const displayed = [
    { text: formatMoney(unitAmount, money.currency, money.locale) },
    ...(money.differ ? [{ text: kind, isLabel: true }] : []),
    ...discountOf(line, money),
  ];
  if (netUnitPrice === undefined || !taxInclusive || tax === 0) return displayed;
  const price = formatUnitPrice(netUnitPrice, money.currency, money.locale);
  return [...displayed, { text: t('line.unit_net', { price }), isLabel: true }];
}

/**
 * The discount on the line. It is printed because the price beside it is the one before the discount (VAT Directive,
 * art. 226(8)).
 */
const discountOf = ({ discount }: DocumentLine, money: Money): DocumentCell =>
  discount === undefined
    ? []
    : [
        {
          text: `${translator(money.locale)('order.discount')} ${formatMoney(-discount, money.currency, money.locale)}`,
          isLabel: true,
        },
      ];

const taxedColumns = (document: Document, money: Money, t: TranslateDocument): LineColumn[] => [
  {
    label: t('line.net'),
    isNumeric: true,
    cell: ({ net }) => [{ text: formatMoney(net, money.currency, money.locale) }],
  },
  {
    label: t('line.tax'),
    isNumeric: true,
    cell: (line) => taxesOf(document, [line]).flatMap((row) => taxCell(row, money, t)),
  },
];

/** The name, rate and amount of a tax: `VAT 19 %`. If the law waives the tax, it is a text without an amount. */
function taxCell(row: TaxRow, money: Money, t: TranslateDocument): DocumentCell {
  const label = { text: rateLabel(row, money.locale, t), isLabel: true };
  return hasAmount(row) ? [label, { text: formatMoney(row.amount, money.currency, money.locale) }] : [label];
}

const hasAmount = ({ kind }: TaxRow): boolean => kind === 'charged';

/** A tax by name and rate. */
function rateLabel(row: TaxRow, locale: Locale, t: TranslateDocument): string {
  if (row.kind === 'reverse_charge') return t('reverse_charge');
  return labelOf(row, locale);
}

/** Formats a rate as on the checkout page. */
const labelOf = (row: TaxRow, locale: Locale): string => taxLabel(row, locale, translator(locale));

/** Text keys that name the reverse charge. For other reasons, the law requires no label beside a line. */
const labelled: ReadonlySet<ReliefWording['kind']> = new Set(['reverse_charge', 'payable_under_reverse_charge']);

/** The printed taxes of some lines or groups. A free order has none. */
const taxesOf = (document: Document, parts: readonly (DocumentLine | RateGroup)[]): TaxRow[] =>
  isFreeOrder(document)
    ? []
    : totalsOf(parts).taxes.filter(({ kind }) => kind !== 'reverse_charge' || labelled.has(document.relief.kind));

/** The table of taxes. Each rate appears once, even if some prices include the tax and others do not. */
export function taxesTable(document: Document, locale: Locale, t: TranslateDocument): ViewTable | null {
  const taxes = taxesOf(document, document.groups);
  if (taxes.length === 0) return null;
  const money = { currency: document.currency, locale };
  return {
    title: t('taxes.title'),
    columns: [
      { label: t('taxes.rate'), isNumeric: false },
      { label: t('taxes.net'), isNumeric: true },
      { label: t('taxes.amount'), isNumeric: true },
    ],
    rows: taxes.map((tax) => [
      [{ text: rateLabel(tax, locale, t) }],
      [{ text: formatMoney(tax.net, money.currency, money.locale) }],
      [{ text: formatMoney(tax.amount, money.currency, money.locale) }],
    ]),
  };
}

/** The tax in the local currency. It is printed below all amounts in the sale's currency. */
const localTaxRows = ({ localTax }: Document, locale: Locale, t: TranslateDocument): Total[] =>
  localTax
    ? [
        {
          label: t('local_tax', { currency: localTax.currency }),
          value: formatMoney(localTax.tax, localTax.currency, locale),
          isTotal: false,
        },
      ]
    : [];

/**
 * The subtotal without tax, each tax once, and the total. The form is the same for every cart. An invoice is already
 * paid, so no amount is due. A free order has no amounts but says that it is free.
 */
export function totalsOfDocument(document: Document, locale: Locale, t: TranslateDocument): Total[] {
  const money = { currency: document.currency, locale };
  const row = (label: string, amount: number, isTotal = false) => ({
    label,
    value: formatMoney(amount, money.currency, money.locale),
    isTotal,
  });
  const taxes = taxesOf(document, document.groups);
  const charged = taxes.filter(hasAmount).map((tax) => row(labelOf(tax, locale), tax.amount));
  return [
    ...(taxes.length > 0 ? [row(t('subtotal'), document.net), ...charged] : []),
    { ...row(t('total'), document.gross, true), ...(isFreeOrder(document) && { value: free(locale) }) },
    ...movedRows(document, row, locale, t),
    ...localTaxRows(document, locale, t),
  ];
}

/** The amount of a line with its tax. In a free order, it is a word. */
export const printedAmount = (document: Document, { gross }: DocumentLine, locale: Locale): string =>
  isFreeOrder(document) ? free(locale) : formatMoney(gross, document.currency, locale);

/** The word for an amount of nothing. */
export const free = (locale: Locale): string => translator(locale)('order.free');

/** The rows that say what was paid or refunded. */
function movedRows(
  document: Document,
  row: (label: string, amount: number) => Total,
  locale: Locale,
  t: TranslateDocument,
): Total[] {
  if (isFreeOrder(document)) return [];
  if (document.kind === 'INV') return [row(t('paid_total'), document.gross), row(t('due'), 0)];
  return returnsMoney(document) ? [row(translator(locale)('receipt.refunded'), 0 - document.gross)] : [];
}
