import type { ThresholdStatus, ThresholdWatch } from '../../domain/reports/thresholds.ts';
import { formatCount, nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { thresholdsOf } from '../../tax/thresholds.ts';
import type { TextKey } from '../../texts/texts.ts';
import { dayText, time } from '../dates.ts';
import { badge, card, type DataColumn, dataTable, money } from '../parts.ts';
import { type Texts, withMarkup } from '../texts.ts';

/** The number of limits in the list. It is enough for all limits that are nearly reached. */
const most = 20;

const words = { below: 'thresholds.below', near: 'thresholds.near80', passed: 'thresholds.passed' } as const;
const moods = { below: 'none', near: 'wait', passed: 'bad' } as const;

/** The card with the use of each limit for tax registration, highest use first. */
export function thresholdsCard(
  { checkedAt, statuses }: ThresholdWatch,
  merchantCountry: string,
  t: Texts<TextKey<'tax'>>,
): Html {
  const nearest = statuses.toSorted((a, b) => shareOf(b) - shareOf(a)).slice(0, most);
  return card(
    { name: 'thresholds', title: t('thresholds') },
    html`<p class="lead">${t('thresholds.lead')}</p>
${warning(statuses, t)}${checkedAt === null ? html`<p class="soft">${t('thresholds.notYet')}</p>` : table(nearest, merchantCountry, t)}
${uncompared(statuses, t)}
${checkedAt !== null && html`<p class="hint">${withMarkup(t('thresholds.counted'), { time: time(checkedAt, t.locale) })}</p>`}
<details><summary>${t('thresholds.watched')}</summary>
<p class="hint">${watchedNames(merchantCountry, t.locale).join(', ')}</p>
<p class="hint">${t('thresholds.incomplete')}</p></details>`,
  );
}

/**
 * The countries that have a limit here, each once. States and provinces are not listed separately from their country.
 */
const watchedNames = (merchantCountry: string, locale: Locale): string[] => [
  ...new Set(thresholdsOf(merchantCountry).map(({ id }) => thresholdName(id.split('-')[0] ?? id, locale))),
];

/**
 * Names the limits whose sales could not all be compared, because there is no exchange rate to the limit's currency.
 */
function uncompared(statuses: readonly ThresholdStatus[], t: Texts<TextKey<'tax'>>): Html {
  const names = statuses
    .filter(({ unconverted, limit, level }) => unconverted.length > 0 && limit > 0 && level !== 'passed')
    .map(({ id, currency }) => `${thresholdName(id, t.locale)} (${currency})`);
  return names.length === 0
    ? html``
    : html`<p class="hint">${t('thresholds.uncompared', { names: names.join(', ') })}</p>`;
}

function warning(statuses: readonly ThresholdStatus[], t: Texts<TextKey<'tax'>>): Html {
  const near = statuses.filter(({ level }) => level !== 'below').map(({ id }) => thresholdName(id, t.locale));
  return near.length === 0
    ? html``
    : html`<p class="note wait" role="status">${t('thresholds.near', { names: near.join(', ') })}</p>`;
}

function table(statuses: readonly ThresholdStatus[], merchantCountry: string, t: Texts<TextKey<'tax'>>): Html {
  if (statuses.length === 0) return html`<p class="soft">${t('thresholds.none')}</p>`;
  const sources = new Map(
    thresholdsOf(merchantCountry).map(({ id, source, confidence }) => [
      id,
      html`<span lang="en">${source}</span> (${t(`thresholds.confidence.${confidence}`)})`,
    ]),
  );
  const columns: readonly DataColumn<ThresholdStatus>[] = [
    {
      label: t('thresholds.where'),
      cell: ({ id }) => html`${thresholdName(id, t.locale)}<br><span class="hint">${sources.get(id)}</span>`,
    },
    { label: t('state'), cell: ({ level }) => badge(level, moods[level], t(words[level])) },
    { label: t('thresholds.sold'), isNumber: true, cell: ({ amount, currency }) => money(amount, currency, t.locale) },
    {
      label: t('thresholds.limit'),
      isNumber: true,
      cell: ({ limit, currency }) => (limit === 0 ? t('thresholds.firstSale') : money(limit, currency, t.locale)),
    },
    {
      label: t('thresholds.sales'),
      isNumber: true,
      cell: ({ count, countLimit }) => {
        const counted = formatCount(count, t.locale);
        const limit = countLimit === null ? null : formatCount(countLimit, t.locale);
        return limit === null ? counted : t('thresholds.of', { count: counted, limit });
      },
    },
    {
      label: t('thresholds.since'),
      cell: ({ from, unconverted }) =>
        html`${dayText(from, t.locale)}${unconverted.length > 0 && html`<br><span class="hint">${t('thresholds.without', { currencies: unconverted.join(', ') })}</span>`}`,
    },
  ];
  return dataTable(t('thresholds'), columns, statuses);
}

/** The used percentage of a limit, by amount or by the number of sales. */
const shareOf = ({ amount, limit, count, countLimit }: ThresholdStatus): number =>
  Math.max(limit === 0 ? Math.min(count, 1) : amount / limit, countLimit === null ? 0 : count / countLimit);

/** The place of a limit as text. */
export function thresholdName(id: string, locale: Locale): string {
  const [country = id, region] = id.split('-');
  const name = nameCountries([country], locale)[0]?.name ?? country;
  return region ? `${name}, ${region}` : name;
}
