import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { mayOpen } from '../../domain/access/dashboard-pages.ts';
import type { LegalDuty } from '../../domain/reports/legal-duties.ts';
import type { Overview } from '../../domain/reports/overview.ts';
import type { OverviewPeriod } from '../../domain/reports/period.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { Attention } from '../../use-cases/reports/load-attention.ts';
import type { LoadedOverview } from '../../use-cases/reports/load-overview.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { card, dataTable, emptyState } from '../parts.ts';
import { paymentColumns } from '../payments/payment-list-page.ts';
import { type Texts, textsOf } from '../texts.ts';
import { attentionCard } from './attention-card.ts';
import type { ChartName } from './chart-csv.ts';
import { chosenCard } from './chosen-card.ts';
import { countriesCard } from './countries-card.ts';
import { figures } from './figures.ts';
import { givenInPeriodCard } from './given-card.ts';
import { goingLiveCard } from './going-live.ts';
import { lawCard } from './law-card.ts';
import { currencyTabs, overviewAddress, periodNavigation } from './period-navigation.ts';
import { productsCard } from './products-card.ts';
import { revenueCard } from './revenue-card.ts';

interface OverviewView extends LoadedOverview {
  period: OverviewPeriod;
  /** Today in UTC, which is the last day that can be chosen. */
  today: string;
  /** Why the chosen period is not displayed. */
  fault: string | undefined;
  attention: Attention;
  /** The legal duties that the shop does not fulfil yet. */
  duties: readonly LegalDuty[];
  /** The steps before the merchant can sell; null if all are done. */
  steps: Parameters<typeof goingLiveCard>[0] | null;
  /** The setting that names a processor in the merchant's configuration. */
  processorSetting: string;
}

export function overviewPage(frame: Frame, view: OverviewView) {
  const t = textsOf(dashboardTexts('reports'), frame);
  return dashboardAnswer(
    frame,
    {
      title: t('nav./dashboard'),
      section: '/dashboard',
      main: html`${!frame.isSandbox && view.steps && goingLiveCard(view.steps, { ...frame, processorSetting: view.processorSetting }, t)}${attentionCard(concerning(frame, view.attention), t)}${!frame.isSandbox && lawCard(view.duties, t)}
${view.products.length + view.latest.length === 0 ? sellFirst(frame, t) : html`${periodNavigation(view, t)}${view.currencies.length === 0 ? nothingSold(t) : soldSections(view, t)}`}
${view.latest.length > 0 && latestCard(view, t)}${frame.isSandbox && view.steps && goingLiveCard(view.steps, { ...frame, processorSetting: view.processorSetting }, t)}`,
      actions: currencyTabs(view, t),
    },
    { statusCode: view.fault ? 422 : 200 },
  );
}

/** The problems that concern the viewer. Keys concern those who may open their page. */
const concerning = ({ viewer }: Frame, attention: Attention): Attention =>
  mayOpen(viewer, '/dashboard/keys') ? attention : { ...attention, keys: [] };

const sellFirst = (frame: Frame, t: Texts<TextKey<'reports'>>): Html =>
  emptyState(
    t('sellFirst'),
    t(frame.isSandbox ? 'sellFirst.sandbox' : 'sellFirst.live'),
    may(frame, dashboardCommands.products.save)
      ? html`<a class="button" href="/dashboard/products/new">${t('createProduct')}</a>`
      : undefined,
  );

const nothingSold = (t: Texts<TextKey<'reports'>>): Html =>
  emptyState(
    t('nothingSold'),
    t('nothingSold.text'),
    html`<a class="button" href="/dashboard/products">${t('copyLink')}</a>`,
  );

const soldSections = (
  view: OverviewView,
  t: Texts<TextKey<'reports'>>,
): Html => html`${view.isPartial && html`<p class="note wait">${t('partial')}</p>`}
${figures(view.overview, view.period, t)}
${view.overview.spans.length > 1 && revenueCard(view.overview, view.period, fileLink('revenue', view, t), t)}
<div class="columns two cards">${bestAndChosen(view.overview, view, t)}${view.countries.length > 0 && countriesCard(view.countries, fileLink('countries', view, t), t)}${givenInPeriodCard(view.overview, fileLink('given', view, t), t)}</div>`;

/** The link to the file behind a chart. */
const fileLink = (chart: ChartName, { period, overview }: OverviewView, t: Texts<TextKey<'reports'>>): Html =>
  html`<p class="hint file"><a href="${overviewAddress(period, { currency: overview.totals.currency, chart, format: 'csv' })}" download>${t('chart.csv')}</a></p>`;

const bestAndChosen = (overview: Overview, view: OverviewView, t: Texts<TextKey<'reports'>>): Html =>
  html`${overview.products.length > 0 && productsCard(overview, fileLink('products', view, t), t)}${chosenCard(overview, { known: view.products, file: fileLink('chosen', view, t) }, t)}`;

const latestCard = ({ latest, names }: OverviewView, t: Texts<TextKey<'reports'>>): Html =>
  card(
    { name: 'latest', title: t('latest') },
    html`${dataTable(t('latest'), paymentColumns(textsOf(dashboardTexts('paymentList'), t), names), latest)}
<p class="pager"><a href="/dashboard/payments">${t('allPayments')}</a></p>`,
  );
