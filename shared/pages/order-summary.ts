import { lineAmount } from '../domain/checkout/priced-item.ts';
import { type PageKey, type Translate, translator } from '../texts/texts.ts';
import { formatCount, formatMoney } from './format.ts';
import { type Html, html } from './html.ts';
import type { Locale } from './locale.ts';
import { taxLabel } from './tax-label.ts';
import type { TaxRow, Totals } from './totals.ts';

export interface SummaryLine {
  name: string;
  description: string;
  image: string | null;
  quantity: number;
  /** The amount of one unit; null until the buyer chooses it. */
  unitAmount: number | null;
  taxInclusive: boolean;
}

interface Money {
  currency: string;
  locale: Locale;
}

/** The lines of the order. If only some prices include tax, each line says whether its price does. */
export function summaryLines(
  lines: readonly SummaryLine[],
  money: Money,
  below: (index: number) => Html | undefined = () => undefined,
): Html {
  const t = translator(money.locale);
  const differ = new Set(lines.map(({ taxInclusive }) => taxInclusive)).size > 1;
  const note = ({ taxInclusive }: SummaryLine) => (taxInclusive ? t('order.inclusive') : t('order.exclusive'));
  return html`<ul class="lines">
${lines.map((line, index) => summaryLine(line, { ...money, note: differ && note(line) }, below(index)))}</ul>`;
}

/** A line of the order. `below` is the field in which the buyer changes it. */
const summaryLine = (
  line: SummaryLine,
  money: Money & { note: string | false },
  below?: Html,
): Html => html`<li class="line">
<div class="product">
${line.image && html`<img class="picture" src="${line.image}" alt="" width="56" height="56">`}
<div class="about"><p class="name" dir="auto">${line.name}</p>
${line.description && html`<p class="description" dir="auto">${line.description}</p>`}</div>
<p class="price">${linePrice(line, money)}${money.note && html`<span class="each">${money.note}</span>`}</p>
</div>
${below}</li>
`;

function linePrice({ quantity, unitAmount }: SummaryLine, { currency, locale }: Money): Html {
  if (unitAmount === null) return html`<span aria-hidden="true">–</span>`;
  if (unitAmount === 0) return html`${translator(locale)('order.free')}`;
  const each = formatMoney(unitAmount, currency, locale);
  if (quantity === 1) return html`${each}`;
  const count = formatCount(quantity, locale);
  return html`${formatMoney(lineAmount({ quantity, unitAmount }), currency, locale)}<span class="each">${count} × ${each}</span>`;
}

/** The subtotal without tax, one row for each tax, and the total. It has the same form for all orders. */
export function totalsTable(totals: Totals, money: Money, hint?: PageKey | null): Html {
  const t = translator(money.locale);
  const taxes = totals.taxes.map((row) => taxRow(row, money, t));
  const rows = [...discountRows(totals, money, t), subtotalRow(totals, money, t), ...taxes, totalRow(totals, money, t)];
  return html`<dl class="totals">
${rows}</dl>
<p class="hint">${hint && t(hint)}</p>`;
}

const row = (className: string, label: string | Html, value: string): Html =>
  html`<div class="${className}"><dt>${label}</dt><dd>${value}</dd></div>
`;

/** A row for the discount of each code. */
function discountRows({ discount = 0, codes = [] }: Totals, { currency, locale }: Money, t: Translate): Html[] {
  if (discount === 0) return [];
  const money = (amount: number) => formatMoney(-amount, currency, locale);
  if (codes.length === 0) return [row('part', t('order.discount'), money(discount))];
  const taking = codes.filter(({ amount }) => amount > 0);
  return taking.map(({ code, amount }) =>
    row('part', html`${t('order.discount')} <bdi class="code">${code}</bdi>`, money(amount)),
  );
}

const subtotalRow = (totals: Totals, { currency, locale }: Money, t: Translate): Html =>
  totals.net === null || awaitsTax(totals)
    ? html``
    : row('part', t('order.subtotal'), formatMoney(totals.net, currency, locale));

function totalRow(totals: Totals, money: Money, t: Translate): Html {
  const { label, amount } = whatIsDue(totals, money, t);
  return row('total', label, amount);
}

/** Whether only the tax is still unknown. */
const awaitsTax = ({ total, net }: Totals): boolean => total === null && net !== null;

/** The label and the amount due. It is the total, or a subtotal while the tax is unknown. */
export function whatIsDue(
  totals: Totals,
  { currency, locale }: Money,
  t: Translate,
): { label: string; amount: string } {
  const known = totals.total ?? totals.net ?? totals.displayed ?? null;
  const amount = known === null ? '–' : totals.total === 0 ? t('order.free') : formatMoney(known, currency, locale);
  return { label: t(labelOf(totals)), amount };
}

/**
 * The label of the amount due. A sum that contains prices with and without tax is not called a subtotal without tax.
 */
function labelOf({ total, net, displayed = null }: Totals): PageKey {
  if (total !== null || (net === null && displayed === null)) return 'order.total';
  return net === null ? 'order.displayed' : 'order.subtotal';
}

function taxRow(tax: TaxRow, { currency, locale }: Money, t: Translate): Html {
  const label = taxLabel(tax, locale, t);
  const isWording = tax.kind === 'exempt' || tax.kind === 'reverse_charge';
  return isWording
    ? html`<div class="part wording"><dt>${label}</dt><dd></dd></div>
`
    : row('part', label, formatMoney(tax.amount, currency, locale));
}
