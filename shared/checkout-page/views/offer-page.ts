import type { Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { formatMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { layout, layoutHeaders } from '../../pages/layout.ts';
import { type Translate, translator } from '../../pages/locale.ts';
import { summaryLines } from '../../pages/order-summary.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { offerPath } from '../checkout-path.ts';

/** The page of a product's public link: the product as it is sold now, and the way to its checkout. */
export function offerPage(context: PageContext, product: Product) {
  const t = translator(context.locale);
  const { id, name, description, image, price } = product;
  const money = { currency: price.currency, locale: context.locale };
  const { taxInclusive } = price;
  const line = { name, description, image, quantity: 1, unitAmount: shownAmount(price), taxInclusive };
  const main = html`<main id="main"><h1 class="visually-hidden">${name}</h1>
<section class="part-of-page">${summaryLines([line], money)}
<p class="hint">${limits(price, context, t)}</p>
<p class="hint">${t(price.taxInclusive ? 'tax.hint.inclusive' : 'tax.hint.exclusive')}</p>
<form method="post" action="${offerPath(id, context.locale)}"><button class="pay">${t('checkout')}</button></form></section></main>`;
  const headers = layoutHeaders(context.brand, { images: [image] });
  return { statusCode: 200, headers, body: layout(context, { title: name, main }) };
}

/** The amount next to the name: the price, or the suggestion. */
const shownAmount = (price: Price): number | null =>
  price.kind === 'fixed' ? price.unitAmount : (price.suggested ?? (price.minimum || null));

function limits(price: Price, { locale }: PageContext, t: Translate): Html | string {
  if (price.kind === 'fixed') return '';
  const { minimum, maximum } = price;
  const amounts = {
    minimum: formatMoney(minimum, price.currency, locale),
    maximum: formatMoney(maximum ?? 0, price.currency, locale),
  };
  if (minimum > 0) return t(maximum === null ? 'amount.hint.minimum' : 'amount.hint.range', amounts);
  return t(maximum === null ? 'amount.hint.free' : 'amount.hint.maximum', amounts);
}
