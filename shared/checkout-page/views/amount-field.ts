import { minorUnitDigits } from '../../domain/money/currency.ts';
import { describedBy, faultOf, hintOf } from '../../pages/fields.ts';
import { currencySign } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import type { TranslateCheckout } from '../../texts/texts.ts';

interface AmountField {
  id: string;
  name: string;
  currency: string;
  locale: Locale;
  typed: string;
  hint: string;
  fault: string | undefined;
  /** Whether the amount is that of each of several units. */
  isEach: boolean;
  /** Whether the field gets the focus when the page opens. */
  isFirst: boolean;
  /** The words about the tax beside the label. */
  tax?: string;
  /** Whether a change of the field asks for a new price at once. */
  isPriced?: boolean;
}

/** The field in which the buyer chooses the amount, in the number format of the language. */
export function amountField(spec: AmountField, t: TranslateCheckout): Html {
  const { id, currency, locale, typed, tax } = spec;
  const { sign, isFirst } = currencySign(currency, locale);
  const shown = html`<span class="sign" dir="ltr" aria-hidden="true">${sign}</span>`;
  return html`<label for="${id}">${t(spec.isEach ? 'amount.label.each' : 'amount.label')} <span class="visually-hidden">(${currency})</span>${tax && html` <small>${tax}</small>`}</label>
<div class="amount">${isFirst && shown}<input id="${id}" name="${spec.name}" value="${typed}" inputmode="${minorUnitDigits(currency) === 0 ? 'numeric' : 'decimal'}" dir="ltr" autocomplete="off" maxlength="40" required${spec.isFirst && html` autofocus`}${spec.isPriced && html` data-priced data-fresh="${typed}"`}${describedBy(spec)}>${!isFirst && shown}</div>
${hintOf(id, spec.hint)}${faultOf(id, spec.fault)}`;
}
