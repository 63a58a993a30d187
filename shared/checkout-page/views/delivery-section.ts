import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isWaived } from '../../domain/withdrawal/opening.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TranslateReceipt } from '../../texts/texts.ts';

/** How the buyer gets a paid product. */
export interface DeliveryView {
  name: string;
  url: string | null;
  instructions: string | null;
}

/**
 * The lines for which the merchant describes the delivery. If the buyer asked for immediate supply of a line, it is
 * left out, because it is opened on the order page.
 */
export const deliveriesOf = ({ lines }: CheckoutSession, payment: Payment): DeliveryView[] =>
  lines.flatMap(({ name, delivery }, line) => (delivery && !isWaived(payment, line) ? [{ name, ...delivery }] : []));

export const deliverySection = (deliveries: readonly DeliveryView[], t: TranslateReceipt): Html =>
  deliveries.length === 0
    ? html``
    : html`<section class="part-of-page delivery" aria-labelledby="delivery-title">
<h2 id="delivery-title">${t('delivery')}</h2>
${deliveries.map(
  ({ name, url, instructions }) => html`<div>${deliveries.length > 1 && html`<p class="name" dir="auto">${name}</p>`}
${instructions && html`<p class="prose" dir="auto">${instructions}</p>`}
${url && html`<p><a class="quiet" href="${url}" rel="noopener noreferrer" target="_blank">${t('open')}${deliveries.length > 1 && html` <span class="visually-hidden" dir="auto">(${name})</span>`}</a></p>`}</div>
`,
)}</section>`;
