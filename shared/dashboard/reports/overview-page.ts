import type { Overview } from '../../domain/reports/overview.ts';
import type { OverviewPeriod } from '../../domain/reports/period.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Attention } from '../../use-cases/reports/load-attention.ts';
import type { LoadedOverview } from '../../use-cases/reports/load-overview.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { dataTable, emptyState } from '../parts.ts';
import { paymentColumns } from '../payments/payment-list-page.ts';
import { attentionCard } from './attention-card.ts';
import { chosenCard } from './chosen-card.ts';
import { figures } from './figures.ts';
import { goingLiveCard } from './going-live.ts';
import { overviewWords as words } from './overview-words.ts';
import { currencyTabs, periodNavigation } from './period-navigation.ts';
import { productsCard } from './products-card.ts';
import { revenueCard } from './revenue-card.ts';

interface OverviewView extends LoadedOverview {
  period: OverviewPeriod;
  /** Today in UTC, the last day that can be chosen. */
  today: string;
  /** Why the chosen days are not shown. */
  fault: string | undefined;
  attention: Attention;
  /** What is missing until a live stack sells; null: nothing. */
  steps: Parameters<typeof goingLiveCard>[0] | null;
}

export const overviewPage = (frame: Frame, view: OverviewView) =>
  dashboardAnswer(
    frame,
    {
      title: words.title,
      section: '/dashboard',
      main: html`${view.steps && goingLiveCard(view.steps)}${attentionCard(view.attention)}
${view.products.length + view.latest.length === 0 ? sellFirst(frame) : html`${periodNavigation(view)}${view.currencies.length === 0 ? nothingSold : soldSections(view)}`}
${view.latest.length > 0 && latestCard(view)}`,
      actions: currencyTabs(view),
    },
    { statusCode: view.fault ? 422 : 200 },
  );

const sellFirst = ({ isSandbox }: Frame): Html =>
  emptyState(
    words.sellFirst,
    isSandbox ? words.sellFirstInSandbox : words.sellFirstLive,
    html`<a class="button" href="/dashboard/products/new">${words.createProduct}</a>`,
  );

const nothingSold = emptyState(
  words.nothingSold,
  words.nothingSoldText,
  html`<a class="button" href="/dashboard/products">${words.copyLink}</a>`,
);

const soldSections = (
  view: OverviewView,
): Html => html`${view.isPartial && html`<p class="note wait">${words.partial}</p>`}
${figures(view.overview, view.period)}
${view.overview.spans.length > 1 && revenueCard(view.overview, view.period)}
<div class="columns two cards">${bestAndChosen(view.overview, view)}</div>`;

const bestAndChosen = (overview: Overview, { products }: OverviewView): Html =>
  html`${overview.products.length > 0 && productsCard(overview)}${chosenCard(overview, products)}`;

const latestCard = ({
  latest,
  names,
}: OverviewView): Html => html`<section class="card" aria-labelledby="latest-title"><h2 id="latest-title">${words.latest}</h2>
${dataTable(words.latest, paymentColumns(names), latest)}
<p class="pager"><a href="/dashboard/payments">${words.allPayments}</a></p></section>`;
