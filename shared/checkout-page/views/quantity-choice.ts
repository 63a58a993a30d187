import { describedBy, faultOf, slowPlace, toldPlace } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TranslateCheckout } from '../../texts/texts.ts';
import { quotePath } from '../checkout-path.ts';
import { quantityFieldName, quantityStepName, stepValue } from '../form/checkout-form.ts';
import { quantityFieldId } from '../form/faults.ts';
import type { CheckoutView, LineView } from './present-checkout.ts';

/** The field for the quantity: a number field between two buttons. Without a script, the buttons post the form. */
export function quantityChoice(
  view: CheckoutView,
  line: LineView,
  index: number,
  t: TranslateCheckout,
): Html | undefined {
  const { adjustable, productId, name } = line;
  if (!adjustable) return undefined;
  const { limits, typed } = adjustable;
  const id = quantityFieldId(index);
  const problem = view.faults.find(({ field }) => field === id);
  const fault = problem && t(problem.key, problem.values);
  const step = (by: 1 | -1, label: string, sign: string) =>
    html`<button class="step" formaction="${quotePath(view.sessionId, view.locale)}" name="${quantityStepName}" value="${stepValue(productId, by)}" aria-label="${label}" aria-controls="${id}"${typed === String(by === 1 ? limits.maximum : limits.minimum) && html` aria-disabled="true"`}><span aria-hidden="true">${sign}</span></button>`;
  return html`<div class="choice">
<label for="${id}">${t('quantity.label')} <span class="visually-hidden" dir="auto">(${name})</span></label>
<div class="stepper">${step(-1, t('quantity.less'), '−')}<input id="${id}" name="${quantityFieldName(productId)}" value="${typed}" type="number" min="${limits.minimum}" max="${limits.maximum}" step="1" dir="ltr" autocomplete="off" required data-priced${describedBy({ id, fault, hint: undefined })}>${step(1, t('quantity.more'), '+')}</div>
${faultOf(id, fault)}
${toldPlace}${slowPlace}</div>`;
}
