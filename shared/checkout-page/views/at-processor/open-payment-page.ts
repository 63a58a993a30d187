import { formatMoney } from '../../../pages/format.ts';
import { type Html, html } from '../../../pages/html.ts';
import { layout } from '../../../pages/layout.ts';
import { type Translate, translator } from '../../../pages/locale.ts';
import type { PageContext } from '../../../pages/page-context.ts';
import { changePath, checkoutPath, returnPath } from '../../checkout-path.ts';

interface OpenPaymentView {
  sessionId: string;
  formToken: string;
  /** The payment and where it goes on, for the browser that began it; null for others. */
  own: { total: number; currency: string; url: string } | null;
}

/** Says that the page is about an open payment. */
const openParameter = 'at=processor';

const pollSeconds = 5;

/** The page of a session whose payment is open at the processor: the buyer goes on, or changes something. */
export function openPaymentPage(context: PageContext, view: OpenPaymentView): string {
  const { locale } = context;
  const t = translator(locale);
  const main = html`<main id="main" class="outcome" hx-get="${checkoutPath(view.sessionId, locale)}&${openParameter}" hx-trigger="every ${pollSeconds}s" hx-swap="none">
<h1>${t('open.title')}</h1>
${wayOn(view, locale, t)}
<form method="post" action="${changePath(view.sessionId, locale)}"><input type="hidden" name="token" value="${view.formToken}">
<p><button class="quiet" aria-describedby="change-hint">${t('open.change')}</button></p>
<p class="hint" id="change-hint">${t('open.change.hint')}</p></form>
<p><a href="${returnPath(view.sessionId, locale)}">${t('open.check')}</a></p>
</main>`;
  return layout(context, { title: t('open.title'), main });
}

function wayOn({ own }: OpenPaymentView, locale: PageContext['locale'], t: Translate): Html {
  if (!own) return html`<p>${t('open.elsewhere')}</p>`;
  return html`<p>${t('open.text', { total: formatMoney(own.total, own.currency, locale) })}</p>
<p><a class="pay" href="${own.url}">${t('open.continue')}</a></p>`;
}
