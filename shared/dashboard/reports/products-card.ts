import type { Overview } from '../../domain/reports/overview.ts';
import { type Html, html } from '../../pages/html.ts';
import { dataTable, money } from '../parts.ts';
import { share } from './figures.ts';
import { overviewWords as words } from './overview-words.ts';

const most = 5;

/** What sold best in the period. */
export const productsCard = ({
  products,
  totals,
}: Overview): Html => html`<section class="card" aria-labelledby="best-title"><h2 id="best-title">${words.best}</h2>
<p class="lead">${words.bestText}</p>
${dataTable(
  words.best,
  [
    {
      label: words.product,
      cell: ({ id, name }) => html`<a class="leads" href="/dashboard/products/${id}" dir="auto">${name}</a>`,
    },
    { label: words.units, isNumber: true, cell: ({ units }) => units.toLocaleString('en') },
    {
      label: words.revenue,
      isNumber: true,
      cell: ({ gross, currency }) =>
        html`${money(gross, currency)}${totals.gross > 0 && html`<span class="hint">${share(gross, totals.gross)}</span>`}`,
    },
  ],
  products.slice(0, most),
)}</section>`;
