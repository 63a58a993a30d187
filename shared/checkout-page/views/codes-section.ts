import { describedBy, faultOf, slowPlace, toldPlace } from '../../pages/fields.ts';
import { formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { TranslateCheckout } from '../../texts/texts.ts';
import { quotePath } from '../checkout-path.ts';
import { applyValue, codeFieldId, codeFields, removeValue } from '../form/code-entry.ts';
import type { Advice } from '../form/faults.ts';
import type { CheckoutView } from './present-checkout.ts';

/** The part of the page for codes. It is folded until the buyer opens it. */
export function codesSection(view: CheckoutView, t: TranslateCheckout): Html {
  const { codes } = view;
  return html`<div id="codes">${codes.chips.length > 0 && chipList(view, t)}${codes.isAsked && codeField(view, t)}</div>`;
}

/** The codes of the order, with what each takes off. */
const chipList = (view: CheckoutView, t: TranslateCheckout): Html => html`<ul class="chips">
${view.codes.chips.map(({ code, isRemovable }) => {
  const taken = view.totals.codes?.find((one) => one.code === code)?.amount ?? 0;
  return html`<li class="chip"><bdi class="code">${code}</bdi>${taken > 0 && html` <bdi>${formatMoney(-taken, view.currency, view.locale)}</bdi>`}${
    isRemovable &&
    html`<button formaction="${quotePath(view.sessionId, view.locale)}" name="${codeFields.action}" value="${removeValue(code)}" data-code="${code}"><span aria-hidden="true">×</span><span class="visually-hidden">${t('code.remove', { code })}</span></button>`
  }</li>
`;
})}</ul>`;

function codeField(view: CheckoutView, t: TranslateCheckout): Html {
  const { typed, refused } = view.codes;
  const problem = view.faults.find(({ field }) => field === codeFieldId);
  const fault = problem && t(problem.key, problem.values);
  const spec = { id: codeFieldId, fault, hint: undefined };
  return html`<details id="discount"${(typed !== '' || fault) && html` open`}><summary>${t('code.add')}</summary>
<div class="field"><label for="${codeFieldId}">${t('code.label')}</label>
<div class="code-entry"><input id="${codeFieldId}" name="${codeFields.typed}" value="${typed}" class="code" dir="ltr" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40"${describedBy(spec)}>
<button class="quiet" id="apply-code" formaction="${quotePath(view.sessionId, view.locale)}" name="${codeFields.action}" value="${applyValue}">${t('code.apply')}</button></div>
<div role="status">${faultOf(codeFieldId, fault)}</div></div></details>
<input type="hidden" name="${codeFields.refused}" value="${refused}">
<p class="hint" id="code-news" role="status">${newsOf(view, t)}</p>
${toldPlace}${slowPlace}`;
}

const newsOf = ({ news }: Pick<Advice, 'news'>, t: TranslateCheckout): string => (news ? t(news.key, news.values) : '');
