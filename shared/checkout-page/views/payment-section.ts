import { faultOf } from '../../pages/fields.ts';
import { formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { strings, type Translate } from '../../pages/locale.ts';
import type { StringKey } from '../../pages/locales/en.ts';
import type { CheckoutView, TestCard } from './present-checkout.ts';

/** How it is paid, and the button that does it. */
export const paymentSection = (
  view: CheckoutView,
  t: Translate,
): Html => html`<section class="part-of-page" aria-labelledby="payment-title">
<h2 id="payment-title">${t('payment.title')}</h2>
<div>${view.totals.total !== 0 && (view.cards.length > 0 ? cardChoice(view, t) : html`<p class="hint">${t('payment.elsewhere')}</p>`)}</div>
<button id="pay" class="pay">${payLabel(view, t)}</button>
</section>`;

function payLabel({ totals: { total }, currency, locale }: CheckoutView, t: Translate): string {
  if (total === null) return t('pay.unknown');
  return total === 0 ? t('pay.nothing') : t('pay.total', { total: formatMoney(total, currency, locale) });
}

/** How many cards are visible at first. The others affect refunds and are behind a click. */
const shownCards = 8;

/** A list of cards to choose from. The page has no field for a card number. */
function cardChoice(view: CheckoutView, t: Translate): Html {
  const fault = view.faults.find(({ field }) => field === 'card');
  const options = view.cards.map((card, index) => cardOption(card, `card-${index}`, card.number === view.card, t));
  const isFarChosen = view.cards.findIndex(({ number }) => number === view.card) >= shownCards;
  return html`<fieldset class="cards" aria-describedby="card-hint">
<legend>${t('payment.cards')}</legend>
<p class="hint" id="card-hint">${t('payment.cards.hint')}</p>
${faultOf('card', fault && t(fault.key))}
<div class="list">${options.slice(0, shownCards)}</div>
${
  options.length > shownCards &&
  html`<details id="more-cards"${isFarChosen && html` open`}><summary>${t('payment.cards.more')}</summary>
<div class="list">${options.slice(shownCards)}</div></details>`
}</fieldset>`;
}

function cardOption({ number, label }: TestCard, id: string, isChosen: boolean, t: Translate): Html {
  const lastFour = number.slice(-4);
  const key = `card.${lastFour}`;
  const outcome = Object.hasOwn(strings.en, key) ? t(key as StringKey) : label;
  return html`<label class="card" for="${id}"><input type="radio" id="${id}" name="card" value="${number}"${isChosen && html` checked`}>
<span class="number"><span aria-hidden="true">•••• </span>${lastFour}</span> <span>${outcome}</span></label>
`;
}
