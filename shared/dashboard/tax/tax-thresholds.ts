import type { ThresholdStatus, ThresholdWatch } from '../../domain/reports/thresholds.ts';
import { nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { thresholdsOf } from '../../tax/thresholds.ts';
import { badge, type DataColumn, dataTable, money, time } from '../parts.ts';

/** Enough for every limit that is near. */
const most = 20;

const words = { below: 'below', near: '80 % used up', passed: 'passed' } as const;
const moods = { below: 'none', near: 'wait', passed: 'bad' } as const;

/** How far the limits are used up from which the merchant has to register, the nearest first. */
export function thresholdsCard({ checkedAt, statuses }: ThresholdWatch, merchantCountry: string): Html {
  const nearest = statuses.toSorted((a, b) => shareOf(b) - shareOf(a)).slice(0, most);
  return html`<section class="card" aria-labelledby="thresholds-title"><h2 id="thresholds-title">Limits of registration</h2>
<p class="lead">From these sales you have to register elsewhere. Counted each day where you are not registered, without tax and before refunds, at the newest exchange rates: an estimate, and no tax advice.</p>
${warning(statuses)}${checkedAt === null ? html`<p class="soft">Not counted yet: the first count is within a day.</p>` : table(nearest, merchantCountry)}
${checkedAt !== null && html`<p class="hint">Counted ${time(checkedAt)}</p>`}</section>`;
}

function warning(statuses: readonly ThresholdStatus[]): Html {
  const near = statuses.filter(({ level }) => level !== 'below').map(({ id }) => thresholdName(id));
  return near.length === 0
    ? html``
    : html`<p class="note wait" role="status">Look at these limits: ${near.join(', ')}.</p>`;
}

function table(statuses: readonly ThresholdStatus[], merchantCountry: string): Html {
  if (statuses.length === 0) return html`<p class="soft">No sales count towards a limit.</p>`;
  const sources = new Map(
    thresholdsOf(merchantCountry).map(({ id, source, confidence }) => [id, `${source} (${confidence})`]),
  );
  const columns: readonly DataColumn<ThresholdStatus>[] = [
    { label: 'Where', cell: ({ id }) => html`${thresholdName(id)}<br><span class="hint">${sources.get(id)}</span>` },
    { label: 'State', cell: ({ level }) => badge(words[level], moods[level]) },
    { label: 'Sold', isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
    {
      label: 'Limit',
      isNumber: true,
      cell: ({ limit, currency }) => (limit === 0 ? 'first sale' : money(limit, currency)),
    },
    {
      label: 'Sales',
      isNumber: true,
      cell: ({ count, countLimit }) => (countLimit === null ? `${count}` : `${count} of ${countLimit}`),
    },
    {
      label: 'Since',
      cell: ({ from, unconverted }) =>
        html`${from}${unconverted.length > 0 && html`<br><span class="hint">without ${unconverted.join(', ')}</span>`}`,
    },
  ];
  return dataTable('Limits of registration', columns, statuses);
}

/** Of the amount or the number of sales. */
const shareOf = ({ amount, limit, count, countLimit }: ThresholdStatus): number =>
  Math.max(limit === 0 ? Math.min(amount, 1) : amount / limit, countLimit === null ? 0 : count / countLimit);

/** The place of a limit, in words. */
export function thresholdName(id: string): string {
  if (id === 'EU') return 'European Union';
  return id.startsWith('US-') ? `United States, ${id.slice('US-'.length)}` : (nameCountries([id], 'en')[0]?.name ?? id);
}
