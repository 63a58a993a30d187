import { type OverviewPeriod, type PeriodName, periodNames } from '../../domain/reports/period.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import type { LoadedOverview } from '../../use-cases/reports/load-overview.ts';
import type { Texts } from '../texts.ts';

interface Chosen extends Pick<LoadedOverview, 'currencies'> {
  period: OverviewPeriod;
  today: string;
  fault: string | undefined;
  overview: { totals: { currency: string } };
}

const isLinked = (name: PeriodName): name is Exclude<PeriodName, 'custom'> => name !== 'custom';

/** Links for periods that end today, and a form for other days. */
export function periodNavigation(
  { period, today, fault, currencies, overview }: Chosen,
  t: Texts<TextKey<'reports'>>,
): Html {
  const currency = currencies.length > 1 ? overview.totals.currency : undefined;
  const { name, from, to } = period;
  return html`<div class="period"><nav class="tabs" aria-label="${t('period')}">${periodNames.filter(isLinked).map((one) => html`<a href="${addressOf({ period: one, currency })}"${one === name && html` aria-current="true"`}>${t(`period.${one}`)}</a>`)}</nav>
<details${(name === 'custom' || fault) && html` open`}><summary>${t('otherDays')}</summary>
<form class="filters" method="get" action="/dashboard"><input type="hidden" name="period" value="custom">${currency && html`<input type="hidden" name="currency" value="${currency}">`}
<div class="field"><label for="from">${t('from')}</label><input type="date" id="from" name="from" value="${from}" max="${today}" required></div>
<div class="field"><label for="to">${t('to')}</label><input type="date" id="to" name="to" value="${to}" max="${today}" required></div>
<p class="actions"><button class="second">${t('show')}</button></p></form></details></div>
${fault && html`<p class="note fault-note" role="alert">${fault}</p>`}`;
}

/**
 * The links to choose a currency. The page shows one currency at a time, because amounts in different currencies cannot
 * be added.
 */
export const currencyTabs = (
  { currencies, overview, period }: Chosen,
  t: Texts<TextKey<'reports'>>,
): Html | undefined =>
  currencies.length < 2
    ? undefined
    : html`<nav class="tabs" aria-label="${t('currencies')}">${currencies.map((code) => html`<a href="${addressOf({ ...queryOf(period), currency: code })}"${code === overview.totals.currency && html` aria-current="true"`}>${code}</a>`)}</nav>`;

const queryOf = ({ name, from, to }: OverviewPeriod) =>
  name === 'custom' ? { period: name, from, to } : { period: name };

/** The address of the overview with this period and currency, and more parameters. */
export const overviewAddress = (period: OverviewPeriod, more: Readonly<Record<string, string>>): string =>
  addressOf({ ...queryOf(period), ...more });

function addressOf(query: Readonly<Record<string, string | undefined>>): string {
  const named = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/dashboard?${new URLSearchParams(named)}`;
}
