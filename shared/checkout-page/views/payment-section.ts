import { lineAmount } from '../../domain/checkout/priced-item.ts';
import { sum } from '../../domain/money/money.ts';
import { describedBy, faultOf, slowPlace, toldPlace } from '../../pages/fields.ts';
import { formatCount, formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { labelText } from '../../pages/legal-labels.ts';
import { inLanguage } from '../../pages/locale.ts';
import { whatIsDue } from '../../pages/order-summary.ts';
import { type PageKey, pageTexts, type TranslateCheckout } from '../../texts/texts.ts';
import { consentFieldName } from '../form/checkout-form.ts';
import { consentFieldId } from '../form/faults.ts';
import { type PayButton, prescribedLabel, shownLabel } from '../form/shown-label.ts';
import type { CheckoutView, LineView, TestCard } from './present-checkout.ts';

/** The payment method and a summary of the order, directly above the Pay button. */
export const paymentSection = (
  view: CheckoutView,
  t: TranslateCheckout,
): Html => html`<section class="part-of-page" aria-labelledby="payment-title">
<h2 id="payment-title">${t(view.totals.total === 0 ? 'order.free' : 'payment.title')}</h2>
<div>${view.totals.total !== 0 && view.cards.length > 0 && cardChoice(view, t)}</div>
<div>${view.totals.total !== 0 && html`<p class="hint protected">${lock}${t('payment.protected', { merchant: view.brand.name })}</p>`}</div>
<ul class="recap">
${view.lines.map((line) => recapLine(line, view, t))}${recapCodes(view, t)}${recapTax(view, t)}</ul>
<div>${view.consents.length > 0 && consentBoxes(view, t)}</div>
<div>${view.requests.length > 0 && requestBoxes(view, t)}</div>
</section>`;

/** The boxes of the required consents. Their words are stored with the payment. */
const consentBoxes = (view: CheckoutView, t: TranslateCheckout): Html => html`<div class="consents">
${view.consents.map(({ kind, text, isGiven }) => {
  const id = consentFieldId(kind);
  const problem = view.faults.find(({ field }) => field === id);
  const fault = problem && t(problem.key, problem.values);
  return html`<div class="consent"><input type="checkbox" id="${id}" name="${consentFieldName(kind)}" value="yes" required${isGiven && html` checked`}${describedBy({ id, fault, hint: undefined })}>
<div><label for="${id}">${text}</label>${kind === 'terms' && view.policies?.includes('terms') && html`<a href="${inLanguage('/policies/terms', view.locale)}" target="_blank" rel="noopener">${t('policy.terms')}</a>`}${faultOf(id, fault)}</div></div>
`;
})}</div>`;

/** The boxes about an early supply. The buyer need not tick them. They are separate from the required consents. */
const requestBoxes = (
  { requests }: CheckoutView,
  t: TranslateCheckout,
): Html => html`<div class="consents requests" role="group" aria-labelledby="requests">
<p class="hint" id="requests">${t('consent.optional')}</p>
${requests.map(
  ({ kind, text, isGiven }) =>
    html`<div class="consent"><input type="checkbox" id="${consentFieldId(kind)}" name="${consentFieldName(kind)}" value="yes"${isGiven && html` checked`}><div><label for="${consentFieldId(kind)}">${text}</label></div></div>
`,
)}</div>`;

const lock = html`<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M4 7V5a4 4 0 018 0v2h1v7H3V7zm2 0h4V5a2 2 0 00-4 0z" fill="currentColor" fill-rule="evenodd"/></svg>`;

function recapLine(line: LineView, { currency, locale }: CheckoutView, t: TranslateCheckout): Html {
  const { name, quantity, unitAmount } = line;
  const money = (unit: number) => formatMoney(lineAmount({ quantity, unitAmount: unit }), currency, locale);
  const amount = unitAmount === null ? '–' : unitAmount === 0 ? t('order.free') : money(unitAmount);
  const count = quantity === 1 ? '' : `${formatCount(quantity, locale)} × `;
  return html`<li><span dir="auto">${count}${name}</span> <bdi>${amount}</bdi></li>
`;
}

/** The discount of codes on the lines above. */
const recapCodes = ({ totals: { codes = [] }, currency, locale }: CheckoutView, t: TranslateCheckout): Html[] =>
  codes
    .filter(({ amount }) => amount > 0)
    .map(
      ({
        code,
        amount,
      }) => html`<li><span>${t('order.discount')} <bdi>${code}</bdi></span> <bdi>${formatMoney(-amount, currency, locale)}</bdi></li>
`,
    );

/** The tax that is added to the lines above, so that they add up to the total. */
function recapTax({ lines, totals, currency, locale }: CheckoutView, t: TranslateCheckout): Html {
  const amounts = lines.map(({ quantity, unitAmount }) => lineAmount({ quantity, unitAmount: unitAmount ?? 0 }));
  const added = (totals.total ?? 0) - sum(amounts) + (totals.discount ?? 0);
  if (totals.total === null || added === 0) return html``;
  return html`<li><span>${t('order.exclusive')}</span> <bdi>${formatMoney(added, currency, locale)}</bdi></li>
`;
}

/** The total and the button. On a phone they are always visible. */
export function payBar(view: CheckoutView, t: TranslateCheckout): Html {
  const { label, amount } = whatIsDue(view.totals, view, t);
  const prescribed = prescribedLabel(buttonOf(view));
  const isWaiting = view.unsold.has(view.buyer.country) || view.lines.some(({ choice }) => choice?.typed === '');
  return html`<div class="pay-bar">
<p class="due"><span>${label}</span> <strong id="due">${amount}</strong></p>
<input type="hidden" name="label" value="${shownLabel(buttonOf(view))}">
${payNews(view, t)}${toldPlace}
<button id="pay" class="pay" data-paying="${t(view.totals.total === 0 ? 'pay.getting' : 'pay.paying')}"${isWaiting && html` aria-disabled="true"`} data-words="${prescribed && [prescribed.words, prescribed.beside?.words].join(' ')}" data-changed="${t('notice.total_changed', { total: totalText(view) })}" data-reworded="${t('notice.pay_label')}">${payWords(view, t)}</button>
${processorLine(view, t)}<p id="paying" class="visually-hidden" role="status"></p>
${slowPlace}
</div>`;
}

/** Why the buyer must press the button again. The script shows the same texts, which stand in the button's data. */
function payNews({ payNews = [], totals, currency, locale }: CheckoutView, t: TranslateCheckout): Html {
  if (payNews.length === 0) return html``;
  const total = totalText({ totals, currency, locale });
  return html`<div class="advice" id="pay-news" role="alert" tabindex="-1" autofocus>${payNews.map(({ key, values }) => html`<p>${t(key, { total, ...values })}</p>`)}</div>
`;
}

const totalText = ({ totals: { total }, currency, locale }: Pick<CheckoutView, 'totals' | 'currency' | 'locale'>) =>
  total === null ? '' : formatMoney(total, currency, locale);

const buttonOf = ({ locale, buyer, totals }: CheckoutView): PayButton => ({
  locale,
  country: buyer.country,
  total: totals.total,
});

/**
 * The words on the Pay button. Where the law requires certain words, only these are allowed. Beside them are the words
 * in the language of the country.
 */
function payWords(view: CheckoutView, t: TranslateCheckout): string | Html {
  const { total } = view.totals;
  const { currency, locale } = view;
  if (total === 0) return t('pay.nothing');
  const label = prescribedLabel(buttonOf(view));
  if (label) return labelText(label);
  const isElsewhere = view.processorTitle !== '';
  if (total === null) return t(isElsewhere ? 'pay.continue.unknown' : 'pay.unknown');
  return t(isElsewhere ? 'pay.continue' : 'pay.total', { total: formatMoney(total, currency, locale) });
}

/** The line below the button: the processor on whose page the buyer pays, and how. */
function processorLine(
  { processorTitle: processor, takesCardsOnly, totals }: CheckoutView,
  t: TranslateCheckout,
): Html {
  if (processor === '' || totals.total === 0) return html``;
  return html`<p class="hint">${t(takesCardsOnly ? 'pay.at.card' : 'pay.at', { processor })}</p>
`;
}

/** The list of test cards with different outcomes. It is folded. The page has no field for a card number. */
function cardChoice(view: CheckoutView, t: TranslateCheckout): Html {
  const fault = view.faults.find(({ field }) => field === 'card');
  const isOther = view.card !== view.cards[0]?.number;
  return html`<details id="cards"${(fault || isOther) && html` open`}><summary>${t('payment.simulate')}</summary>
<fieldset class="cards" aria-describedby="card-hint">
<legend>${t('payment.cards')}</legend>
<p class="hint" id="card-hint">${t('payment.cards.hint')}</p>
${faultOf('card', fault && t(fault.key))}
<div class="list">${view.cards.map((card, index) => cardOption(card, `card-${index}`, card.number === view.card, t))}</div>
</fieldset></details>`;
}

function cardOption({ number, label }: TestCard, id: string, isChosen: boolean, t: TranslateCheckout): Html {
  const lastFour = number.slice(-4);
  const key = `card.${lastFour}`;
  const outcome = Object.hasOwn(pageTexts.en, key) ? t(key as PageKey) : label;
  return html`<label class="card" for="${id}"><input type="radio" id="${id}" name="card" value="${number}"${isChosen && html` checked`}>
<span class="number" dir="ltr"><span aria-hidden="true">•••• </span>${lastFour}</span> <span>${outcome}</span></label>
`;
}
