import { formatMoney } from '../../../pages/format.ts';
import { html } from '../../../pages/html.ts';
import { layout } from '../../../pages/layout.ts';
import type { PageContext } from '../../../pages/page-context.ts';
import { translator } from '../../../texts/texts.ts';
import { checkoutPath, stepPath } from '../../checkout-path.ts';

interface StepView {
  sessionId: string;
  formToken: string;
  total: number;
  currency: string;
  /** Whether the bank asks the buyer to confirm. If not, the payment arrives after some time. */
  asksToConfirm: boolean;
}

/** The page that plays the buyer's bank. */
export function stepPage(context: PageContext, view: StepView): string {
  const { locale } = context;
  const t = translator(locale);
  const total = formatMoney(view.total, view.currency, locale);
  const title = t(view.asksToConfirm ? 'step.title' : 'underway.title');
  const question = html`<p>${t('step.text', { total })}</p>
<form method="post" action="${stepPath(view.sessionId, locale)}"><input type="hidden" name="token" value="${view.formToken}">
<button class="pay" name="step" value="confirmed">${t('step.confirm')}</button>
<p><button class="quiet" name="step" value="refused">${t('step.refuse')}</button></p></form>`;
  const main = html`<main id="main" class="outcome">
<h1>${title}</h1>
${view.asksToConfirm ? question : html`<p>${t('step.later', { total })}</p>`}
<p><a href="${checkoutPath(view.sessionId, locale)}">${t('reopen')}</a></p>
</main>`;
  return layout(context, { title, main });
}
