import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import type { Price } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { badge, card, copyButton, dataTable, emptyState, formKeys, money, pager, thumb } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

const commands = dashboardCommands.products;

const section = '/dashboard/products';

interface ProductListView {
  products: readonly Product[];
  archived: boolean;
  brands: readonly Brand[];
  publicUrl: string;
  newest: string | undefined;
  older: string | undefined;
  /** Why the ticked products were not archived. */
  fault?: string | undefined;
}

export const productListPage = (frame: Frame, view: ProductListView) => {
  const t = textsOf(dashboardTexts('catalogue'), frame);
  const isEmpty = view.products.length === 0 && view.newest === undefined;
  const main = html`<nav class="tabs" aria-label="${t('products.which')}"><a href="${section}"${!view.archived && html` aria-current="true"`}>${t('products.onSale')}</a><a href="${section}?archived=true"${view.archived && html` aria-current="true"`}>${t('products.archived')}</a></nav>
${isEmpty ? noProducts(frame, view, t) : card({}, html`${listed(frame, view, t)}${pager(view.newest, view.older, t)}`)}`;
  const actions =
    may(frame, commands.save) && html`<a class="button" href="${section}/new">${t('products.create')}</a>`;
  const images = view.products.map(({ image }) => image);
  const content = { title: t('products'), section, main, actions: actions || undefined } as const;
  return dashboardAnswer(frame, content, { images, statusCode: view.fault ? 422 : 200 });
};

const noProducts = (frame: Frame, { archived }: ProductListView, t: Texts<TextKey<'catalogue'>>): Html =>
  archived
    ? emptyState(t('products.noArchived'), t('products.noArchived.text'))
    : emptyState(
        t('products.none'),
        t('products.none.text'),
        may(frame, commands.save)
          ? html`<a class="button" href="${section}/new">${t('products.createFirst')}</a>`
          : undefined,
      );

/** The table, and the form that archives the ticked products. */
function listed(frame: Frame, view: ProductListView, t: Texts<TextKey<'catalogue'>>): Html {
  const mayArchive = !view.archived && may(frame, commands.archive_several);
  const table = productTable(view, mayArchive, t);
  if (!mayArchive) return table;
  return html`<form method="post" action="${section}">${formKeys(frame)}
${view.fault && html`<p class="note fault-note" role="alert">${view.fault}</p>`}${table}
<details class="guarded"><summary>${t('products.archiveSeveral')}</summary><p class="hint">${t('products.archiveSeveral.text')}</p>
<p class="submit"><button class="second danger" name="action" value="archive_several">${t('products.archiveSeveral')}</button></p></details></form>`;
}

const productTable = (
  { products, brands, publicUrl }: ProductListView,
  hasBoxes: boolean,
  t: Texts<TextKey<'catalogue'>>,
): Html =>
  dataTable(
    t('products'),
    [
      {
        label: t('product'),
        cell: ({ id, name, image }) =>
          html`<div class="thing">${hasBoxes && html`<input type="checkbox" name="product_id" value="${id}" aria-label="${t('products.tick', { name })}">`}${thumb(image, name)}<a href="${section}/${id}" dir="auto">${name}</a></div>`,
      },
      {
        label: t('price'),
        isNumber: true,
        cell: ({ price, localizedPrices = [] }) =>
          html`${priceText(price, t)}${placesHint(localizedPrices.length, t.locale)}`,
      },
      { label: t('tax'), cell: (product) => t(`category.${product.taxCategory}`) },
      { label: t('brand'), cell: ({ brandId }) => brands.find(({ id }) => id === brandId)?.name ?? brandId },
      {
        label: t('link'),
        cell: ({ id, archived }) =>
          archived
            ? badge('archived', 'none', t('archived'))
            : html`<span class="actions"><a href="/buy/${id}">${t('link.open')}</a>${copyButton(`${publicUrl}/buy/${id}`, t('link.copy'))}</span>`,
      },
    ],
    products,
  );

/** A note on how many prices for other markets a product has. */
const placesHint = (count: number, locale: Locale): Html =>
  count === 0
    ? html``
    : html`<span class="hint">${textsOf(dashboardTexts('prices'), { locale })('list.count', { count: String(count) })}</span>`;

function taxWords({ taxInclusive, taxByPlace }: Price): 'tax.byPlace' | 'tax.included' | 'tax.plus' {
  if (taxByPlace) return 'tax.byPlace';
  return taxInclusive ? 'tax.included' : 'tax.plus';
}

function priceText(price: Price, t: Texts<TextKey<'catalogue'>>): Html {
  const { currency } = price;
  const tax = html`<span class="hint">${t(taxWords(price))}</span>`;
  if (price.kind === 'fixed') return html`${money(price.unitAmount, currency, t.locale)}${tax}`;
  return html`${t('price.from', { amount: money(price.minimum, currency, t.locale) })}${tax}`;
}
