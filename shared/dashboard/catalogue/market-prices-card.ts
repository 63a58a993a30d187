import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { type LocalizedPrice, pricingModes } from '../../domain/catalogue/localized-price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { currencies } from '../../domain/money/currency.ts';
import { faultOf, hintOf, option, textField } from '../../pages/fields.ts';
import { nameCountries } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { buyerCountries } from '../../tax/places/countries.ts';
import { catalogueTexts, frameTexts, type PricesKey, pricesTexts } from '../../texts/texts.ts';
import { type Frame, may } from '../frame.ts';
import {
  actionButton,
  choices,
  type DataColumn,
  dataTable,
  type FormFault,
  faultSummary,
  formKeys,
  guarded,
  messageAt,
  money,
} from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { draftOfMarket, type MarketDraft, marketField, newMarketDraft } from './market-price-draft.ts';
import { unpayableWords } from './product-example.ts';
import type { UnpayableMarket } from './unit-charge.ts';

const commands = dashboardCommands.products;

/** A form that was refused. */
export interface RefusedMarket {
  draft: MarketDraft;
  faults: readonly FormFault[];
}

interface Shown {
  frame: Frame;
  product: Product;
  refused: RefusedMarket | undefined;
  /** Prices that cards cannot be charged. */
  unpayable: readonly UnpayableMarket[];
  t: Texts<PricesKey>;
}

/** Where the product's prices differ by place: see, add, change and remove them. */
export function marketPricesCard(
  frame: Frame,
  product: Product,
  { market: refused, unpayable }: { market: RefusedMarket | undefined; unpayable: readonly UnpayableMarket[] },
): Html {
  const t = textsOf(pricesTexts, frame);
  const shown = { frame, product, refused, unpayable, t };
  return html`<section class="card" id="markets" aria-labelledby="markets-title"><h2 id="markets-title">${t('title')}</h2>
${refused && faultSummary(refused.faults, textsOf(frameTexts, frame))}
${product.pricingMode === undefined ? modeForm(shown) : markets(shown, product.pricingMode)}</section>`;
}

const pathOf = ({ id }: Product): string => `/dashboard/products/${id}`;

function modeForm({ frame, product, t }: Shown): Html {
  if (!may(frame, commands.set_markets)) return html`<p class="soft">${t('none')}</p>`;
  const offered = pricingModes.map((value) => ({ value, label: t(`mode.${value}`), hint: t(`mode.${value}.hint`) }));
  return html`<p class="hint">${t('lead')}</p>
<form method="post" action="${pathOf(product)}">${formKeys(frame)}${choices('pricing_mode', t('mode.legend'), 'by_currency', offered)}
<p class="submit"><button class="second" name="action" value="set_markets">${t('mode.button')}</button></p></form>`;
}

function markets(shown: Shown, mode: NonNullable<Product['pricingMode']>): Html {
  const { frame, product, refused, t } = shown;
  const prices = product.localizedPrices ?? [];
  const isNew = refused?.draft.priceId === '';
  return html`${unpayableNotes(shown)}<p class="hint">${t(`lead.${mode}`)}</p>
${prices.length === 0 ? html`<p class="soft">${t('none')}</p>` : dataTable(t('title'), columnsOf(shown), prices)}
${may(frame, commands.add_price) && html`<details${(prices.length === 0 || isNew) && html` open`}><summary>${t('add.title')}</summary>${priceForm(shown, isNew ? refused.draft : newMarketDraft)}</details>`}
${guarded(frame, t('end.summary'), t('end.text'), {
  ...{ to: pathOf(product), action: 'set_markets', needs: commands.set_markets, label: t('end.button') },
  fields: { pricing_mode: '' },
})}`;
}

/** A small price is no fault of its form, as with the product's own. */
function unpayableNotes({ frame, product, unpayable }: Shown): readonly Html[] {
  const isChosen = product.price.kind === 'pay_what_you_want';
  const words = ({ price: { currency }, unpayable: fault }: UnpayableMarket) =>
    unpayableWords({ isChosen, currency, unpayable: fault }, textsOf(catalogueTexts, frame));
  return unpayable.map(
    (one) => html`<p class="note wait"><strong>${marketName(one.price, frame)}</strong> – ${words(one)}</p>`,
  );
}

/** The country of a price, or its currency where that is its market. */
const marketName = ({ countryCode, currency }: LocalizedPrice, { locale }: Frame): string =>
  countryCode ? (nameCountries([countryCode], locale)[0]?.name ?? countryCode) : currency;

function columnsOf(shown: Shown): DataColumn<LocalizedPrice>[] {
  const { frame, product, t } = shown;
  const { locale } = frame;
  const isChosen = product.price.kind === 'pay_what_you_want';
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
        return isChosen ? t('from', { amount: price }) : price;
      },
    },
    ...(isChosen
      ? [{ label: t('column.limits'), cell: (price: LocalizedPrice) => limitsOf(price, shown).join(', ') }]
      : []),
    { label: t('column.tax'), cell: ({ taxInclusive }) => t(taxKey(taxInclusive)) },
    { label: '', spokenLabel: t('column.actions'), cell: (price) => rowActions(shown, price) },
  ];
}

