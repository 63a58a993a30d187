import type { PayWhatYouWant } from '../../domain/catalogue/pay-what-you-want.ts';
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

/** The mark on a suggested amount that says that it is the suggestion or the minimum. */
export function presetMark({ suggested, minimum }: PayWhatYouWant, amount: number, t: TranslateCheckout): Html {
  if (amount === suggested) return html` <small>${t('amount.suggested')}</small>`;
  return amount === minimum ? html` <small>${t('amount.minimum')}</small>` : html``;
}
