import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { currencies, isCurrency } from '../../domain/money/currency.ts';
import { nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { givenCard } from '../entitlements/given-card.ts';
import { type DrawEntry, drawing, type Filled } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { imageField } from '../image-field.ts';
import { actionButton, card, type FormFault, faultSummary, fieldCard, formKeys, guarded, messageAt } from '../parts.ts';
import type { LinkChoice } from '../sharing/link-choice.ts';
import { shareCard } from '../sharing/share-card.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { marketPricesCard, type RefusedMarket } from './market-prices-card.ts';
import { choiceEntries, productEntries as entries } from './product-entries.ts';
import { exampleCard, type PlaceOption, type ProductExample } from './product-example.ts';
import type { UnpayableMarket } from './unit-charge.ts';

const commands = dashboardCommands.products;

const section = '/dashboard/products';

interface ProductFormView {
  /** The product; null for a new one. */
  product: Product | null;
  filled: Filled;
  faults: readonly FormFault[];
  /** The form of a market's price that is shown again after an error. */
  market: RefusedMarket | undefined;
  /** Prices for markets that are too low for a card payment. */
  unpayable: readonly UnpayableMarket[];
  /** The image in a form that is shown again after an error. */
  keptImage: string | undefined;
  brands: readonly Brand[];
  /** The place of the price example, such as `DE` or `US-TX`. */
  place: string;
  places: readonly PlaceOption[];
  example: ProductExample;
  /** US states in which the merchant collects only the state's tax, although cities add taxes. */
  stateOnly: readonly string[];
  publicUrl: string;
  /** The link parameters that the merchant chose. */
  link: LinkChoice;
  /** The countries in which tax is added to prices whose tax mode is `location`. */
  exclusiveCountries: readonly string[];
  /** The entitlements that the product gives. */
  given: readonly Entitlement[];
}

export function productFormPage(frame: Frame, view: ProductFormView) {
  const { product, faults } = view;
  const t = textsOf(dashboardTexts('catalogue'), frame);
  const title = product?.name ?? t('product.new');
  const main = html`${product?.archived ? archivedNote(frame, product, t) : ''}
${product && !product.archived && buyersCards(frame, product, view)}
${faultSummary(faults, t)}
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

/** The cards about links to the product, and about what its buyers get. */
const buyersCards = (frame: Frame, product: Product, { link: choice, publicUrl, given }: ProductFormView): Html =>
  html`${shareCard(frame, { product, choice, publicUrl, locale: frame.locale })}
${givenCard(frame, product, given)}`;

const archivedNote = (frame: Frame, { id }: Product, t: Texts<TextKey<'catalogue'>>): Html =>
  card(
    {},
    html`<p class="note wait">${t('product.archived')}</p>${actionButton(frame, { to: `${section}/${id}`, action: 'restore', needs: commands.restore, label: t('product.restore') })}`,
  );

const archiving = (frame: Frame, { id }: Product, t: Texts<TextKey<'catalogue'>>): Html =>
  card(
    {},
    guarded(frame, t('product.archive'), t('product.archive.text'), {
      to: `${section}/${id}`,
      action: 'archive',
      needs: commands.archive,
      label: t('product.archive.button'),
    }),
  );

/** A note about states in which an inclusive price may not contain a local tax that the merchant owes. */
function stateOnlyWords(codes: readonly string[], t: Texts<TextKey<'catalogue'>>): string {
  const named = codes.map((state) => `US-${state}`).join(', ');
  return t('stateOnly', { states: codes.length > 5 ? t.count('stateOnly.many', codes.length) : named });
}

function productForm(frame: Frame, view: ProductFormView): Html {
  const { product, filled, faults, stateOnly } = view;
  const t = textsOf(dashboardTexts('catalogue'), frame);
  const o = textsOf(dashboardTexts('offer'), frame);
  const field = drawing({ ...filled, faults });
  const to = product ? `${section}/${product.id}` : section;
  const isLocked = !may(frame, commands.save);
  return html`<form method="post" action="${to}" enctype="multipart/form-data" data-live="example" novalidate>
${formKeys(frame)}
<div class="columns main-aside">
<div class="stack">
${fieldCard(
  { title: t('product'), isLocked },
  html`${field(entries.name)}
${field(entries.description)}
${imageField({ id: 'image', label: t('product.image'), t, current: product?.image ?? null, kept: view.keptImage, fault: messageAt(faults, 'image') })}
${field(entries.brand, { options: view.brands.map(({ id, name }) => ({ value: id, label: name })) })}`,
)}${fieldCard({ title: t('price'), isLocked }, priceFields(field, filled, t))}${fieldCard(
  { title: t('tax'), isLocked },
  html`${field(entries.taxInclusive)}
${field(entries.taxByPlace, { hint: t('product.taxByPlace.hint', { countries: countryNames(view.exclusiveCountries, t.locale) }) })}
${field(entries.taxAnchor)}
${stateOnly.length > 0 && html`<p class="note wait">${stateOnlyWords(stateOnly, t)}</p>`}
${field(entries.category)}
${field(entries.supply)}`,
)}${fieldCard(
  { title: o('quantity'), isLocked },
  html`<div class="pair">${field(entries.leastUnits)}${field(entries.mostUnits)}</div>
<p class="hint">${o('quantity.hint')}</p>`,
)}${fieldCard(
  { title: o('delivery'), isLocked },
  html`<p class="hint">${o('delivery.hint')}</p>
${field(entries.instructions)}
${field(entries.url)}`,
)}</div>
${exampleCard({ places: view.places, chosen: view.place, example: view.example }, t)}
</div>
${!isLocked && html`<p class="submit"><button class="main" name="action" value="save">${product ? t('save') : t('product.create')}</button></p>`}
</form>`;
}

const countryNames = (codes: readonly string[], locale: Locale): string =>
  nameCountries(codes, locale)
    .map(({ name }) => name)
    .join(', ');

function priceFields(field: DrawEntry, { typed }: Filled, t: Texts<TextKey<'catalogue'>>): Html {
  const names = new Intl.DisplayNames(t.locale, { type: 'currency' });
  const known = currencies.map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
  const none = { value: '', label: t('product.currency.choose') };
  const { currency = '' } = typed;
  const list = isCurrency(currency) ? { options: known } : { options: [none, ...known], value: '' };
  return html`<p class="hint">${withMarkup(t('product.pricing'), { type: html`<strong>${t('product.pricing.single')}</strong>` })}</p>
${field(entries.currency, list)}
${field(entries.isOpen)}
<div class="when-fixed">${field(entries.price)}</div>
<div class="when-chosen pair">${field(entries.minimum)}${field(entries.suggested)}${field(entries.maximum)}</div>
<div class="when-chosen">${choiceEntries.map((entry) => field(entry))}</div>`;
}
