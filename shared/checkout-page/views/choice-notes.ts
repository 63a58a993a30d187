import { formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TranslateCheckout } from '../../texts/texts.ts';
import type { CheckoutView, LineView } from './present-checkout.ts';

/** The merchant's note on what the money is used for, and the amount that is left after tax. */
export function choiceNotes({ currency, locale, brand }: CheckoutView, line: LineView, t: TranslateCheckout): Html {
  const { choice, staying } = line;
  const money = (amount: number) => formatMoney(amount, currency, locale);
  const stays =
    staying && t('amount.stays', { gross: money(staying.gross), net: money(staying.net), merchant: brand.name });
  return html`${choice?.price.purpose && html`<p class="purpose" dir="auto">${choice.price.purpose}</p>`}
<p class="hint">${stays}</p>`;
}
