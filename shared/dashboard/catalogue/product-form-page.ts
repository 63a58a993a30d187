import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { currencies, isCurrency } from '../../domain/money/currency.ts';
import { faultOf, hintOf, option, textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { imageField } from '../image-field.ts';
import {
  actionButton,
  checkBox,
  choices,
  copyField,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  textArea,
} from '../parts.ts';
import { marketPricesCard, type RefusedMarket } from './market-prices-card.ts';
import { choiceFields, offerFieldset } from './offer-entries.ts';
import { exampleCard, type PlaceOption, type ProductExample } from './product-example.ts';
import type { ProductDraft } from './read-product-form.ts';
import { categoryHints, categoryNames } from './tax-categories.ts';

const commands = dashboardCommands.products;

const section = '/dashboard/products';

interface ProductFormView {
  /** Null while it is being created. */
  product: Product | null;
  draft: ProductDraft;
  faults: readonly FormFault[];
  /** A form of a price for a market that is shown again. */
  market: RefusedMarket | undefined;
  /** The image of a form that is shown again. */
  keptImage: string | undefined;
  brands: readonly Brand[];
  places: readonly PlaceOption[];
  example: ProductExample;
  /** The US states in which only the state's tax is collected, although cities add theirs. */
  stateOnly: readonly string[];
  publicUrl: string;
  /** Where the tax is added to prices that follow the custom of the place. */
  exclusiveCountries: readonly string[];
}

export function productFormPage(frame: Frame, view: ProductFormView) {
  const { product, faults } = view;
  const title = product?.name ?? 'New product';
  const main = html`${product?.archived ? archivedNote(frame, product) : ''}
${
  product &&
  !product.archived &&
  html`<section class="card">${copyField('link', 'Link to buy it', `${view.publicUrl}/buy/${product.id}`)}<p class="hint">It shows the product and leads to the checkout page. Add <code>?quantity=2</code>, <code>?email=…</code>, <code>?lang=de</code> or, for “pay what you want”, <code>?amount=1500</code> in minor units.</p>
${copyField('embed', 'Button for your site', embedCode(product, view.publicUrl))}</section>`
}
${faultSummary(faults)}
${product?.archived ? '' : productForm(frame, view)}
${product && !product.archived && marketPricesCard(frame, product, view.market)}
${product && !product.archived && archiving(frame, product)}`;
  const above = { href: section, label: 'Products' };
  const answered = {
    statusCode: faults.length > 0 || view.market ? 422 : 200,
    images: [product?.image ?? null, view.keptImage ?? null],
  };
  return dashboardAnswer(frame, { title, section, above, main }, answered);
}

/** A link that looks like a button on any site, without a script. */
const embedCode = ({ id, name }: Product, publicUrl: string): string =>
  html`<a href="${publicUrl}/buy/${id}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#0b5c58;color:#fff;font:600 16px system-ui,sans-serif;text-decoration:none">${name}</a>`
    .text;

const archivedNote = (frame: Frame, { id }: Product): Html =>
  html`<section class="card"><p class="note wait">This product is archived. It cannot be bought or changed.</p>${actionButton(frame, { to: `${section}/${id}`, action: 'restore', needs: commands.restore, label: 'Put it back on sale' })}</section>`;

const archiving = (frame: Frame, { id }: Product): Html =>
  html`<section class="card">${guarded(frame, 'Archive this product', 'It can no longer be bought. Open checkouts, payments and refunds do not change.', { to: `${section}/${id}`, action: 'archive', needs: commands.archive, label: 'Archive' })}</section>`;

/** Says where an inclusive price can hide a tax that the merchant owes. */
const stateOnlyWords = (states: readonly string[]): string =>
  `In ${states.length > 5 ? `${states.length} US states` : states.map((state) => `US-${state}`).join(', ')}, only the state’s tax is collected. Cities and counties add their own. If you owe those, they come out of a price that includes the tax. The example shows what each 1 % costs you.`;

function productForm(frame: Frame, view: ProductFormView): Html {
  const { product, draft, faults, stateOnly } = view;
  const to = product ? `${section}/${product.id}` : section;
  return html`<form method="post" action="${to}" enctype="multipart/form-data" data-live="example" novalidate>
${formKeys(frame)}
<div class="columns main-aside">
<div class="stack">
<fieldset class="card"${!may(frame, commands.save) && html` disabled`}><legend class="visually-hidden">Product</legend><h2>Product</h2>
${textField({ id: 'name', name: 'name', label: 'Product name', value: draft.name, isRequired: true, maxLength: 100, hint: 'Shown on the checkout and on invoices.', fault: messageAt(faults, 'name') })}
${textArea({ id: 'description', label: 'Product description', value: draft.description, isRequired: true, maxLength: 1000, hint: 'What the buyer gets, in at most 1,000 characters. Shown before they pay.', fault: messageAt(faults, 'description') })}
${imageField({ id: 'image', label: 'Product image', current: product?.image ?? null, kept: view.keptImage, fault: messageAt(faults, 'image') })}
${brandField(view)}
</fieldset>
<fieldset class="card"${!may(frame, commands.save) && html` disabled`}><legend class="visually-hidden">Price</legend><h2>Price</h2>
${priceFields(frame, view)}
</fieldset>
<fieldset class="card"${!may(frame, commands.save) && html` disabled`}><legend class="visually-hidden">Tax</legend><h2>Tax</h2>
${checkBox({ id: 'tax_inclusive', label: 'The price includes the tax', isChecked: draft.taxInclusive, hint: 'Buyers pay the displayed price everywhere, and the tax of their country is part of it. Without this, the tax is added.' })}
${checkBox({ id: 'tax_by_place', label: 'Follow the custom of the buyer’s country', isChecked: draft.isTaxByPlace, hint: `The same number, with the tax in it, except in ${view.exclusiveCountries.join(', ')}, where the tax is added. The box above then has no effect.` })}
<input type="hidden" name="tax_anchor" value="${draft.taxAnchor}">
${stateOnly.length > 0 && html`<p class="note wait">${stateOnlyWords(stateOnly)}</p>`}
${choices(
  'tax_category',
  'Tax category',
  draft.taxCategory,
  taxCategories.map((value) => ({ value, label: categoryNames[value], hint: categoryHints[value] })),
)}
</fieldset>
${offerFieldset({ locale: frame.locale, entries: draft.offer, faults }, html`${!may(frame, commands.save) && html` disabled`}`)}
</div>
${exampleCard(view.places, draft.place, view.example)}
</div>
${may(frame, commands.save) && html`<p class="submit"><button class="main" name="action" value="save">${product ? 'Save' : 'Create the product'}</button></p>`}
</form>`;
}

const brandField = ({
  brands,
  draft,
  faults,
}: ProductFormView): Html => html`<div class="field"><label for="brand_id">Brand</label>
<select id="brand_id" name="brand_id">${brands.map(({ id, name }) => option(id, name, id === draft.brandId))}</select>
${hintOf('brand_id', 'The checkout shows its name, colour and logo.')}${faultOf('brand_id', messageAt(faults, 'brand_id'))}</div>`;

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });

