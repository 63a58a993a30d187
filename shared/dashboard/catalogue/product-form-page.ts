import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { currencies, isCurrency } from '../../domain/money/currency.ts';
import { amountText } from '../../pages/amount-input.ts';
import { faultOf, hintOf, option, textField } from '../../pages/fields.ts';
import { nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { type CatalogueKey, catalogueTexts, frameTexts } from '../../texts/texts.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { imageField } from '../image-field.ts';
import {
  actionButton,
  checkBox,
  choices,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  textArea,
} from '../parts.ts';
import type { LinkChoice } from '../sharing/link-choice.ts';
import { shareCard } from '../sharing/share-card.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { marketPricesCard, type RefusedMarket } from './market-prices-card.ts';
import { choiceFields, offerFieldset } from './offer-entries.ts';
import type { ProductDraft } from './product-draft.ts';
import { exampleCard, type PlaceOption, type ProductExample } from './product-example.ts';
import type { UnpayableMarket } from './unit-charge.ts';

const commands = dashboardCommands.products;

const section = '/dashboard/products';

interface ProductFormView {
  /** Null while it is being created. */
  product: Product | null;
  draft: ProductDraft;
  faults: readonly FormFault[];
  /** A form of a price for a market that is shown again. */
  market: RefusedMarket | undefined;
  /** Its prices by place that cards cannot be charged. */
  unpayable: readonly UnpayableMarket[];
  /** The image of a form that is shown again. */
  keptImage: string | undefined;
  brands: readonly Brand[];
  places: readonly PlaceOption[];
  example: ProductExample;
  /** The US states in which only the state's tax is collected, although cities add theirs. */
  stateOnly: readonly string[];
  publicUrl: string;
  /** What the merchant wants the link to carry. */
  link: LinkChoice;
  /** Where the tax is added to prices that follow the custom of the place. */
  exclusiveCountries: readonly string[];
}

export function productFormPage(frame: Frame, view: ProductFormView) {
  const { product, faults } = view;
  const t = textsOf(catalogueTexts, frame);
  const title = product?.name ?? t('product.new');
  const main = html`${product?.archived ? archivedNote(frame, product, t) : ''}
${product && !product.archived && shareCard(frame, { product, choice: view.link, publicUrl: view.publicUrl, locale: frame.locale })}
${faultSummary(faults, textsOf(frameTexts, frame))}
${product?.archived ? '' : productForm(frame, view)}
${product && !product.archived && marketPricesCard(frame, product, view)}
${product && !product.archived && archiving(frame, product, t)}`;
  const above = { href: section, label: t('products') };
  const answered = {
    statusCode: faults.length > 0 || view.market ? 422 : 200,
    images: [product?.image ?? null, view.keptImage ?? null],
  };
  return dashboardAnswer(frame, { title, section, above, main }, answered);
}

const archivedNote = (frame: Frame, { id }: Product, t: Texts<CatalogueKey>): Html =>
  html`<section class="card"><p class="note wait">${t('product.archived')}</p>${actionButton(frame, { to: `${section}/${id}`, action: 'restore', needs: commands.restore, label: t('product.restore') })}</section>`;

const archiving = (frame: Frame, { id }: Product, t: Texts<CatalogueKey>): Html =>
  html`<section class="card">${guarded(frame, t('product.archive'), t('product.archive.text'), { to: `${section}/${id}`, action: 'archive', needs: commands.archive, label: t('product.archive.button') })}</section>`;

/** Says where an inclusive price can hide a tax that the merchant owes. */
function stateOnlyWords(codes: readonly string[], t: Texts<CatalogueKey>): string {
  const named = codes.map((state) => `US-${state}`).join(', ');
  return t('stateOnly', { states: codes.length > 5 ? t.count('stateOnly.many', codes.length) : named });
}

function productForm(frame: Frame, view: ProductFormView): Html {
  const { product, draft, faults, stateOnly } = view;
  const t = textsOf(catalogueTexts, frame);
  const to = product ? `${section}/${product.id}` : section;
  return html`<form method="post" action="${to}" enctype="multipart/form-data" data-live="example" novalidate>
${formKeys(frame)}
<div class="columns main-aside">
<div class="stack">
<fieldset class="card"${!may(frame, commands.save) && html` disabled`}><legend class="visually-hidden">${t('product')}</legend><h2>${t('product')}</h2>
${textField({ id: 'name', name: 'name', label: t('product.name'), value: draft.name, isRequired: true, maxLength: 100, hint: t('product.name.hint'), fault: messageAt(faults, 'name') })}
${textArea({ id: 'description', label: t('product.description'), value: draft.description, isRequired: true, maxLength: 1000, hint: t('product.description.hint'), fault: messageAt(faults, 'description') })}
${imageField({ id: 'image', label: t('product.image'), t, current: product?.image ?? null, kept: view.keptImage, fault: messageAt(faults, 'image') })}
${brandField(view, t)}
</fieldset>
<fieldset class="card"${!may(frame, commands.save) && html` disabled`}><legend class="visually-hidden">${t('price')}</legend><h2>${t('price')}</h2>
${priceFields(view, t)}
</fieldset>
<fieldset class="card"${!may(frame, commands.save) && html` disabled`}><legend class="visually-hidden">${t('tax')}</legend><h2>${t('tax')}</h2>
${checkBox({ id: 'tax_inclusive', label: t('product.taxInclusive'), isChecked: draft.taxInclusive, hint: t('product.taxInclusive.hint') })}
${checkBox({
  id: 'tax_by_place',
  label: t('product.taxByPlace'),
  isChecked: draft.isTaxByPlace,
  hint: t('product.taxByPlace.hint', {
    countries: nameCountries(view.exclusiveCountries, t.locale)
      .map(({ name }) => name)
      .join(', '),
  }),
})}
<input type="hidden" name="tax_anchor" value="${draft.taxAnchor}">
${stateOnly.length > 0 && html`<p class="note wait">${stateOnlyWords(stateOnly, t)}</p>`}
${choices(
  'tax_category',
  t('product.category'),
  draft.taxCategory,
  taxCategories.map((value) => ({ value, label: t(`category.${value}`), hint: t(`category.${value}.hint`) })),
)}
</fieldset>
${offerFieldset({ locale: frame.locale, entries: draft.offer, faults }, html`${!may(frame, commands.save) && html` disabled`}`)}
</div>
${exampleCard({ places: view.places, chosen: draft.place, example: view.example }, t)}
</div>
${may(frame, commands.save) && html`<p class="submit"><button class="main" name="action" value="save">${product ? t('save') : t('product.create')}</button></p>`}
</form>`;
}

const brandField = (
  { brands, draft, faults }: ProductFormView,
  t: Texts<CatalogueKey>,
): Html => html`<div class="field"><label for="brand_id">${t('brand')}</label>
<select id="brand_id" name="brand_id">${brands.map(({ id, name }) => option(id, name, id === draft.brandId))}</select>
${hintOf('brand_id', t('product.brand.hint'))}${faultOf('brand_id', messageAt(faults, 'brand_id'))}</div>`;

function priceFields({ draft, faults }: ProductFormView, t: Texts<CatalogueKey>): Html {
  const currencyNames = new Intl.DisplayNames(t.locale, { type: 'currency' });
  const amount = (id: 'price' | 'minimum' | 'suggested' | 'maximum', label: string, hint: string) =>
    codeField({ id, label, value: draft[id], hint, fault: messageAt(faults, id) });
  return html`<p class="hint">${withMarkup(t('product.pricing'), { type: html`<strong>${t('product.pricing.single')}</strong>` })}</p>
<div class="field"><label for="currency">${t('product.currency')}</label><select id="currency" name="currency">${!isCurrency(draft.currency) && option('', t('product.currency.choose'), true)}${currencies.map((code) => option(code, `${code} – ${currencyNames.of(code)}`, code === draft.currency))}</select>${faultOf('currency', messageAt(faults, 'currency'))}</div>
${checkBox({ id: 'pay_what_you_want', label: t('product.open'), isChecked: draft.isOpen, hint: t('product.open.hint') })}
<div class="when-fixed">${amount('price', t('price'), t('product.price.hint', { example: amountText(1_999, 'EUR', t.locale) }))}</div>
<div class="when-chosen pair">${amount('minimum', t('product.minimum'), t('product.minimum.hint'))}${amount('suggested', t('product.suggested'), t('product.suggested.hint'))}${amount('maximum', t('product.maximum'), t('product.maximum.hint'))}</div>
<div class="when-chosen">${chosenTerms(draft, faults, t)}
${choiceFields({ locale: t.locale, entries: draft.offer, faults })}</div>`;
}

/** What else holds for a price that the buyer chooses. */
function chosenTerms(draft: ProductDraft, faults: readonly FormFault[], t: Texts<CatalogueKey>): Html {
  const example = [500, 1_000, 2_500].map((amount) => amountText(amount, 'EUR', t.locale)).join(' ');
  return html`${codeField({ id: 'minimum_net', label: t('product.minimumNet'), value: draft.minimumNet, hint: t('product.minimumNet.hint'), fault: messageAt(faults, 'minimum_net') })}
${codeField({ id: 'preset_amounts', label: t('product.presets'), value: draft.presets, hint: t('product.presets.hint', { example, none: t('product.presets.none') }), fault: messageAt(faults, 'preset_amounts') })}
${checkBox({ id: 'allow_zero', label: t('product.allowZero'), isChecked: draft.allowsZero, hint: t('product.allowZero.hint') })}`;
}

const codeField = (field: {
  id: string;
  label: string;
  value: string;
  hint: string;
  fault: string | undefined;
}): Html => textField({ ...field, name: field.id, maxLength: 80, isCode: true });
