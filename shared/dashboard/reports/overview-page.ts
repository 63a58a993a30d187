import { amountBands, type DayFigures, type Overview } from '../../domain/reports/overview.ts';
import { type Html, html } from '../../pages/html.ts';
import type { LoadedOverview } from '../../use-cases/reports/load-overview.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { dataTable, emptyState, money } from '../parts.ts';
import { barChart, legendEntry } from './chart.ts';
import { goingLiveCard } from './going-live.ts';

interface OverviewView extends LoadedOverview {
  /** What is missing until a live stack sells; null: nothing. */
  steps: Parameters<typeof goingLiveCard>[0] | null;
}

export const overviewPage = (frame: Frame, view: OverviewView) =>
  dashboardAnswer(frame, {
    title: 'Overview',
    section: '/dashboard',
    main: html`${view.steps && goingLiveCard(view.steps)}${view.currencies.length === 0 ? nothingSold(view, frame) : soldSections(view)}`,
    actions: currencyTabs(view),
  });

const nothingSold = ({ hasProducts }: OverviewView, { isSandbox }: Frame): Html =>
  hasProducts
    ? emptyState(
        'Nothing was sold in the last 30 days',
        'Every product has a link that leads to its checkout. Put it on your site, or send it to somebody.',
        html`<a class="button" href="/dashboard/products">Copy a product’s link</a>`,
      )
    : emptyState(
        'Sell your first product',
        isSandbox
          ? 'Create a product, copy its link, and open it: the sandbox’s test cards let you buy it yourself.'
          : 'Create a product, copy its link, and put it on your site.',
        html`<a class="button" href="/dashboard/products/new">Create a product</a>`,
      );

/** One currency is shown at a time: amounts of two cannot be added. */
const currencyTabs = ({ currencies, overview }: OverviewView): Html | undefined =>
  currencies.length < 2
    ? undefined
    : html`<nav class="tabs" aria-label="Currencies">${currencies.map((code) => html`<a href="${`/dashboard?currency=${code}`}"${code === overview.currency && html` aria-current="true"`}>${code}</a>`)}</nav>`;

const soldSections = (
  view: OverviewView,
): Html => html`${view.isPartial && html`<p class="note wait">There were more than 1,000 payments in these days: the figures cover only the latest 1,000.</p>`}
${figures(view.overview)}
${revenueCard(view.overview)}
${view.overview.chosen.length > 0 && chosenCard(view.overview)}`;

function figures(overview: Overview): Html {
  const { gross, tax, refunded, count, currency } = overview;
  const entries = [
    ['Paid by buyers', money(gross, currency), `${count} ${count === 1 ? 'payment' : 'payments'}`],
    ['Tax included', money(tax, currency), gross > 0 ? `${share(tax, gross)} of what was paid` : ''],
    ['Net', money(gross - tax, currency), 'before refunds'],
    ['Refunded', money(refunded, currency), gross > 0 ? `${share(refunded, gross)} of what was paid` : ''],
    ...feeFigures(overview),
  ] as const;
  return html`<dl class="figures">${entries.map(
    ([
      label,
      figure,
      note,
    ]) => html`<div class="figure"><dt>${label}</dt><dd class="big">${figure}</dd><dd class="hint">${note}</dd></div>
`,
  )}</dl>`;
}

/** Nothing where no fee is known, as with test cards. */
function feeFigures({ gross, refunded, fees, feesUnknown, count, currency }: Overview) {
  if (feesUnknown === count) return [];
  const note = feesUnknown > 0 ? `not known of ${feesUnknown} payments` : `${share(fees, gross)} of what was paid`;
  const left = gross - refunded - fees;
  return [
    ['Processor’s fees', money(fees, currency), note],
    ['Left', `${left < 0 ? '−' : ''}${money(Math.abs(left), currency)}`, 'after refunds and fees'],
  ] as const;
}

const share = (part: number, whole: number): string =>
  `${(Math.round((part / whole) * 1_000) / 10).toLocaleString('en')} %`;

const dayLabel = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const labelOf = (date: string): string => dayLabel.format(new Date(date));

function revenueCard({ days, currency }: Overview): Html {
  const bars = days.map(({ date, net, tax }, index) => ({
    label: (days.length - 1 - index) % 5 === 0 ? labelOf(date) : '',
    title: `${labelOf(date)}: ${money(net + tax, currency)}, including ${money(tax, currency)} tax`,
    parts: [net, tax] as const,
  }));
  const busy = days.filter(({ net, tax }) => net + tax > 0);
  return html`<section class="card" aria-labelledby="revenue-title"><h2 id="revenue-title">Revenue per day</h2>
<div class="scroll from-end" tabindex="0" role="region" aria-label="Revenue per day, chart">${barChart({
    id: 'revenue',
    title: 'Revenue per day, net and tax',
    description: `The last ${days.length} days; something was sold on ${busy.length} of them. The figures follow as a table.`,
    bars,
    format: (value) => shortMoney(value, currency),
  })}</div>
<p class="legend">${legendEntry('bar', 'Net')}${legendEntry('bar tax', 'Tax')}<span>Days in UTC</span></p>
<details><summary>As a table</summary>${dayTable(busy, currency)}</details></section>`;
}

const dayTable = (days: readonly DayFigures[], currency: string): Html =>
  dataTable(
    'Revenue per day',
    [
      { label: 'Day', cell: ({ date }) => labelOf(date) },
      { label: 'Net', isNumber: true, cell: ({ net }) => money(net, currency) },
      { label: 'Tax', isNumber: true, cell: ({ tax }) => money(tax, currency) },
      { label: 'Total', isNumber: true, cell: ({ net, tax }) => money(net + tax, currency) },
    ],
    days.toReversed(),
  );

function chosenCard({ chosen, currency }: Overview): Html {
  const bands = amountBands(chosen, 12);
  const every = Math.ceil(bands.length / 8);
  const bars = bands.map(({ from, to, count }, index) => ({
    label: index % every === 0 ? shortMoney(from, currency) : '',
    title: `${money(from, currency)} to ${money(to, currency)}: ${count}`,
    parts: [count] as const,
  }));
  const middle = chosen.toSorted((a, b) => a - b)[Math.floor((chosen.length - 1) / 2)] ?? 0;
  return html`<section class="card" aria-labelledby="chosen-title"><h2 id="chosen-title">What buyers chose to pay</h2>
<p class="lead">Amounts per unit of products with “pay what you want”. Half of the buyers chose ${money(middle, currency)} or more.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Chosen amounts, chart">${barChart({
    id: 'chosen',
    title: 'How often buyers chose each amount',
    description: `${chosen.length} amounts between ${money(Math.min(...chosen), currency)} and ${money(Math.max(...chosen), currency)}.`,
    bars,
    format: (value) => value.toLocaleString('en'),
  })}</div></section>`;
}

/** An amount in as few characters as a chart has room for. */
function shortMoney(amount: number, currency: string): string {
  return money(amount, currency).replace(/[.](0+)$/, '');
}
