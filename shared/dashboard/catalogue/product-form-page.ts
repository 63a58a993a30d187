import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { mostUnits } from '../../domain/catalogue/adjustable-quantity.ts';
import type { Brand } from '../../domain/catalogue/brand.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import { currencies, isCurrency } from '../../domain/money/currency.ts';
import { formatCount, nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { ProductBuyers } from '../../use-cases/reports/search-payments.ts';
import { givenCard } from '../entitlements/given-card.ts';
import { type DrawEntry, drawing, type Entry, type Filled, type Typed } from '../entries.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { imageField } from '../image-field.ts';
import {
  actionButton,
  card,
  type FormFault,
  faultSummary,
  fieldCard,
  foldedCard,
  formKeys,
  guarded,
  messageAt,
} from '../parts.ts';
import type { LinkChoice } from '../sharing/link-choice.ts';
import { shareCard } from '../sharing/share-card.ts';
import { type Texts, textsOf, withMarkup } from '../texts.ts';
import { buyersCard } from './buyers-card.ts';
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
  /** The product of which this form for a new one shows a copy. */
  copied: Product | undefined;
  /** Who bought the product; undefined for a new one, and while a form is posted. */
  buyers: ProductBuyers | undefined;
}

export function productFormPage(frame: Frame, view: ProductFormView) {
  const { product, faults } = view;
  const t = textsOf(dashboardTexts('catalogue'), frame);
  const title = product?.name ?? t('product.new');
  const main = html`${product?.archived ? archivedNote(frame, product, t) : ''}
${product && !product.archived && buyersCards(frame, product, view)}
${view.copied && html`<p class="note">${t('product.copied', { name: view.copied.name })}</p>`}${faultSummary(faults, t)}
${product?.archived ? '' : productForm(frame, view)}
${product && cardsBelow(frame, product, view)}`;
  const above = { href: section, label: t('products') };
  const answered = {
    statusCode: faults.length > 0 || view.market ? 422 : 200,
    images: [product?.image ?? null, view.keptImage ?? null],
  };
  const content = {
    title,
    section,
    above,
    main,
    changes: commands.save,
    actions: copyLink(frame, product, t),
  } as const;
  return dashboardAnswer(frame, content, answered);
}

/** The cards below the form. An archived product has only its buyers. */
function cardsBelow(frame: Frame, product: Product, view: ProductFormView): Html {
  const t = textsOf(dashboardTexts('catalogue'), frame);
  const buyers = view.buyers && buyersCard(frame, product, view.buyers);
  if (product.archived) return html`${buyers}`;
  return html`${marketPricesCard(frame, product, view)}
${buyers}
${archiving(frame, product, t)}`;
}

const copyLink = (frame: Frame, product: Product | null, t: Texts<TextKey<'catalogue'>>): Html | undefined =>
  product && may(frame, commands.save)
    ? html`<a class="button second" href="${`${section}/new?copy=${product.id}`}">${t('product.duplicate')}</a>`
    : undefined;

/** The cards about links to the product, and about what its buyers get. */
const buyersCards = (frame: Frame, product: Product, { link: choice, publicUrl, given }: ProductFormView): Html =>
  html`${shareCard(frame, { product, choice, publicUrl, locale: frame.locale })}
${givenCard(frame, product, given)}`;

const archivedNote = (frame: Frame, { id }: Product, t: Texts<TextKey<'catalogue'>>): Html =>
  card(
    {},
    html`<p class="note wait">${t('product.archived')}</p>${actionButton(frame, { to: `${section}/${id}`, action: 'restore', needs: commands.restore, label: t('product.restore') })}`,
  );

const archiving = (frame: Frame, { id }: Product, t: Texts<TextKey<'catalogue'>>): Html | false =>
  may(frame, commands.archive) &&
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

/**
 * The form. What every product needs comes first. The other fields are folded, and a line says what is set in them. A
 * folded part with an error is open.
 */
