import { amountText } from '../../pages/amount-input.ts';
import { slowPlace, toldPlace } from '../../pages/fields.ts';
import { formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { languageSelect, layout } from '../../pages/layout.ts';
import { summaryLines, totalsTable } from '../../pages/order-summary.ts';
import { checkoutTranslator, type PageKey, pageTexts, type TranslateCheckout } from '../../texts/texts.ts';
import { payPath, quotePath } from '../checkout-path.ts';
import { amountFieldName, presetValue } from '../form/checkout-form.ts';
import { amountFieldId, type PageFault } from '../form/faults.ts';
import { amountField } from './amount-field.ts';
import { amountHint } from './amount-hint.ts';
import { buyerSection } from './buyer-section.ts';
import { choiceNotes, presetMark } from './choice-notes.ts';
import { codesSection } from './codes-section.ts';
import { currencySection } from './currency-section.ts';
import { payBar, paymentSection } from './payment-section.ts';
import type { CheckoutView, LineView } from './present-checkout.ts';
import { quantityChoice } from './quantity-choice.ts';

/** The page on which the buyer fills in and pays a session. It is one form, and works without its script. */
export function checkoutPage(view: CheckoutView): string {
  const t = checkoutTranslator(view.locale);
  const main = html`<main id="main">
<h1 class="visually-hidden">${t('checkout')}</h1>
<form id="checkout" method="post" action="${payPath(view.sessionId, view.locale)}" novalidate data-offline="${t('notice.offline')}" data-slow="${t('notice.slow')}" data-trying="${t('notice.trying')}" data-unanswered="${t('notice.unanswered')}" data-stale="${t('notice.stale')}" hx-post="${quotePath(view.sessionId, view.locale)}" hx-trigger="${pricingTriggers}" hx-sync="replace" hx-target="#main" hx-select="#main" hx-swap="outerMorph">
${hiddenFields(view)}
<div id="advice">${adviceBox(view, t)}</div>
${orderSection(view, t)}
<div class="entries">
${buyerSection(view, t)}
${paymentSection(view, t)}
</div>
${payBar(view, t)}
</form>
${view.cancelUrl && html`<p class="leave"><a href="${view.cancelUrl}">${t('cancel', { merchant: view.brand.name })}</a></p>`}
</main>`;
  return layout(view, { title: t('checkout'), main, isWide: true, languages: languageSwitch(view, t) });
}

/**
 * When htmx asks for a price: after the buyer stops typing, at once after a choice, and when the script requests it. An
 * outdated response is dropped.
 */
const pricingTriggers = 'input changed delay:600ms target:[data-priced], change changed target:[data-priced], price';

/** The hidden fields come after the Pay button, so that the Enter key presses that button. */
const hiddenFields = (
  view: CheckoutView,
): Html => html`<button class="visually-hidden" tabindex="-1" aria-hidden="true"></button>
<input type="hidden" name="token" value="${view.formToken}">
<input type="hidden" name="expected_total" value="${view.totals.total}">
<input type="hidden" name="typed_total" value="${view.typedTotal}">`;

/** The errors, with a link to each field. The box gets the focus, unless the buyer is still typing. */
function adviceBox(
  { notice, listsFaults, locale, totals, currency, ...view }: CheckoutView,
  t: TranslateCheckout,
): Html {
  const faults = listsFaults ? view.faults : [];
  if (!notice && faults.length === 0) return html``;
  const total = totals.total === null ? '' : formatMoney(totals.total, currency, locale);
  return html`<div class="advice" role="alert" tabindex="-1"${listsFaults && html` autofocus`}>
${notice && html`<p>${t(notice.key, { total, ...notice.values })}</p>`}
${faults.length > 0 && html`<div class="faults"><p>${t('faults.title')}</p><ul>${faults.map((fault) => html`<li><a href="#${targetOf(fault)}">${listed(fault, t)}</a></li>`)}</ul></div>`}
</div>`;
}

/** Messages that do not contain the name of their field. Without the name, they would all look the same in a list. */
const nameless: ReadonlySet<string> = new Set(['fault.address.missing', 'fault.text.invalid']);

/** The text of an error in the list. If the message does not contain the name of its field, the name is used. */
function listed({ key, field, values, listedAs }: PageFault, t: TranslateCheckout): string {
  const label = `field.${field}`;
  if (nameless.has(key) && Object.hasOwn(pageTexts.en, label)) return t(label as PageKey);
  return listedAs ?? t(key, values);
}

const targetOf = ({ field }: PageFault): string => (field === 'card' ? 'card-0' : field);

const orderSection = (
  view: CheckoutView,
  t: TranslateCheckout,
): Html => html`<section class="part-of-page order" aria-labelledby="order-title">
<details id="order"${!isFolded(view) && html` open`}><summary><h2 id="order-title">${t('order.title')}</h2></summary>
${summaryLines(view.lines, view, (index) => belowLine(view, index, t))}</details>
${currencySection(view, t)}
${codesSection(view, t)}
<div id="totals" aria-live="polite">${totalsTable(view.totals, view, view.taxHint)}</div>
</section>`;

/** Whether a long order is folded on narrow screens. It is not if the buyer must choose an amount in it. */
const isFolded = ({ lines }: CheckoutView): boolean =>
  lines.length > 3 && lines.every(({ choice, adjustable }) => choice === null && !adjustable);

/** What stands below a line: its fields for amount and quantity, and the discount of codes. */
function belowLine(view: CheckoutView, index: number, t: TranslateCheckout): Html | undefined {
  const line = view.lines[index] as LineView;
  const choice = html`${quantityChoice(view, line, index, t)}${amountChoice(view, line, index, t)}`;
  if (line.heldAt === null) return choice;
  const minimum = formatMoney(line.heldAt, view.currency, view.locale);
  return html`${choice}<p class="hint">${t('code.held', { minimum })}</p>`;
}

/**
 * Lets the buyer choose the amount: a field in the number format of the language, and buttons for suggested amounts.
 */
function amountChoice(view: CheckoutView, line: LineView, index: number, t: TranslateCheckout): Html | undefined {
  const { choice, productId } = line;
  if (!choice) return undefined;
  const id = amountFieldId(index);
  const problem = view.faults.find(({ field }) => field === id);
  const fault = problem && t(problem.key, problem.values);
  const hint = amountHint(choice.price, { locale: view.locale, isPlaceKnown: choice.isPlaceKnown });
  const isFirst = choice.typed === '' && view.listsFaults && view.faults.length === 0;
  const isEach = line.quantity > 1 || line.adjustable !== undefined;
  const field = {
    id,
    name: amountFieldName(productId),
    typed: choice.typed,
    fault,
    hint,
    isEach,
    isFirst,
    isPriced: true,
  };
  return html`<div class="choice">
${amountField({ ...field, currency: view.currency, locale: view.locale }, t)}${presetButtons(view, line, t)}
${choiceNotes(view, line, t)}
${toldPlace}${slowPlace}</div>`;
}

function presetButtons(view: CheckoutView, line: LineView, t: TranslateCheckout): Html {
  const { currency, locale } = view;
  const presets = line.choice?.presets ?? [];
  if (presets.length < (line.choice?.price.presetAmounts ? 1 : 2)) return html``;
  return html`<div class="presets" role="group" aria-label="${t('amount.presets')}">
${presets.map(
  (
    amount,
  ) => html`<button class="preset" formaction="${quotePath(view.sessionId, view.locale)}" name="preset" value="${presetValue(line.productId, amount)}" aria-pressed="${String(amount === line.unitAmount)}" data-amount="${amountText(amount, currency, locale)}">${formatMoney(amount, currency, locale)}${line.choice && presetMark(line.choice.price, amount, t)}</button>
`,
)}</div>`;
}

const languageSwitch = ({ locale, sessionId }: CheckoutView, t: TranslateCheckout): Html => html`<div class="languages">
<label for="language">${t('language.label')}</label>
${languageSelect(locale, html` name="switch_to" form="checkout"`)}
<button class="quiet unscripted" form="checkout" formaction="${quotePath(sessionId, locale)}">${t('language.change')}</button>
</div>`;
