import type { Brand } from '../../domain/catalogue/brand.ts';
import { html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { presentBrand } from '../../wire/catalogue/brand.ts';
import { type Entry, type Filled, jsonOf, shownTexts, type Typed } from '../entries.ts';
import { kindsOf } from '../entry-kinds.ts';
import { textsOf } from '../texts.ts';

const { check, text, textArea } = kindsOf(dashboardTexts('catalogue'));

const hasColor = (typed: Typed): boolean => typed['has_color'] !== '';

/** The colour of pages whose brand has no colour. */
const usualColor = '#0b5c58';

/** The fields of a brand. */
export const brandEntries = {
  name: text('name', 'name', { label: 'brand.name', maxLength: 100, isRequired: true }),
  description: textArea('description', 'description', { label: 'brand.description', maxLength: 1_000 }),
  hasColor: {
    ...check('has_color', 'color', { label: 'brand.color.custom' }),
    show: () => 'true',
    read: () => ({ value: undefined }),
  },
  color: {
    ...text('color', 'color', { label: 'brand.color', maxLength: 7 }),
    applies: hasColor,
    draw: ({ id, name, value, typed, locale }) => {
      const t = textsOf(dashboardTexts('catalogue'), { locale });
      return html`<div class="field when-coloured"><label for="${id}">${t('brand.color')}</label><input type="color" id="${id}" name="${name}" value="${(hasColor(typed) && value) || usualColor}"><p class="hint">${t('brand.color.hint')}</p></div>`;
    },
  },
  supportEmail: text('supportEmail', 'support_email', {
    ...{ label: 'brand.email.optional', hint: 'brand.email.hint', type: 'email', maxLength: 254 },
  }),
  url: text('url', 'url', { label: 'brand.url', maxLength: 2_048, isCode: true }),
  searchListing: check('search_listing', 'search_listing', { label: 'brand.search' }),
  statement: text('statement', 'statement_descriptor', {
    ...{ label: 'brand.statement', maxLength: 22, refused: 'brand.statement.fault' },
  }),
} as const satisfies Readonly<Record<string, Entry>>;

/** The texts of a brand's form. A new brand is listed by search engines unless the merchant unticks that. */
export const textsOfBrand = (brand: Brand | null, locale: Locale): Typed =>
  shownTexts(brandEntries, brand ? shownJson(brand) : { search_listing: true }, locale);

/** The brand in the form of an API response. The form shows the text for card statements only if it was set. */
const shownJson = (brand: Brand) => ({
  ...presentBrand({ businessId: '', publicUrl: '' })(brand),
  statement_descriptor: brand.statementSuffix ?? null,
});

/** The body for the API. */
export const brandJson = (filled: Filled) => jsonOf(brandEntries, filled, { color: null }).json;
