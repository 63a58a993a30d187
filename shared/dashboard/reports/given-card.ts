import type { Overview } from '../../domain/reports/overview.ts';
import type { GivenCounts } from '../../domain/reports/sales.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import { card, dataTable } from '../parts.ts';
import type { Texts } from '../texts.ts';

/** What sales are to give, by kind, beside the previous period. Empty if nothing, or if it is not known for all sales. */
export function givenRows({ totals, before }: Overview) {
  const { given } = totals;
  if (!given) return [];
  const rows = (Object.keys(given) as (keyof GivenCounts)[]).map((kind) => ({
    kind,
    count: given[kind],
    before: before?.given?.[kind] ?? null,
  }));
  return rows.filter(({ count, before: earlier }) => count + (earlier ?? 0) > 0);
}

/** The card with what the sales of the period are to give. It does not count what buyers have downloaded. */
export function givenInPeriodCard(overview: Overview, file: Html, t: Texts<TextKey<'reports'>>): Html {
  const rows = givenRows(overview);
  if (rows.length === 0) return html``;
  const columns = [
    { label: t('given.kind'), cell: ({ kind }: (typeof rows)[number]) => t(`given.${kind}`) },
    {
      label: t('given.count'),
      isNumber: true,
      cell: ({ count, before }: (typeof rows)[number]) =>
        html`${formatCount(count, t.locale)}${before !== null && html`<span class="hint">${t('before', { amount: formatCount(before, t.locale) })}</span>`}`,
    },
  ];
  const table = dataTable(t('given'), columns, rows);
  return card(
    { name: 'given', title: t('given') },
    html`<p class="lead">${t('given.text')}</p>
${table}${file}`,
  );
}