function priceFields({ locale }: Frame, { draft, faults }: ProductFormView): Html {
  const amount = (id: 'price' | 'minimum' | 'suggested' | 'maximum', label: string, hint: string) =>
    codeField({ id, label, value: draft[id], hint, fault: messageAt(faults, id) });
  return html`<p class="hint">Pricing type: <strong>Single payment</strong>. The buyer pays once.</p>
<div class="field"><label for="currency">Currency</label><select id="currency" name="currency">${!isCurrency(draft.currency) && option('', 'Choose a currency', true)}${currencies.map((code) => option(code, `${code} – ${currencyNames.of(code)}`, code === draft.currency))}</select>${faultOf('currency', messageAt(faults, 'currency'))}</div>
${checkBox({ id: 'pay_what_you_want', label: 'Pay what you want', isChecked: draft.isOpen, hint: 'The buyer chooses the amount, at least your minimum.' })}
<div class="when-fixed">${amount('price', 'Price', 'The displayed price, such as 19.99. 0 makes the product free.')}</div>
<div class="when-chosen pair">${amount('minimum', 'Minimum price', 'Lower amounts are refused. 0 lets buyers pay nothing.')}${amount('suggested', 'Suggested price (optional)', 'Shown as a recommendation.')}${amount('maximum', 'Maximum price (optional)', 'Higher amounts are refused.')}</div>
<div class="when-chosen">${chosenTerms(draft, faults)}
${choiceFields({ locale, entries: draft.offer, faults })}</div>`;
}

/** What else holds for a price that the buyer chooses. */
function chosenTerms(draft: ProductDraft, faults: readonly FormFault[]): Html {
  return html`${codeField({ id: 'minimum_net', label: 'What you keep at least (optional)', value: draft.minimumNet, hint: 'Of one unit, after any tax. Where the price includes the tax, the minimum rises with the tax of the buyer’s place.', fault: messageAt(faults, 'minimum_net') })}
${codeField({ id: 'preset_amounts', label: 'Amounts to choose from (optional)', value: draft.presets, hint: 'At most six, with spaces between: 5.00 10.00 25.00. Empty: the page computes them. “none”: no buttons.', fault: messageAt(faults, 'preset_amounts') })}
${checkBox({ id: 'allow_zero', label: 'Buyers may also pay nothing', isChecked: draft.allowsZero, hint: 'Nothing, or at least the minimum. Amounts between are refused.' })}`;
}

const codeField = (field: {
  id: string;
  label: string;
  value: string;
  hint: string;
  fault: string | undefined;
}): Html => textField({ ...field, name: field.id, maxLength: 80, isCode: true });
