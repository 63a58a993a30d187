import { option } from '../../pages/fields.ts';
import { nameCurrency } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TranslateCheckout } from '../../texts/texts.ts';
import { currencyFields } from '../form/checkout-form.ts';
import type { CheckoutView } from './present-checkout.ts';

/** The list of currencies, if the order has prices in several. The displayed currency is selected. */
export function currencySection(view: CheckoutView, t: TranslateCheckout): Html {
  const { currencies, currency, locale, currencyNews: news } = view;
  if (currencies.length === 0) return html``;
  const options = currencies.map((one) => option(one, nameCurrency(one, locale), one === currency));
  return html`<input type="hidden" name="${currencyFields.shown}" value="${currency}">
${currencies.length > 1 && html`<div class="field currency"><label for="currency">${t('currency.label')}</label><select id="currency" name="${currencyFields.chosen}" data-priced>${options}</select></div>`}
<p class="hint" id="currency-news" role="status">${news && t(news.key, news.values)}</p>`;
}
