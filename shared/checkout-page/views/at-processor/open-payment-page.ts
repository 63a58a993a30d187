import { formatMoney } from '../../../pages/format.ts';
import { type Html, html } from '../../../pages/html.ts';
import { layout } from '../../../pages/layout.ts';
import type { PageContext } from '../../../pages/page-context.ts';
import { type Translate, translator } from '../../../texts/texts.ts';
import { changePath, checkoutPath, returnPath } from '../../checkout-path.ts';

interface OpenPaymentView {
  sessionId: string;
  formToken: string;
  /** The payment and its address at the processor, for the browser that started it; null for others. */
  own: { total: number; currency: string; url: string } | null;
}

/**
 * The query parameter that the open page sends when it checks its state. It tells the server which page the buyer sees.
 */
const openParameter = 'at=processor';

const pollSeconds = 5;

/**
 * The page of a session whose payment is open at the processor. The buyer continues, or changes the order. Others who
 * know the session's address learn only that a payment is in progress, and cannot change it.
 */
export function openPaymentPage(context: PageContext, view: OpenPaymentView): string {
  const { locale } = context;
  const t = translator(locale);
  const title = t(view.own ? 'open.title' : 'open.elsewhere.title');
  const main = html`<main id="main" class="outcome" hx-get="${checkoutPath(view.sessionId, locale)}&${openParameter}" hx-trigger="every ${pollSeconds}s" hx-swap="none">
<h1>${title}</h1>
${view.own ? waysOn(view, view.own, { locale, t }) : html`<p>${t('open.elsewhere')}</p>`}
<p><a href="${returnPath(view.sessionId, locale)}">${t('open.check')}</a></p>
</main>`;
  return layout(context, { title, main });
}

type Own = NonNullable<OpenPaymentView['own']>;

const waysOn = (
  { sessionId, formToken }: OpenPaymentView,
  { total, currency, url }: Own,
  { locale, t }: { locale: PageContext['locale']; t: Translate },
): Html => html`<p>${t('open.text', { total: formatMoney(total, currency, locale) })}</p>
<p><a class="pay" href="${url}">${t('open.continue')}</a></p>
<form method="post" action="${changePath(sessionId, locale)}"><input type="hidden" name="token" value="${formToken}">
<p><button class="quiet" aria-describedby="change-hint">${t('open.change')}</button></p>
<p class="hint" id="change-hint">${t('open.change.hint')}</p></form>`;
