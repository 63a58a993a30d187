import ar from './buyers/ar.json' with { type: 'json' };
import de from './buyers/de.json' with { type: 'json' };
import en from './buyers/en.json' with { type: 'json' };
import es from './buyers/es.json' with { type: 'json' };
import fr from './buyers/fr.json' with { type: 'json' };
import he from './buyers/he.json' with { type: 'json' };
import it from './buyers/it.json' with { type: 'json' };
import ja from './buyers/ja.json' with { type: 'json' };
import ko from './buyers/ko.json' with { type: 'json' };
import nl from './buyers/nl.json' with { type: 'json' };
import pl from './buyers/pl.json' with { type: 'json' };
import pt from './buyers/pt.json' with { type: 'json' };
import sv from './buyers/sv.json' with { type: 'json' };
import th from './buyers/th.json' with { type: 'json' };
import zh from './buyers/zh.json' with { type: 'json' };
import zhTw from './buyers/zh-TW.json' with { type: 'json' };
import dashboardDe from './dashboard/de.json' with { type: 'json' };
import dashboardEn from './dashboard/en.json' with { type: 'json' };
import dashboardEs from './dashboard/es.json' with { type: 'json' };
import dashboardFr from './dashboard/fr.json' with { type: 'json' };

/**
 * The texts that people read. Buyers' pages and the dashboard have one file for each language. The English file defines
 * the sections and keys. `keepReadSections` leaves only those sections in a bundle that its function reads. So every
 * section must be read by its literal name.
 */

type Values = Readonly<Record<string, string>>;

/** The languages of buyers' pages, as BCP 47 tags. `zh` is written in simplified characters, `zh-TW` in traditional ones. */
export const locales = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'sv',
  'pl',
  'ja',
  'ko',
  'th',
  'zh',
  'zh-TW',
  'ar',
  'he',
] as const;
export type Locale = (typeof locales)[number];

const buyers: Readonly<Record<Locale, typeof en>> = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  sv,
  pl,
  ja,
  ko,
  th,
  zh,
  'zh-TW': zhTw,
  ar,
  he,
};

/** The languages of the dashboard. */
export const dashboardLanguages = ['en', 'de', 'fr', 'es'] as const;
type DashboardLanguage = (typeof dashboardLanguages)[number];

const dashboard: Readonly<Record<DashboardLanguage, typeof dashboardEn>> = {
  en: dashboardEn,
  de: dashboardDe,
  fr: dashboardFr,
  es: dashboardEs,
};

/** The sections of the dashboard's texts. */
export type DashboardSection = keyof typeof dashboardEn;

/** A key in a section of the dashboard's texts. */
export type TextKey<Section extends DashboardSection> = keyof (typeof dashboardEn)[Section];

/** A section of the buyers' texts in every language. */
const buyerTexts = <Section extends keyof typeof en>(section: Section) => inLanguages(locales, buyers, section);

/** A section of the dashboard's texts in every language. */
export const dashboardTexts = <Section extends DashboardSection>(section: Section) =>
  inLanguages(dashboardLanguages, dashboard, section);

function inLanguages<Language extends string, Files, Section extends keyof Files>(
  languages: readonly Language[],
  files: Readonly<Record<Language, Files>>,
  section: Section,
): Readonly<Record<Language, Files[Section]>> {
  const texts = languages.map((language) => [language, files[language][section]]);
  return Object.fromEntries(texts);
}

/** The names of taxes on buyers' pages and on documents. */
export const buyerTaxTexts = buyerTexts('taxes');

/** The texts that all buyers' pages share. */
export const pageTexts = buyerTexts('pages');

/** The texts of the page that a distribution shows if the API refuses a request. */
export const busyTexts = buyerTexts('busy');

/** The texts of the checkout page. */
export const checkoutTexts = buyerTexts('checkout');

/** The texts that only a receipt has. */
export const receiptTexts = buyerTexts('receipt');

/** The texts of the page to which a recovery link leads. */
export const recoveryTexts = buyerTexts('recovery');

/** The texts of an order's page. */
export const orderTexts = buyerTexts('order');

/** The texts of the page for one bought file. */
export const downloadTexts = buyerTexts('download');

/** The texts that only the pages of the withdrawal function have. */
export const withdrawTexts = buyerTexts('withdraw');

/** The texts of the mails about a withdrawal. Its pages have some of them as well. */
export const withdrawMailTexts = buyerTexts('withdrawMail');

/** The texts of the portal, and of its mails. */
export const portalTexts = buyerTexts('portal');

/** The texts of the mail to the old address of an order. */
export const movedTexts = buyerTexts('moved');

/** The texts of the mail about a new licence key. */
export const reissueTexts = buyerTexts('newKey');

/** The texts for buyers that a form of the dashboard makes, such as an imprint. */
export const templateTexts = buyerTexts('templates');

