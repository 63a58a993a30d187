import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type LocalizedPrice, pricingModes } from '../../domain/catalogue/localized-price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { currencies } from '../../domain/money/currency.ts';
import { nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { buyerCountries } from '../../tax/places/countries.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { presentLocalizedPrice } from '../../wire/catalogue/localized-price.ts';
import { type DrawEntry, drawing, type Filled, shownTexts, valueAt } from '../entries.ts';
import { type Frame, may } from '../frame.ts';
import {
  actionButton,
  card,
  choices,
  type DataColumn,
  dataTable,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  money,
} from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { isChosen, marketEntries, marketField, marketTerms } from './market-price-entries.ts';
import { chosenTerms } from './product-entries.ts';
import { unpayableWords } from './product-example.ts';
import type { UnpayableMarket } from './unit-charge.ts';

const commands = dashboardCommands.products;

/** A form that was refused and is shown again. */
export interface RefusedMarket {
  /** The id of the changed price; empty for a new one. */
  priceId: string;
  filled: Filled;
  faults: readonly FormFault[];
}

interface Shown {
  frame: Frame;
  product: Product;
  refused: RefusedMarket | undefined;
  /** Prices that are too low for a card payment. */
  unpayable: readonly UnpayableMarket[];
  t: Texts<TextKey<'prices'>>;
}

/** The card with which the merchant sees, adds, changes and removes the prices of a product for markets. */
export function marketPricesCard(
  frame: Frame,
  product: Product,
  { market: refused, unpayable }: { market: RefusedMarket | undefined; unpayable: readonly UnpayableMarket[] },
): Html {
  const t = textsOf(dashboardTexts('prices'), frame);
  const shown = { frame, product, refused, unpayable, t };
  return card(
    { name: 'markets', title: t('title'), isLinked: true },
    html`${refused && faultSummary(refused.faults, t)}
${product.pricingMode === undefined ? modeForm(shown) : markets(shown, product.pricingMode)}`,
  );
}

const pathOf = ({ id }: Product): string => `/dashboard/products/${id}`;

function modeForm({ frame, product, t }: Shown): Html {
  if (!may(frame, commands.set_markets)) return html`<p class="soft">${t('none')}</p>`;
  const offered = pricingModes.map((value) => ({ value, label: t(`mode.${value}`), hint: t(`mode.${value}.hint`) }));
  return html`<p class="hint">${t('lead')}</p>
<form method="post" action="${pathOf(product)}">${formKeys(frame)}${choices({ id: 'pricing_mode', label: t('mode.legend'), value: 'by_currency', options: offered })}
<p class="submit"><button class="second" name="action" value="set_markets">${t('mode.button')}</button></p></form>`;
}

function markets(shown: Shown, mode: NonNullable<Product['pricingMode']>): Html {
  const { frame, product, refused, t } = shown;
  const prices = product.localizedPrices ?? [];
  const isNew = refused?.priceId === '';
  return html`${unpayableNotes(shown)}<p class="hint">${t(`lead.${mode}`)}</p>
${prices.length === 0 ? html`<p class="soft">${t('none')}</p>` : dataTable(t('title'), columnsOf(shown), prices)}
${may(frame, commands.add_price) && html`<details${(prices.length === 0 || isNew) && html` open`}><summary>${t('add.title')}</summary>${priceForm(shown)}</details>`}
${guarded(frame, t('end.summary'), t('end.text'), {
  ...{ to: pathOf(product), action: 'set_markets', needs: commands.set_markets, label: t('end.button') },
  fields: { pricing_mode: '' },
})}`;
}

/**
 * Notes about prices that are too low for a card payment. This is not an error of the form, as for the product's own
 * price.
 */
function unpayableNotes({ frame, product, unpayable }: Shown): readonly Html[] {
  const words = ({ price: { currency }, unpayable: fault }: UnpayableMarket) =>
    unpayableWords(
      { isChosen: isChosen(product), currency, unpayable: fault },
      textsOf(dashboardTexts('catalogue'), frame),
    );
  return unpayable.map(
    (one) => html`<p class="note wait"><strong>${marketName(one.price, frame)}</strong> – ${words(one)}</p>`,
  );
}

/** The name of a price's market: its country, or its currency if it has no country. */
const marketName = ({ countryCode, currency }: LocalizedPrice, { locale }: Frame): string =>
  countryCode ? (nameCountries([countryCode], locale)[0]?.name ?? countryCode) : currency;

function columnsOf(shown: Shown): DataColumn<LocalizedPrice>[] {
  const { frame, product, t } = shown;
  const { locale } = frame;
  return [
    {
      label: t(product.pricingMode === 'by_country' ? 'column.country' : 'column.currency'),
      cell: (price) => html`<strong>${marketName(price, frame)}</strong>`,
    },
    {
      label: t('column.price'),
      isNumber: true,
      cell: ({ amount, currency }) => {
        const price = money(amount, currency, locale);
        return isChosen(product) ? t('from', { amount: price }) : price;
      },
    },
    ...(isChosen(product)
      ? [{ label: t('column.limits'), cell: (price: LocalizedPrice) => limitsOf(price, shown).join(', ') }]
      : []),
    { label: t('column.tax'), cell: ({ taxInclusive }) => t(taxKey(taxInclusive)) },
    { label: '', spokenLabel: t('column.actions'), cell: (price) => rowActions(shown, price) },
  ];
}

const taxKey = (taxInclusive: boolean | null) =>
  taxInclusive === null ? 'tax.product' : taxInclusive ? 'tax.inclusive' : 'tax.exclusive';

/** The limits of a price that the buyer chooses, in a few words. */
function limitsOf(price: LocalizedPrice, { frame: { locale }, product, t }: Shown): string[] {
  const json = presentLocalizedPrice({ product, price });
  const inWords = (amount: number) => money(amount, price.currency, locale);
  return chosenTerms.flatMap(([, key], index) => {
    const value = valueAt(json, marketTerms[index]?.path ?? '') as number | readonly number[] | null;
    if (value === null) return [];
    if (typeof value === 'number') return [t(key, { amount: inWords(value) })];
    return [value.length > 0 ? t(key, { amounts: value.map(inWords).join(' · ') }) : t('limit.noPresets')];
  });
}

function rowActions(shown: Shown, price: LocalizedPrice): Html {
  const { frame, product, refused, t } = shown;
  if (!may(frame, commands.change_price)) return html``;
  const isRefused = refused?.priceId === price.id;
  const remove = { to: pathOf(product), action: 'archive_price', needs: commands.archive_price, label: t('remove') };
  return html`<details${isRefused && html` open`}><summary>${t('change')}</summary>${priceForm(shown, price)}${actionButton(frame, { ...remove, fields: { price_id: price.id } })}</details>`;
}

/** The form of a new price, or of an existing price. The market of an existing price cannot change. */
function priceForm({ frame, product, refused, t }: Shown, price?: LocalizedPrice): Html {
  const { id: priceId = '' } = price ?? {};
  const entries = marketEntries(product);
  const isRefused = refused?.priceId === priceId;
  const filled = isRefused ? refused.filled : startingTexts(product, price, frame.locale);
  const field = drawing({ ...filled, faults: isRefused ? refused.faults : [] }, marketField(priceId));
  const { currency = '', country = '' } = filled.typed;
  const market =
    priceId === ''
      ? marketFields(field, product, t)
      : html`<input type="hidden" name="price_id" value="${priceId}"><input type="hidden" name="currency" value="${currency}"><input type="hidden" name="country" value="${country}">`;
  const taxes = [null, true, false].map((value) => ({ value: String(value ?? ''), label: t(taxKey(value)) }));
  return html`<form method="post" action="${pathOf(product)}" novalidate>${formKeys(frame)}
${market}
<div class="pair">${field(entries.amount)}${field(entries.tax, { options: taxes })}</div>
${isChosen(product) && choiceFields(field)}
<p class="submit"><button class="second" name="action" value="${priceId === '' ? 'add_price' : 'change_price'}">${t(priceId === '' ? 'add.button' : 'save.button')}</button></p></form>`;
}

/** The first entries of the form. A new price by country starts with the product's currency. */
function startingTexts(product: Product, price: LocalizedPrice | undefined, locale: Locale): Filled {
  const currency = product.pricingMode === 'by_country' ? product.price.currency : null;
  const json = price ? presentLocalizedPrice({ product, price }) : { currency };
  return { typed: shownTexts(marketEntries(product), json, locale), locale };
}

function choiceFields(field: DrawEntry): Html {
  const [first, second, ...others] = marketTerms.map((entry) => field(entry));
  return html`<div class="pair">${first}${second}</div>
${others}`;
}

function marketFields(field: DrawEntry, product: Product, t: Texts<TextKey<'prices'>>): Html {
  const entries = marketEntries(product);
  const none = { value: '', label: t('field.choose') };
  const countries = nameCountries(buyerCountries, t.locale).map(({ code, name }) => ({ value: code, label: name }));
  const codes = currencies.map((code) => ({ value: code, label: code }));
  return html`<div class="pair">${product.pricingMode === 'by_country' && field(entries.country, { options: [none, ...countries] })}${field(entries.currency, { options: [none, ...codes] })}</div>`;
}
