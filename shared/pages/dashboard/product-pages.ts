import type { Brand } from '../../domain/brand.ts';
import { currencies } from '../../domain/currency.ts';
import type { Price } from '../../domain/price.ts';
import type { Product } from '../../domain/product.ts';
import { taxCategories } from '../../domain/tax.ts';
import { faultOf, hintOf, option, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { dashboardAnswer, type Frame } from './frame.ts';
import {
  actionButton,
  badge,
  checkBox,
  choices,
  copyButton,
  copyField,
  emptyState,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  money,
  pager,
  table,
  textArea,
  thumb,
} from './parts.ts';
import type { ProductDraft } from './product-draft.ts';
import { exampleCard, type PlaceOption, type ProductExample } from './product-example.ts';

const section = '/dashboard/products';

export interface ProductListView {
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
${isEmpty ? noProducts(view) : html`<section class="card">${productTable(view)}${pager(view.newest, view.older)}</section>`}`;
  const actions = frame.viewer.canWrite && html`<a class="button" href="${section}/new">Create a product</a>`;
  const images = view.products.map(({ image }) => image);
  return dashboardAnswer(frame, { title: 'Products', section, main, actions: actions || undefined }, { images });
};

const noProducts = ({ archived }: ProductListView): Html =>
  archived
    ? emptyState('Nothing is archived', 'A product that you archive can no longer be bought; it appears here.')
    : emptyState(
        'No products yet',
        'A product has a name, a price and a link that leads to its checkout.',
        html`<a class="button" href="${section}/new">Create your first product</a>`,
      );

const productTable = ({ products, brands, publicUrl }: ProductListView): Html =>
  table(
    'Products',
    [
      {
        label: 'Product',
        cell: ({ id, name, image }) =>
          html`<div class="thing">${thumb(image, name)}<a href="${section}/${id}" dir="auto">${name}</a></div>`,
      },
      { label: 'Price', isNumber: true, cell: ({ price }) => priceText(price) },
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

export function priceText(price: Price): Html {
  const { currency, taxInclusive } = price;
  const tax = html`<span class="hint">${taxInclusive ? 'tax included' : 'plus tax'}</span>`;
  if (price.kind === 'fixed') return html`${money(price.unitAmount, currency)}${tax}`;
  return html`from ${money(price.minimum, currency)}${tax}`;
}

const categoryNames: Readonly<Record<(typeof taxCategories)[number], string>> = {
  digital_products: 'Digital products',
  saas: 'Software as a service',
  e_book: 'E-books',
  edtech: 'Online courses',
  live_tutoring: 'Live tutoring',
};

const categoryHints: Readonly<Record<(typeof taxCategories)[number], string>> = {
  digital_products: 'Downloads, music, films, games, templates.',
  saas: 'Software that is used over the internet.',
  e_book: 'Books and magazines as files; many countries tax them less.',
  edtech: 'Recorded lessons and self-paced courses.',
  live_tutoring: 'Lessons that a person gives; often not taxed as an electronic service.',
};

export interface ProductFormView {
  /** Null while it is being created. */
  product: Product | null;
  draft: ProductDraft;
  faults: readonly FormFault[];
  brands: readonly Brand[];
  places: readonly PlaceOption[];
  example: ProductExample;
  publicUrl: string;
}

export function productFormPage(frame: Frame, view: ProductFormView) {
  const { product, faults } = view;
  const title = product?.name ?? 'New product';
  const main = html`${product?.archived ? archivedNote(frame, product) : ''}
${product && !product.archived && html`<section class="card">${copyField('link', 'Link to buy it', `${view.publicUrl}/buy/${product.id}`)}<p class="hint">Everybody who opens it sees the product, and buys it on the checkout page.</p></section>`}
${faultSummary(faults)}
${product?.archived ? '' : productForm(frame, view)}
${product && !product.archived && archiving(frame, product)}`;
  const above = { href: section, label: 'Products' };
  const answered = { statusCode: faults.length > 0 ? 422 : 200, images: [product?.image ?? null] };
  return dashboardAnswer(frame, { title, section, above, main }, answered);
}

const archivedNote = (frame: Frame, { id }: Product): Html =>
  html`<section class="card"><p class="note wait">This product is archived: it can be read, and neither bought nor changed.</p>${actionButton(frame, { to: `${section}/${id}`, action: 'restore', label: 'Put it back on sale' })}</section>`;

const archiving = (frame: Frame, { id }: Product): Html =>
  html`<section class="card">${guarded(frame, 'Archive this product', 'It can no longer be bought. Checkouts that are open, payments and refunds are not touched.', { to: `${section}/${id}`, action: 'archive', label: 'Archive' })}</section>`;

function productForm(frame: Frame, view: ProductFormView): Html {
  const { product, draft, faults } = view;
  const to = product ? `${section}/${product.id}` : section;
  return html`<form method="post" action="${to}" enctype="multipart/form-data" data-live="example" novalidate>
${formKeys(frame)}
<div class="columns main-aside">
<div class="stack">
<fieldset class="card"${!frame.viewer.canWrite && html` disabled`}><legend class="visually-hidden">Product</legend><h2>Product</h2>
${textField({ id: 'name', name: 'name', label: 'Product name', value: draft.name, isRequired: true, maxLength: 100, hint: 'Shown on the checkout and on invoices.', fault: messageAt(faults, 'name') })}
${textArea({ id: 'description', label: 'Product description', value: draft.description, isRequired: true, maxLength: 1000, hint: 'What the buyer gets, in at most 1,000 characters. Shown before they pay.', fault: messageAt(faults, 'description') })}
${imageField('image', 'Product image', product?.image ?? null, messageAt(faults, 'image'))}
${brandField(view)}
</fieldset>
<fieldset class="card"${!frame.viewer.canWrite && html` disabled`}><legend class="visually-hidden">Price</legend><h2>Price</h2>
${priceFields(view)}
</fieldset>
<fieldset class="card"${!frame.viewer.canWrite && html` disabled`}><legend class="visually-hidden">Tax</legend><h2>Tax</h2>
${checkBox({ id: 'tax_inclusive', label: 'The price includes the tax', isChecked: draft.taxInclusive, hint: 'Buyers pay the displayed price wherever they are; the tax of their country is taken out of it. Otherwise it is added.' })}
${choices(
  'tax_category',
  'Tax category',
  draft.taxCategory,
  taxCategories.map((value) => ({ value, label: categoryNames[value], hint: categoryHints[value] })),
)}
</fieldset>
</div>
${exampleCard(view.places, draft.place, view.example)}
</div>
${frame.viewer.canWrite && html`<p class="submit"><button class="main" name="action" value="save">${product ? 'Save' : 'Create the product'}</button></p>`}
</form>`;
}

/** The image as it is, or as it would be: what is chosen is drawn by the script before it is sent. */
export const imageField = (id: string, label: string, current: string | null, fault: string | undefined): Html =>
  html`<div class="field"><label for="${id}">${label}</label>
${current && html`<img class="picture" id="${id}-now" src="${current}" alt="The image as it is now">`}
<canvas class="picture" id="${id}-next" role="img" aria-label="The image that is chosen" hidden></canvas>
<input type="file" id="${id}" name="image" accept="image/png,image/jpeg,image/webp" data-shows="${id}-next" data-hides="${id}-now" aria-describedby="${id}-hint ${id}-fault"${fault !== undefined && html` aria-invalid="true"`}>
${hintOf(id, 'PNG, JPEG or WebP, at most 3 MB and 8,192 pixels a side. Metadata such as the place of a photo is removed.')}${faultOf(id, fault)}
${current && checkBox({ id: 'remove_image', label: 'Remove the image', isChecked: false })}</div>`;

const brandField = ({
  brands,
  draft,
  faults,
}: ProductFormView): Html => html`<div class="field"><label for="brand_id">Brand</label>
<select id="brand_id" name="brand_id">${brands.map(({ id, name }) => option(id, name, id === draft.brandId))}</select>
${hintOf('brand_id', 'Whose name, colour and logo the checkout shows.')}${faultOf('brand_id', messageAt(faults, 'brand_id'))}</div>`;

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });

function priceFields({ draft, faults }: ProductFormView): Html {
  const amount = (id: 'price' | 'minimum' | 'suggested' | 'maximum', label: string, hint: string) =>
    textField({
      id,
      name: id,
      label,
      value: draft[id],
      maxLength: 40,
      isCode: true,
      hint,
      fault: messageAt(faults, id),
    });
  return html`<p class="hint">Pricing type: <strong>Single payment</strong>. The buyer pays once.</p>
<div class="field"><label for="currency">Currency</label><select id="currency" name="currency">${currencies.map((code) => option(code, `${code} – ${currencyNames.of(code)}`, code === draft.currency))}</select>${faultOf('currency', messageAt(faults, 'currency'))}</div>
${checkBox({ id: 'pay_what_you_want', label: 'Pay what you want', isChecked: draft.isOpen, hint: 'The buyer chooses the amount, from your minimum upwards.' })}
<div class="when-fixed">${amount('price', 'Price', 'What the buyer sees, such as 19.99; 0 makes it free.')}</div>
<div class="when-chosen pair">${amount('minimum', 'Minimum price', 'Less is not accepted; 0 lets buyers take it for nothing.')}${amount('suggested', 'Suggested price (optional)', 'Shown as a recommendation.')}${amount('maximum', 'Maximum price (optional)', 'More is not accepted.')}</div>`;
}
