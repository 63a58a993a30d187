import type { Payment } from '../../domain/payments/payment.ts';
import { matchingOf, type Payout, partsOf } from '../../domain/payouts/payout.ts';
import { netOf, type PayoutLine } from '../../domain/payouts/payout-line.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { fileCountOf, type PayoutView, partsOfFile } from '../../use-cases/payouts/load-payout.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { card, type DataColumn, dataTable, facts, money, pager, sums } from '../parts.ts';
import { saleColumns } from '../sales/sale-columns.ts';
import { textsOf, withMarkup } from '../texts.ts';
import { matchingText, type PayoutTexts, payoutBadge, payoutMoney } from './payout-words.ts';

const section = '/dashboard/payouts';

/** A payout, what it consists of, and a part of its lines. */
export function payoutPage(frame: Frame, { payout, lines, sales }: PayoutView & Sold, part: number) {
  const t = textsOf(dashboardTexts('payouts'), frame);
  const main = html`<p class="states">${payoutBadge(payout, t)}<span class="soft">${matchingText(payout, t)}</span></p>
${notes(payout, t)}<div class="columns main-aside">
<div class="stack">${lines.length > 0 && linesCard(payout, lines, { part, sales, t })}</div>
<div class="stack">${partsCard(payout, t)}${factsCard(payout, t)}</div>
</div>`;
  return dashboardAnswer(frame, {
    title: t('payout', { amount: payoutMoney(payout, payout.amount, t) }),
    section,
    above: { href: section, label: t('nav./dashboard/payouts') },
    main,
  });
}

const note = (text: Html | string, kind = 'wait'): Html => html`<p class="note ${kind}">${text}</p>
`;

/** What a bookkeeper must know before the figures: why they are missing, or what has become of the money. */
function notes(payout: Payout, t: PayoutTexts): Html {
  const { status, failure, amount, hasKnownUnit, currency } = payout;
  const matching = matchingOf(payout);
  const hasFailed = status === 'failed' || status === 'canceled';
  return html`${hasFailed && note(t('failed.note', { reason: failure ?? t(`status.${status}`) }), 'fault-note')}${matching !== 'matched' && note(t(`note.${matching}`), matching === 'differs' ? 'fault-note' : 'wait')}${amount < 0 && note(t('debit'))}${!hasKnownUnit && note(t('unit', { currency }))}`;
}

/** Sales less fees, refunds and disputes, and everything else by name. The last row is the payout. */
function partsCard(payout: Payout, t: PayoutTexts): Html {
  if (!payout.read.isComplete) return html``;
  const rows = partsOf(payout).map(
    ({ part, total }) => [partName(payout, part, t), payoutMoney(payout, total, t)] as const,
  );
  return card({ name: 'parts', title: t('parts') }, sums([...rows, [t('sum'), payoutMoney(payout, payout.amount, t)]]));
}

function partName({ sums: known }: Payout, part: ReturnType<typeof partsOf>[number]['part'], t: PayoutTexts): string {
  const count = part === 'fees' || part === 'unexplained' ? undefined : known[part]?.count;
  return count === undefined ? t(`part.${part}`) : `${t(`part.${part}`)} (${formatCount(count, t.locale)})`;
}

const factsCard = (payout: Payout, t: PayoutTexts): Html =>
  card(
    { name: 'facts', title: t('facts') },
    facts([
      [t('made'), time(payout.createdAt, t.locale)],
      [t('arrives'), date(payout.arrivesOn, t.locale)],
      [t('destination'), payout.destination === 'card' ? t('destination.card') : t('destination.bank')],
      [t('reference'), html`<code>${payout.id}</code>`],
    ]),
  );

interface Sold {
  /** The payments of the lines. */
  sales: readonly Payment[];
}

interface LinesPart extends Sold {
  part: number;
  t: PayoutTexts;
}

function linesCard(payout: Payout, lines: readonly PayoutLine[], { part, sales, t }: LinesPart): Html {
  const path = `${section}/${payout.id}`;
  const newest = part > 1 ? path : undefined;
  const older = part < payout.read.parts ? `${path}?part=${part + 1}` : undefined;
  const files = payout.read.isComplete ? Array.from({ length: fileCountOf(payout) }, (_, index) => index + 1) : [];
  return card(
    { name: 'lines', title: t('lines') },
    html`${files.length > 0 && html`<p>${files.map((file) => html`<a href="${`${path}?csv=${file}`}" download>${csvLabel(file, files.length, t)}</a> `)}</p>`}${dataTable(t('lines'), columnsOf(payout, sales, t), lines)}${pager(newest, older, t)}`,
  );
}

/** The most lines of a part: what one answer of the processor has. */
const linesOfPart = 100;

function csvLabel(file: number, files: number, t: PayoutTexts): string {
  if (files === 1) return t('csv');
  const size = partsOfFile * linesOfPart;
  const from = formatCount((file - 1) * size + 1, t.locale);
  return t('csv.part', { from, to: formatCount(file * size, t.locale) });
}

const columnsOf = (payout: Payout, sales: readonly Payment[], t: PayoutTexts): readonly DataColumn<PayoutLine>[] => [
  {
    label: t('kind'),
    cell: (line) => html`${kindOf(line, t)}<span class="hint">${time(line.createdAt, t.locale)}</span>`,
  },
  ...saleColumns<PayoutLine>(({ paymentId }) => sales.find(({ id }) => id === paymentId), t),
  {
    label: t('amount'),
    isNumber: true,
    cell: (line) => html`${payoutMoney(payout, line.amount, t)}${originalHint(line, t)}`,
  },
  { label: t('fee'), isNumber: true, cell: ({ fee }) => payoutMoney(payout, 0 - fee, t) },
  { label: t('net'), isNumber: true, cell: (line) => payoutMoney(payout, netOf(line), t) },
];

/** What a line is, with a link to our payment or the processor's words. */
function kindOf({ kind, paymentId, type, note: words }: PayoutLine, t: PayoutTexts): Html {
  const name = t(`part.${kind}`);
  if (paymentId !== null) return html`<a href="/dashboard/payments/${paymentId}">${name}</a>`;
  return html`${name}<span class="hint"><bdi>${words ?? type}</bdi></span>`;
}

/** The amount in the sale's own currency, if the account settles in another one. */
function originalHint({ original }: PayoutLine, t: PayoutTexts): Html {
  if (original === null) return html``;
  const amount = money(original.amount, original.currency, t.locale);
  return html`<span class="hint">${original.rate === null ? amount : withMarkup(t('converted'), { amount: html`${amount}`, rate: html`<bdi>${original.rate}</bdi>` })}</span>`;
}