function productForm(frame: Frame, view: ProductFormView): Html {
  const { product, filled, faults } = view;
  const t = textsOf(dashboardTexts('catalogue'), frame);
  const o = textsOf(dashboardTexts('offer'), frame);
  const field = drawing({ ...filled, faults });
  const to = product ? `${section}/${product.id}` : section;
  const isLocked = !may(frame, commands.save);
  const isChanged = faults.length > 0 || view.copied !== undefined;
  return html`<form method="post" action="${to}" enctype="multipart/form-data" data-live="example" data-unsaved="${isChanged ? 'true' : ''}" novalidate>
${formKeys(frame)}
<div class="columns main-aside">
<div class="stack">
${fieldCard(
  { title: t('product'), isLocked },
  html`${field(entries.name)}
${field(entries.description)}
${imageField({ id: 'image', label: t('product.image'), t, current: product?.image ?? null, kept: view.keptImage, fault: messageAt(faults, 'image') })}`,
)}${fieldCard({ title: t('price'), isLocked }, priceFields(field, view, t))}${fieldCard(
  { title: o('delivery'), isLocked },
  html`<p class="hint">${o('delivery.hint')}</p>
${field(entries.instructions)}
${field(entries.url)}`,
)}${foldedParts(field, view, isLocked, t)}</div>
${exampleCard({ places: view.places, chosen: view.place, example: view.example }, t)}
</div>
${!isLocked && html`<p class="submit bar"><button class="main" name="action" value="save">${product ? t('save') : t('product.create')}</button></p>`}
</form>`;
}

/** The parts of the form that most products leave as they are. */
function foldedParts(
  field: DrawEntry,
  { filled: { typed }, faults, brands, stateOnly, exclusiveCountries }: ProductFormView,
  isLocked: boolean,
  t: Texts<TextKey<'catalogue'>>,
): Html {
  const o = textsOf(dashboardTexts('offer'), t);
  const hasFault = (...parts: readonly Entry[]) => parts.some(({ name }) => messageAt(faults, name) !== undefined);
  const { taxInclusive, taxByPlace, taxAnchor, category, supply, brand } = entries;
  const unfolds = hasFault(taxInclusive, taxByPlace, category, supply);
  return html`${stateOnly.length > 0 && html`<p class="note wait">${stateOnlyWords(stateOnly, t)}</p>`}${foldedCard(
    { title: t('tax'), shown: taxSet(typed, t), isLocked, isOpen: unfolds },
    html`${field(taxInclusive)}
${field(taxByPlace, { hint: t('product.taxByPlace.hint', { countries: countryNames(exclusiveCountries, t.locale) }) })}
${field(taxAnchor)}
${field(category)}
${field(supply)}`,
  )}${foldedCard(
    {
      title: o('quantity'),
      shown: unitsSet(typed, o),
      isLocked,
      isOpen: hasFault(entries.leastUnits, entries.mostUnits),
    },
    html`<div class="pair">${field(entries.leastUnits)}${field(entries.mostUnits)}</div>
<p class="hint">${o('quantity.hint')}</p>`,
  )}${foldedCard(
    {
      title: t('brand'),
      shown: brands.find(({ id }) => id === typed['brand_id'])?.name ?? '',
      isLocked,
      isOpen: hasFault(brand),
    },
    field(brand, { options: brands.map(({ id, name }) => ({ value: id, label: name })) }),
  )}`;
}

/** The tax category, and whether the tax is in the price, in a line. */
function taxSet(typed: Typed, t: Texts<TextKey<'catalogue'>>): string {
  const category = t.find(`category.${typed['tax_category']}`) ?? '';
  if (typed['tax_by_place']) return `${category}, ${t('tax.byPlace')}`;
  return `${category}, ${t(typed['tax_inclusive'] ? 'tax.included' : 'tax.plus')}`;
}

function unitsSet(typed: Typed, o: Texts<TextKey<'offer'>>): string {
  const { quantity_least: least, quantity_most: most } = typed;
  if (!least && !most) return o('quantity.none');
  return o('quantity.range', { least: least || '1', most: most || formatCount(mostUnits, o.locale) });
}

const countryNames = (codes: readonly string[], locale: Locale): string =>
  nameCountries(codes, locale)
    .map(({ name }) => name)
    .join(', ');

function priceFields(
  field: DrawEntry,
  { filled: { typed }, faults }: ProductFormView,
  t: Texts<TextKey<'catalogue'>>,
): Html {
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
<details class="when-chosen"${choiceEntries.some(({ name }) => messageAt(faults, name)) && html` open`}><summary>${t('product.more')} <span class="soft">${choiceEntries
    .map(({ name }) => (typed[name] === 'true' ? '' : typed[name]))
    .filter(Boolean)
    .join(' · ')}</span></summary>${choiceEntries.map((entry) => field(entry))}</details>`;
}
