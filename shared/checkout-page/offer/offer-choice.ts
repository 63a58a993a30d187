import { isEnoughInEveryPlace } from '../../domain/catalogue/pay-what-you-want.ts';
import { amountText } from '../../pages/amount-input.ts';
import { formatCount, formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { PageContext } from '../../pages/page-context.ts';
import type { TranslateCheckout } from '../../texts/texts.ts';
import { offerPath } from '../checkout-path.ts';
import { presetsOf } from '../form/presets.ts';
import { amountField } from '../views/amount-field.ts';
import { amountHint } from '../views/amount-hint.ts';
import { presetMark } from '../views/choice-notes.ts';
import { offerFields } from './offer-parameters.ts';
import type { OfferView } from './shown-offer.ts';

interface Words {
  t: TranslateCheckout;
  /** The words about the tax. */
  tax: string;
}

/**
 * The field of the amount, if the buyer chooses it, and the suggested amounts. These are links, so they also work
 * without a script.
 */
export function choiceSection({ locale }: PageContext, view: OfferView, { t, tax }: Words): Html {
  const { price, typed, fault, quantity } = view.offer;
  if (price.kind === 'fixed') return html``;
  const { currency } = price;
  const hint = amountHint(price, { locale, isPlaceKnown: false });
  const isFirst = typed === '' || fault !== undefined;
  const isEach = quantity > 1 || view.product.adjustable !== undefined;
  const field = { id: 'amount', name: offerFields.amount, currency, locale, typed, hint, isEach, isFirst, tax };
  const presets = presetsOf(price).filter((amount) => isEnoughInEveryPlace(amount, price));
  return html`<div class="choice">
${amountField({ ...field, fault: fault && t(fault.key, fault.values) }, t)}
${quantity > 1 && html`<p class="hint">${t('quantity.label')}: ${formatCount(quantity, locale)}</p>`}
<input type="hidden" name="${offerFields.currency}" value="${currency}">
${
  presets.length >= (price.presetAmounts ? 1 : 2) &&
  html`<div class="presets" role="group" aria-label="${t('amount.presets')}">
${presets.map((amount) => {
  const text = amountText(amount, currency, locale);
  const address = { ...view.carried, [offerFields.amount]: text, [offerFields.currency]: currency };
  return html`<a class="preset" href="${offerPath(view.product.id, locale, address)}" data-amount="${text}"${text === typed && html` aria-current="true"`}>${formatMoney(amount, currency, locale)}${presetMark(price, amount, t)}</a>
`;
})}</div>`
}</div>`;
}
