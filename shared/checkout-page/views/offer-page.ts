import { takes } from '../../domain/catalogue/accepted-wish.ts';
import { withinLimits } from '../../domain/catalogue/adjustable-quantity.ts';
import { firstAmountOf } from '../../domain/catalogue/pay-what-you-want.ts';
import { isBelowFloor, type Price, unitAmountOf } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { knownTotal } from '../../domain/checkout/cart.ts';
import { currencyFloor } from '../../domain/money/currency.ts';
import { formatCount, formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { languageForm, layout, layoutHeaders } from '../../pages/layout.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { checkoutTranslator } from '../../texts/texts.ts';
import { codeText } from '../../wire/discounts/code-text.ts';
import { offerPath } from '../checkout-path.ts';
import type { OfferParameters } from '../form/offer-parameters.ts';
import { amountHint } from './amount-hint.ts';
import { offerHead } from './offer-head.ts';

interface OfferView extends OfferParameters {
  product: Product;
  publicUrl: string;
}

/** The page of a product's public link. It shows the product at its current price, with a button to the checkout. */
export function offerPage(context: PageContext, view: OfferView) {
  const t = checkoutTranslator(context.locale);
  const { product, carried } = view;
  const { name, description, image, price } = product;
  const main = html`<main id="main" class="offer">
${image && html`<img class="cover" src="${image}" alt="">`}
<section class="part-of-page"><h1 dir="auto">${name}</h1>
<p class="offer-price">${priceText(context, view)}</p>
<p class="hint">${price.kind === 'fixed' ? '' : amountHint(price, { locale: context.locale, isPlaceKnown: false })}</p>
<p class="hint">${t(price.taxInclusive ? 'tax.hint.inclusive' : 'tax.hint.exclusive')}</p>
${isCode(view.link.discount) && html`<p class="hint">${t('offer.code', { code: view.link.discount })}</p>`}
<p class="prose" dir="auto">${description}</p>
${price.kind === 'pay_what_you_want' && price.purpose && html`<p class="purpose" dir="auto">${price.purpose}</p>`}
${wayToCheckout(context, view)}</section></main>`;
  const headers = layoutHeaders(context.brand, { images: [image] });
  const content = { title: name, main, head: offerHead(context, view), languages: languageForm(context, carried) };
  return { statusCode: 200, headers, body: layout(context, { ...content, isWide: image !== null, isPublic: true }) };
}

/** The button to the checkout. If every checkout would be refused, it is the lowest amount that can be paid instead. */
function wayToCheckout(
  { locale }: PageContext,
  { product: { id, price, adjustable }, carried, link }: OfferView,
): Html {
  const t = checkoutTranslator(locale);
  const quantity = withinLimits(link.quantity, adjustable);
  const known = knownTotal([{ price, quantity }], [unitAmountOf(price, null, '')]);
  if (adjustable || !isBelowFloor(known ?? 0, price.currency))
    return html`<form method="post" action="${offerPath(id, locale, carried)}"><button class="pay">${t('offer.checkout')}</button></form>`;
  const minimum = formatMoney(currencyFloor(price.currency), price.currency, locale);
  return html`<p class="advice">${t('notice.below_floor', { minimum })}</p>`;
}

/**
 * Whether a text can be a code. Other text is dropped. Anyone can write a link, and its text must not appear on the
 * merchant's page.
 */
const isCode = (typed: string | undefined): typed is string => codeText.safeParse(typed).success;

/**
 * The text of the price: `€19.99`, or `3 × €19.99`. If the buyer chooses the price, it is the amount that the link
 * proposes.
 */
function priceText({ locale }: PageContext, { product: { price, adjustable }, link }: OfferView): string {
  const { amount } = link;
  const quantity = withinLimits(link.quantity, adjustable);
  const unitAmount = amount !== undefined && takes(price, amount) ? amount : shownAmount(price);
  if (unitAmount === null) return '';
  const each = formatMoney(unitAmount, price.currency, locale);
  return quantity === 1 ? each : `${formatCount(quantity, locale)} × ${each}`;
}

/** The amount beside the name: the price, or the suggestion. */
const shownAmount = (price: Price): number | null => (price.kind === 'fixed' ? price.unitAmount : firstAmountOf(price));