/** The texts of a policy's page. */
export const policyTexts = buyerTexts('policies');

/** The texts of documents and of their mails. */
export const documentTexts = buyerTexts('documents');

/** The texts of the confirmation of a contract. */
export const confirmationTexts = buyerTexts('confirmation');

/** The instructions about the right of withdrawal, and the model form. */
export const instructionTexts = buyerTexts('instructions');

export type PageKey = keyof typeof en.taxes | keyof typeof en.pages;
export type CheckoutKey = PageKey | keyof typeof en.checkout;
export type OrderKey = PageKey | keyof typeof en.order;
export type DownloadKey = PageKey | keyof typeof en.download;
export type DocumentKey = keyof typeof en.documents;

/** Returns a text in a language. Each `{placeholder}` is replaced by its value, which is not changed. */
type TextOf<Key extends string> = (key: Key, values?: Values) => string;

export type Translate = TextOf<PageKey>;
export type TranslateCheckout = TextOf<CheckoutKey>;
export type TranslateReceipt = TextOf<keyof typeof en.receipt>;
export type TranslateOrder = TextOf<OrderKey>;
export type TranslateDocument = TextOf<DocumentKey>;

/** Finds each text in the tables, which are searched in order. */
function textOf<Key extends string>(locale: Locale, ...tables: Values[]): TextOf<Key> {
  return (key, values = {}) => filledText(tables.find((table) => key in table)?.[key] ?? key, values, locale);
}

export const translator = (locale: Locale): Translate => textOf(locale, pageTexts[locale], buyerTaxTexts[locale]);

export const checkoutTranslator = (locale: Locale): TranslateCheckout =>
  textOf(locale, checkoutTexts[locale], pageTexts[locale], buyerTaxTexts[locale]);

export const receiptTranslator = (locale: Locale): TranslateReceipt => textOf(locale, receiptTexts[locale]);

export const recoveryTranslator = (locale: Locale): TextOf<keyof typeof en.recovery> =>
  textOf(locale, recoveryTexts[locale]);

export const orderTranslator = (locale: Locale): TranslateOrder =>
  textOf(locale, orderTexts[locale], pageTexts[locale], buyerTaxTexts[locale]);

export const downloadTranslator = (locale: Locale): TextOf<DownloadKey> =>
  textOf(locale, downloadTexts[locale], pageTexts[locale], buyerTaxTexts[locale]);

export const templateTranslator = (locale: Locale): TextOf<keyof typeof en.templates> =>
  textOf(locale, templateTexts[locale]);

export const policyTranslator = (locale: Locale): TextOf<keyof typeof en.policies | PageKey> =>
  textOf(locale, policyTexts[locale], pageTexts[locale]);

export type TranslateWithdraw = TextOf<keyof typeof en.withdraw | keyof typeof en.withdrawMail>;

export const withdrawTranslator = (locale: Locale): TranslateWithdraw =>
  textOf(locale, withdrawTexts[locale], withdrawMailTexts[locale]);

export const withdrawMailTranslator = (locale: Locale): TextOf<keyof typeof en.withdrawMail> =>
  textOf(locale, withdrawMailTexts[locale]);

export type TranslatePortal = TextOf<keyof typeof en.portal | PageKey>;

export const portalTranslator = (locale: Locale): TranslatePortal =>
  textOf(locale, portalTexts[locale], pageTexts[locale]);

export const movedTranslator = (locale: Locale): TextOf<keyof typeof en.moved> => textOf(locale, movedTexts[locale]);

export const reissueTranslator = (locale: Locale): TextOf<keyof typeof en.newKey> =>
  textOf(locale, reissueTexts[locale]);

export const instructionsTranslator = (locale: Locale): TextOf<keyof typeof en.instructions> =>
  textOf(locale, instructionTexts[locale]);

export const confirmationTranslator = (
  locale: Locale,
): TextOf<keyof typeof en.confirmation | keyof typeof en.policies | PageKey> =>
  textOf(locale, confirmationTexts[locale], policyTexts[locale], pageTexts[locale]);

/** The texts about taxes that pages and documents share. */
export const taxTranslator = (locale: Locale): TextOf<keyof typeof en.taxes> => textOf(locale, buyerTaxTexts[locale]);

export const documentTranslator = (locale: Locale): TranslateDocument => textOf(locale, documentTexts[locale]);

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'he']);

export const isRightToLeft = (locale: string): boolean => rightToLeft.has(locale);

/**
 * Puts the values into the placeholders. In a right-to-left language, each value keeps its own direction (isolates, UAX
 * #9).
 */
const filledText = (text: string, values: Values, locale: string): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values[name];
    if (value === undefined || !isRightToLeft(locale)) return value ?? placeholder;
    return `\u2068${value.replace(/[\u2066-\u2069]/g, '')}\u2069`;
  });
