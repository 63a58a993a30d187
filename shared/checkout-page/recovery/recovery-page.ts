import { firstAmountOf } from '../../domain/catalogue/pay-what-you-want.ts';
import { html } from '../../pages/html.ts';
import { layout, layoutHeaders } from '../../pages/layout.ts';
import { summaryLines } from '../../pages/order-summary.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { checkoutTranslator, recoveryTranslator, translator } from '../../texts/texts.ts';
import type { RecoveryPlan } from '../../use-cases/checkout/plan-recovery.ts';
import { recoverPath } from '../checkout-path.ts';

/**
 * The page of a recovery link. It shows the order that would be opened, its differences from the old order, and a
 * button to the checkout.
 */
export function recoveryPage(context: PageContext, expiredId: string, plan: RecoveryPlan) {
  const { locale, brand } = context;
  const { session, gone, refusedCodes, isPriceChanged } = plan;
  const lines = session.lines.map(({ price, amount, ...line }) => ({
    ...line,
    taxInclusive: price.taxInclusive,
    unitAmount: price.kind === 'fixed' ? price.unitAmount : (amount ?? firstAmountOf(price)),
  }));
  const t = recoveryTranslator(locale);
  const title = t('title');
  const main = html`<main id="main" class="outcome">
<h1>${title}</h1>
<p>${t('text')}</p>
<section class="part-of-page" aria-label="${translator(locale)('order.title')}">
${summaryLines(lines, { locale, currency: session.currency })}
</section>
${isPriceChanged && html`<p class="hint">${t('changed')}</p>`}
${gone.length > 0 && html`<p class="hint">${t('gone', { products: gone.join(', ') })}</p>`}
${refusedCodes.length > 0 && html`<p class="hint">${t('codes', { codes: refusedCodes.join(', ') })}</p>`}
<form method="post" action="${recoverPath(expiredId, locale)}"><button class="pay">${checkoutTranslator(locale)('offer.checkout')}</button></form>
</main>`;
  const headers = layoutHeaders(brand, { images: lines.map(({ image }) => image) });
  return { statusCode: 200, headers, body: layout(context, { title, main }) };
}
