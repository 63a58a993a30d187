import type { Overview } from '../../domain/reports/overview.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TextKey } from '../../texts/texts.ts';
import { card, dataTable, money } from '../parts.ts';
import type { Texts } from '../texts.ts';
import { share } from './figures.ts';

const most = 5;

/** The card with the best-selling products of the period. */
export const productsCard = ({ products, totals }: Overview, file: Html, t: Texts<TextKey<'reports'>>): Html =>
  card(
    { name: 'best', title: t('best') },
    html`<p class="lead">${t('best.text')}</p>
${dataTable(
  t('best'),
  [
    {
      label: t('product'),
      cell: ({ id, name }) => html`<a class="leads" href="/dashboard/products/${id}" dir="auto">${name}</a>`,
    },
    { label: t('units'), isNumber: true, cell: ({ units }) => formatCount(units, t.locale) },
    {
      label: t('revenue'),
      isNumber: true,
      cell: ({ gross, before, currency }) =>
        html`${money(gross, currency, t.locale)}${totals.gross > 0 && html`<span class="hint">${share(gross, totals.gross, t.locale)}</span>`}${before !== null && html`<span class="hint">${t('before', { amount: money(before, currency, t.locale) })}</span>`}`,
    },
  ],
  products.slice(0, most),
)}${file}`,
  );
