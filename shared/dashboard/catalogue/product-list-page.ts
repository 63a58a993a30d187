import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import type { Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { badge, copyButton, dataTable, emptyState, money, pager, thumb } from '../parts.ts';
import { priceTexts } from './market-price-draft.ts';
import { categoryNames } from './tax-categories.ts';

const commands = dashboardCommands.products;

const section = '/dashboard/products';

interface ProductListView {
  products: readonly Product[];
  archived: boolean;
  brands: readonly Brand[];
  publicUrl: string;
  newest: string | undefined;
  older: string | undefined;
}

export const productListPage = (frame: Frame, view: ProductListView) => {
  const isEmpty = view.products.length === 0 && view.newest === undefined;
  const main = html`<nav class="tabs" aria-label="Which products"><a href="${section}"${!view.archived && html` aria-current="true"`}>On sale</a><a href="${section}?archived=true"${view.archived && html` aria-current="true"`}>Archived</a></nav>
${isEmpty ? noProducts(view) : html`<section class="card">${productTable(frame, view)}${pager(view.newest, view.older)}</section>`}`;
  const actions = may(frame, commands.save) && html`<a class="button" href="${section}/new">Create a product</a>`;
  const images = view.products.map(({ image }) => image);
  return dashboardAnswer(frame, { title: 'Products', section, main, actions: actions || undefined }, { images });
};

const noProducts = ({ archived }: ProductListView): Html =>
  archived
    ? emptyState('No archived products', 'Archived products appear here. They can no longer be bought.')
    : emptyState(
        'No products yet',
        'A product has a name, a price and a link that leads to its checkout.',
        html`<a class="button" href="${section}/new">Create your first product</a>`,
      );

const productTable = (frame: Frame, { products, brands, publicUrl }: ProductListView): Html =>
  dataTable(
    'Products',
    [
      {
        label: 'Product',
        cell: ({ id, name, image }) =>
          html`<div class="thing">${thumb(image, name)}<a href="${section}/${id}" dir="auto">${name}</a></div>`,
      },
      {
        label: 'Price',
        isNumber: true,
        cell: ({ price, localizedPrices = [] }) =>
          html`${priceText(price)}${placesHint(localizedPrices.length, frame)}`,
      },
      { label: 'Tax', cell: (product) => categoryNames[product.taxCategory] },
      { label: 'Brand', cell: ({ brandId }) => brands.find(({ id }) => id === brandId)?.name ?? brandId },
      {
        label: 'Link',
        cell: ({ id, archived }) =>
          archived
            ? badge('archived')
            : html`<span class="actions"><a href="/buy/${id}">Open</a>${copyButton(`${publicUrl}/buy/${id}`, 'Copy link')}</span>`,
      },
    ],
    products,
  );

/** How many prices a product has for other places. */
const placesHint = (count: number, { locale }: Frame): Html =>
  count === 0
    ? html``
    : html`<span class="hint" lang="${locale}">${priceTexts({ locale })('list.count', { count: String(count) })}</span>`;

function taxWords({ taxInclusive, taxByPlace }: Price): string {
  if (taxByPlace) return 'tax by place';
  return taxInclusive ? 'tax included' : 'plus tax';
}

function priceText(price: Price): Html {
  const { currency } = price;
  const tax = html`<span class="hint">${taxWords(price)}</span>`;
  if (price.kind === 'fixed') return html`${money(price.unitAmount, currency)}${tax}`;
  return html`from ${money(price.minimum, currency)}${tax}`;
}