const taxKey = (taxInclusive: boolean | null) =>
  taxInclusive === null ? 'tax.product' : taxInclusive ? 'tax.inclusive' : 'tax.exclusive';

function limitsOf(price: LocalizedPrice, { frame: { locale }, t }: Shown): string[] {
  const { currency, suggested, maximum, presetAmounts, minimumNet } = price;
  const inWords = (amount: number) => money(amount, currency, locale);
  const presets = presetAmounts?.length === 0 ? [t('limit.noPresets')] : [];
  return [
    ...(suggested === null ? [] : [t('limit.suggested', { amount: inWords(suggested) })]),
    ...(maximum === null ? [] : [t('limit.maximum', { amount: inWords(maximum) })]),
    ...(presetAmounts?.length ? [t('limit.presets', { amounts: presetAmounts.map(inWords).join(' · ') })] : presets),
    ...(minimumNet === null ? [] : [t('limit.net', { amount: inWords(minimumNet) })]),
  ];
}

function rowActions(shown: Shown, price: LocalizedPrice): Html {
  const { frame, product, refused, t } = shown;
  if (!may(frame, commands.change_price)) return html``;
  const isRefused = refused?.draft.priceId === price.id;
  const draft = isRefused ? refused.draft : draftOfMarket(price, frame.locale);
  const remove = { to: pathOf(product), action: 'archive_price', needs: commands.archive_price, label: t('remove') };
  return html`<details${isRefused && html` open`}><summary>${t('change')}</summary>${priceForm(shown, draft)}${actionButton(frame, { ...remove, fields: { price_id: price.id } })}</details>`;
}

/** The form of a new price, or of one whose market stays. */
function priceForm(shown: Shown, draft: MarketDraft): Html {
  const { frame, product, t } = shown;
  const isNew = draft.priceId === '';
  const isChosen = product.price.kind === 'pay_what_you_want';
  const market = isNew
    ? marketFields(shown, draft)
    : html`<input type="hidden" name="price_id" value="${draft.priceId}"><input type="hidden" name="currency" value="${draft.currency}"><input type="hidden" name="country" value="${draft.country}">`;
  return html`<form method="post" action="${pathOf(product)}" novalidate>${formKeys(frame)}
${market}
<div class="pair">${typedField(shown, draft, { name: 'amount', value: draft.amount, label: t(isChosen ? 'field.minimum' : 'field.amount') })}${taxField(shown, draft)}</div>
${isChosen && chosenFields(shown, draft)}
<p class="submit"><button class="second" name="action" value="${isNew ? 'add_price' : 'change_price'}">${t(isNew ? 'add.button' : 'save.button')}</button></p></form>`;
}

function typedField(
  { refused }: Shown,
  draft: MarketDraft,
  field: { name: string; value: string; label: string; hint?: string },
): Html {
  const id = marketField(field.name, draft);
  const faults = refused?.draft.priceId === draft.priceId ? refused.faults : [];
  return textField({ ...field, id, maxLength: 80, isCode: true, fault: messageAt(faults, id) });
}

const chosenFields = (shown: Shown, draft: MarketDraft): Html => {
  const { t } = shown;
  const field = (name: string, value: string, label: string, hint?: string) =>
    typedField(shown, draft, { name, value, label, ...(hint !== undefined && { hint }) });
  return html`<div class="pair">${field('suggested', draft.suggested, t('field.suggested'))}${field('maximum', draft.maximum, t('field.maximum'))}</div>
${field('presets', draft.presets, t('field.presets'), t('field.presets.hint'))}
${field('minimum_net', draft.minimumNet, t('field.net'), t('field.net.hint'))}`;
};

interface Selection {
  name: string;
  label: string;
  hint?: string;
  options: readonly { value: string; label: string }[];
  chosen: string;
}

function selection({ refused }: Shown, draft: MarketDraft, { name, label, hint, options, chosen }: Selection): Html {
  const id = marketField(name, draft);
  const fault = refused?.draft.priceId === draft.priceId ? messageAt(refused.faults, id) : undefined;
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}"${fault && html` aria-invalid="true" aria-describedby="${id}-fault"`}>${options.map((one) => option(one.value, one.label, one.value === chosen))}</select>${hintOf(id, hint)}${faultOf(id, fault)}</div>`;
}

const taxField = (shown: Shown, draft: MarketDraft): Html =>
  selection(shown, draft, {
    ...{ name: 'tax', label: shown.t('field.tax'), chosen: draft.tax },
    options: [null, true, false].map((value) => ({ value: String(value ?? ''), label: shown.t(taxKey(value)) })),
  });

function marketFields(shown: Shown, draft: MarketDraft): Html {
  const { frame, product, t } = shown;
  const none = { value: '', label: t('field.choose') };
  const named = nameCountries(buyerCountries, frame.locale).map(({ code, name }) => ({ value: code, label: name }));
  const byCountry = { name: 'country', label: t('field.country'), options: [none, ...named], chosen: draft.country };
  const codes = currencies.map((code) => ({ value: code, label: code }));
  const own = product.pricingMode === 'by_country' ? product.price.currency : '';
  return html`<div class="pair">${product.pricingMode === 'by_country' && selection(shown, draft, byCountry)}${selection(shown, draft, { name: 'currency', label: t('field.currency'), options: [none, ...codes], chosen: draft.currency || own })}</div>`;
}
