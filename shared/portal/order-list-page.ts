import { disputeStandingOf, saleStateOf } from '../domain/payments/dispute-standing.ts';
import type { Payment } from '../domain/payments/payment.ts';
import type { PortalSession } from '../domain/portal/portal-access.ts';
import { portalDataPath, portalKeysPath, portalOrderPath, portalPath } from '../domain/portal/portal-path.ts';
import { formatCount, formatDate, formatMoney } from '../pages/format.ts';
import { type Html, html } from '../pages/html.ts';
import { inLanguage } from '../pages/locale.ts';
import { patience } from '../pages/notices/patience.ts';
import type { PageContext } from '../pages/page-context.ts';
import { portalTranslator, type TranslatePortal } from '../texts/texts.ts';
import { portalPage } from './sign-in-pages.ts';

export interface OrderListView {
  orders: readonly Payment[];
  /** Whether this is the first page. */
  isNewest: boolean;
  /** The result if the buyer requested a mail again. */
  again: 'sent' | 'not' | undefined;
  /** The position at which the next page begins; undefined on the last page. */
  older: string | undefined;
}

/** All orders of the session's address, newest first. No page of the portal contains the secret of an order. */
export function orderListPage(
  context: PageContext,
  session: PortalSession,
  { orders, isNewest, older, again }: OrderListView,
): string {
  const { locale } = context;
  const t = portalTranslator(locale);
  const path = inLanguage(portalPath, locale);
  const olderPath = older && `${path}&after=${encodeURIComponent(older)}`;
  return portalPage(
    context,
    t('portal.link'),
    html`<p>${t('signed_in', { email: session.email })}</p>
${again && html`<p role="status">${t(`again.${again}`)}</p>`}
${orders.length === 0 && html`<p>${t('none')}</p>`}
${orders.map((order) => orderPart(order, context, t))}
<p>${!isNewest && html`<a class="quiet" href="${path}">${t('newest')}</a> `}${olderPath !== undefined && html`<a class="quiet" href="${olderPath}">${t('older')}</a>`}</p>
<p><a href="${inLanguage(portalKeysPath, locale)}">${t('keys.title')}</a></p>
<p><a href="${inLanguage(portalDataPath, locale)}">${t('data.title')}</a></p>
${endForm(context, session, t)}`,
  );
}

/** The link back to the merchant, if the merchant requested the session. Empty if a buyer requested it. */
export const wayBack = (merchant: string, { returnUrl }: Pick<PortalSession, 'returnUrl'>, t: TranslatePortal): Html =>
  html`${returnUrl !== null && html`<p><a href="${returnUrl}" rel="noreferrer">${t('receipt.return', { merchant })}</a></p>`}`;

const endForm = (
  { locale, seller }: PageContext,
  session: PortalSession,
  t: TranslatePortal,
): Html => html`${wayBack(seller.name, session, t)}
<form method="post" action="${inLanguage(portalPath, locale)}">
<button class="quiet" name="step" value="end">${t('end')}</button>
</form>`;

function orderPart(order: Payment, { locale, mailsReceipts = false }: PageContext, t: TranslatePortal): Html {
  const { id, lines, createdAt, gross, currency, disputes } = order;
  const state = saleStateOf({
    ...order,
    status: 'succeeded',
    disputeStatus: disputes.at(-1)?.status,
    disputeStanding: disputeStandingOf(order),
  });
  const [first] = lines;
  const date = formatDate(createdAt, locale);
  return html`<article class="part-of-page delivery" aria-labelledby="order-${id}">
<h2 id="order-${id}" dir="auto">${first?.name}</h2>
${lines.slice(1).map(({ name, quantity }) => html`<p dir="auto">${name}${quantity > 1 && html` × ${formatCount(quantity, locale)}`}</p>`)}
<dl class="facts">
<div><dt>${t('receipt.date')}</dt><dd>${date}</dd></div>
<div><dt>${t('order.total')}</dt><dd>${formatMoney(gross, currency, locale)}</dd></div>
<div><dt>${t('state')}</dt><dd>${t(`state.${state}` as 'state.succeeded')}</dd></div>
</dl>
<form method="post" action="${inLanguage(portalOrderPath(id), locale)}">
<button class="pay" name="step" value="open">${t('order.open')}<span class="visually-hidden" dir="auto"> (${first?.name}, ${date})</span></button>
${mailsReceipts && html`<button class="quiet" name="step" value="send"${patience(locale)}>${t('order.send')}<span class="visually-hidden" dir="auto"> (${first?.name}, ${date})</span></button>`}
</form>
</article>
`;
}
