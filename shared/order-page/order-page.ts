import { orderPath } from '../domain/orders/order-link.ts';
import { formatCount, formatDate, formatMoney } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import { layout } from '../pages/layout.ts';
import type { PageContext } from '../pages/page-context.ts';
import { orderTranslator, type TranslateOrder } from '../texts/texts.ts';
import { givenParts } from './gives.ts';
import type { OrderView } from './order-view.ts';

/** The page of an order: first what was bought, then its documents and refunds. It needs no script. */
export function orderPage(view: OrderView): string {
  const t = orderTranslator(view.locale);
  const date = formatDate(view.paidAt, view.locale);
  const main = html`<main id="main" class="outcome">
<h1>${t('title')}</h1>
<p>${t(view.total === 0 ? 'from.free' : 'from', { merchant: view.brand.name, date })}</p>
${goneBack(view, t)}
${view.lines.map((line) => linePart(line, view, t))}
${documentsPart(view, t)}
${refundsPart(view, t)}
<dl class="facts">
<div><dt>${t('order.total')}</dt><dd>${view.total === 0 ? t('order.free') : formatMoney(view.total, view.currency, view.locale)}</dd></div>
<div><dt>${t('receipt.reference')}</dt><dd><code dir="ltr">${view.paymentId}</code></dd></div>
</dl>
<p class="hint">${t('again')}</p>
</main>`;
  return layout(view, { title: t('title'), main });
}

/** What became of a payment that went back, or may go back. */
function goneBack({ state, total, currency, locale }: OrderView, t: TranslateOrder): Html {
  if (state === 'paid' || state === 'free') return html``;
  const amount = formatMoney(total, currency, locale);
  return html`<p><strong>${t(`receipt.${state}`)}</strong>. ${t(`receipt.${state}.text`, { amount })}</p>`;
}

const linePart = (line: OrderView['lines'][number], { locale, paymentId }: OrderView, t: TranslateOrder): Html =>
  html`<section class="part-of-page delivery">
<div class="product">
${line.image && html`<img class="picture" src="${line.image}" alt="" width="56" height="56">`}
<div class="about"><h2 dir="auto">${line.name}</h2>
${line.quantity > 1 && html`<p class="description">${t('quantity', { count: formatCount(line.quantity, locale) })}</p>`}</div>
</div>
${line.keptUntil && !line.end && html`<p class="hint">${t('kept', { date: formatDate(line.keptUntil, locale) })}</p>`}
${line.end ? html`<p class="hint">${t(`end.${line.end}`)}</p>` : givenParts(line, { t, locale, path: orderPath(paymentId) })}</section>
`;

/** The documents, each with its page and its files. For screen readers, each link contains the name of the document. */
const documentsPart = (
  { documents, taxIdUrl, total }: OrderView,
  t: TranslateOrder,
): Html => html`<section class="part-of-page" aria-labelledby="documents-title">
<h2 id="documents-title">${t('receipt.documents')}</h2>
<ul class="recap">${documents.map(({ kind, page, pdf, xml }) => {
  const name = t(total === 0 && kind === 'invoice' ? 'receipt.confirmation' : `document.${kind}`);
  const file = (url: string, format: string) =>
    html` <a href="${url}"><span class="visually-hidden">${name} </span>${format}</a>`;
  return html`<li><a href="${page}">${name}</a><span>${file(pdf, 'PDF')}${xml && html` ·${file(xml, 'XML')}`}</span></li>
`;
})}</ul>
${taxIdUrl && html`<p><a href="${taxIdUrl}">${t('add_tax_id')}</a></p>`}
</section>`;

const refundsPart = ({ refunds, currency, locale }: OrderView, t: TranslateOrder): Html =>
  refunds.length === 0
    ? html``
    : html`<section class="part-of-page" aria-labelledby="refunds-title">
<h2 id="refunds-title">${t('refunds')}</h2>
<ul class="recap">${refunds.map(
        ({ status, amount, createdAt }) =>
          html`<li><span>${formatDate(createdAt, locale)}: ${t(`refund.${status}`)}</span><span>${formatMoney(amount, currency, locale)}</span></li>
`,
      )}</ul>
</section>`;

/** The page for a link that opens no order. It is always the same, so that a reader cannot learn which orders exist. */
export function closedOrderPage(context: PageContext): string {
  const t = orderTranslator(context.locale);
  const main = html`<main id="main" class="outcome">
<h1>${t('closed.title')}</h1>
<p>${t('closed.text', { merchant: context.brand.name })}</p>
</main>`;
  return layout(context, { title: t('closed.title'), main });
}

/** The page that is shown if our service has failed. */
export function failedOrderPage(context: PageContext, reference: string): string {
  const t = orderTranslator(context.locale);
  const main = html`<main id="main" class="outcome">
<h1>${t('failure.title')}</h1>
<p>${t('later')}</p>
<p class="hint">${t('failure.reference', { reference })}</p>
</main>`;
  return layout(context, { title: t('failure.title'), main });
}
