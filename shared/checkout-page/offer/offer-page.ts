import { isBelowFloor, unitAmountOf } from '../../domain/catalogue/price.ts';
import { knownTotal } from '../../domain/checkout/cart.ts';
import { lineAmount } from '../../domain/checkout/priced-item.ts';
import { currencyFloor } from '../../domain/money/currency.ts';
import { formatCount, formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { languageForm, layout, layoutHeaders } from '../../pages/layout.ts';
import { patience } from '../../pages/notices/patience.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { checkoutTranslator, type TranslateCheckout } from '../../texts/texts.ts';
import { offerPath } from '../checkout-path.ts';
import { choiceSection } from './offer-choice.ts';
import { countryField } from './offer-country.ts';
import { offerHead } from './offer-head.ts';
import type { OfferView, ShownOffer } from './shown-offer.ts';

/** The page of a product's public link. It shows the product at its current price, with a button to the checkout. */
export function offerPage(context: PageContext, view: OfferView) {
  const t = checkoutTranslator(context.locale);
  const { product, carried, offer } = view;
  const { id, name, description, image } = product;
  const main = html`<main id="main" class="offer">
${image && html`<img class="cover" src="${image}" alt="">`}
<section class="part-of-page"><h1 dir="auto">${name}</h1>
${offer.price.kind === 'fixed' && html`<p class="offer-price">${priceText(context, offer)} <small>${taxWord(offer, t)}</small></p>`}
${codeNote(context, offer, t)}
<p class="prose" dir="auto">${description}</p>
${offer.price.kind === 'pay_what_you_want' && offer.price.purpose && html`<p class="purpose" dir="auto">${offer.price.purpose}</p>`}
<form id="offer" method="post" action="${offerPath(id, context.locale, carried)}">
${choiceSection(context, view, { t, tax: taxWord(offer, t) })}
${wayToCheckout(context, view, t)}
${countryField(context, view, t)}
</form></section></main>`;
  const headers = layoutHeaders(context.brand, { images: [image] });
  const content = { title: name, main, head: offerHead(context, view), languages: languageForm(context, carried) };
  return {
    statusCode: 200,
    headers,
    body: layout(context, { ...content, isWide: image !== null, isPublic: context.brand.searchListing !== false }),
  };
}

/** Whether the price includes the tax of the buyer's country. */
const taxWord = ({ price }: ShownOffer, t: TranslateCheckout): string =>
  t(price.taxInclusive ? 'order.inclusive' : 'order.exclusive');

/** The button to the checkout. If every checkout would be refused, it is the lowest amount that can be paid instead. */
function wayToCheckout(
  { locale }: PageContext,
  { product: { adjustable }, offer: { price, quantity, code } }: OfferView,
  t: TranslateCheckout,
): Html {
  const listed = knownTotal([{ price, quantity }], [unitAmountOf(price, null, '')]) ?? 0;
  const totals = [listed, listed - (code?.taken ?? 0)];
  if (adjustable || !totals.some((total) => isBelowFloor(total, price.currency)))
    return html`<button class="pay"${patience(locale)}>${t('offer.checkout')}</button>`;
  const minimum = formatMoney(currencyFloor(price.currency), price.currency, locale);
  return html`<p class="advice">${t('notice.below_floor', { minimum })}</p>`;
}

/** The text of a fixed price: `€19.99`, `3 × €19.99`, or what is left of it with the code of the link. */
function priceText({ locale }: PageContext, { price, quantity, code }: ShownOffer): string {
  if (price.kind !== 'fixed') return '';
  const taken = code?.taken ?? 0;
  if (taken > 0) return formatMoney(lineAmount({ ...price, quantity }) - taken, price.currency, locale);
  return listedText(locale, price, quantity);
}

function listedText(locale: PageContext['locale'], price: { unitAmount: number; currency: string }, quantity: number) {
  const each = formatMoney(price.unitAmount, price.currency, locale);
  return quantity === 1 ? each : `${formatCount(quantity, locale)} × ${each}`;
}

/** What the code of the link takes off, or why it cannot be used. */
function codeNote({ locale }: PageContext, { price, quantity, code }: ShownOffer, t: TranslateCheckout): Html {
  if (!code) return html``;
  if (code.fault) return html`<p class="fault">${code.code}: ${t(code.fault.key, code.fault.values)}</p>`;
  if (price.kind !== 'fixed' || !code.taken) return html`<p class="hint">${t('offer.code', { code: code.code })}</p>`;
  const listed = listedText(locale, price, quantity);
  const discount = formatMoney(code.taken, price.currency, locale);
  return html`<p class="hint">${t('offer.code.taken', { code: code.code, listed, discount })}</p>`;
}
