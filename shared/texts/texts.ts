import ar from './buyers/ar.json' with { type: 'json' };
import de from './buyers/de.json' with { type: 'json' };
import en from './buyers/en.json' with { type: 'json' };
import es from './buyers/es.json' with { type: 'json' };
import fr from './buyers/fr.json' with { type: 'json' };
import he from './buyers/he.json' with { type: 'json' };
import it from './buyers/it.json' with { type: 'json' };
import ja from './buyers/ja.json' with { type: 'json' };
import nl from './buyers/nl.json' with { type: 'json' };
import pl from './buyers/pl.json' with { type: 'json' };
import pt from './buyers/pt.json' with { type: 'json' };
import sv from './buyers/sv.json' with { type: 'json' };
import zh from './buyers/zh.json' with { type: 'json' };
import dashboardDe from './dashboard/de.json' with { type: 'json' };
import dashboardEn from './dashboard/en.json' with { type: 'json' };
import dashboardEs from './dashboard/es.json' with { type: 'json' };
import dashboardFr from './dashboard/fr.json' with { type: 'json' };

/**
 * The texts that people read, one file for each language of buyers' pages and of the dashboard. Each file has a section
 * for each table below. The English file defines the keys. `keepReadSections` keeps in a function's bundle only the
 * sections that the function reads.
 */

type Values = Readonly<Record<string, string>>;

/** The languages of buyers' pages, as BCP 47 tags. */
export const locales = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'pl', 'ja', 'zh', 'ar', 'he'] as const;
export type Locale = (typeof locales)[number];

type InAllLanguages<Key extends string> = Readonly<Record<Locale, Readonly<Record<Key, string>>>>;

/** The names of taxes on buyers' pages and on documents. */
export const buyerTaxTexts: InAllLanguages<keyof typeof en.taxes> = {
  en: en.taxes,
  de: de.taxes,
  fr: fr.taxes,
  es: es.taxes,
  pt: pt.taxes,
  it: it.taxes,
  nl: nl.taxes,
  sv: sv.taxes,
  pl: pl.taxes,
  ja: ja.taxes,
  zh: zh.taxes,
  ar: ar.taxes,
  he: he.taxes,
};

/** The texts that all buyers' pages share. */
export const pageTexts: InAllLanguages<keyof typeof en.pages> = {
  en: en.pages,
  de: de.pages,
  fr: fr.pages,
  es: es.pages,
  pt: pt.pages,
  it: it.pages,
  nl: nl.pages,
  sv: sv.pages,
  pl: pl.pages,
  ja: ja.pages,
  zh: zh.pages,
  ar: ar.pages,
  he: he.pages,
};

/** The texts of the checkout page. */
export const checkoutTexts: InAllLanguages<keyof typeof en.checkout> = {
  en: en.checkout,
  de: de.checkout,
  fr: fr.checkout,
  es: es.checkout,
  pt: pt.checkout,
  it: it.checkout,
  nl: nl.checkout,
  sv: sv.checkout,
  pl: pl.checkout,
  ja: ja.checkout,
  zh: zh.checkout,
  ar: ar.checkout,
  he: he.checkout,
};

/** The texts of the page to which a recovery link leads. */
export const recoveryTexts: InAllLanguages<keyof typeof en.recovery> = {
  en: en.recovery,
  de: de.recovery,
  fr: fr.recovery,
  es: es.recovery,
  pt: pt.recovery,
  it: it.recovery,
  nl: nl.recovery,
  sv: sv.recovery,
  pl: pl.recovery,
  ja: ja.recovery,
  zh: zh.recovery,
  ar: ar.recovery,
  he: he.recovery,
};

/** The texts of documents and of their mails. */
export const documentTexts: InAllLanguages<keyof typeof en.documents> = {
  en: en.documents,
  de: de.documents,
  fr: fr.documents,
  es: es.documents,
  pt: pt.documents,
  it: it.documents,
  nl: nl.documents,
  sv: sv.documents,
  pl: pl.documents,
  ja: ja.documents,
  zh: zh.documents,
  ar: ar.documents,
  he: he.documents,
};

export type PageKey = keyof typeof en.taxes | keyof typeof en.pages;
export type CheckoutKey = PageKey | keyof typeof en.checkout;
export type DocumentKey = keyof typeof en.documents;

/** Returns a text in a language. Each `{placeholder}` is replaced by its value as it is. */
type TextOf<Key extends string> = (key: Key, values?: Values) => string;

export type Translate = TextOf<PageKey>;
export type TranslateCheckout = TextOf<CheckoutKey>;
export type TranslateDocument = TextOf<DocumentKey>;

/** Looks for each text in the tables, in their order. */
function textOf<Key extends string>(locale: Locale, ...tables: Values[]): TextOf<Key> {
  return (key, values = {}) => filledText(tables.find((table) => key in table)?.[key] ?? key, values, locale);
}

export const translator = (locale: Locale): Translate => textOf(locale, pageTexts[locale], buyerTaxTexts[locale]);

export const checkoutTranslator = (locale: Locale): TranslateCheckout =>
  textOf(locale, checkoutTexts[locale], pageTexts[locale], buyerTaxTexts[locale]);

export const recoveryTranslator = (locale: Locale): TextOf<keyof typeof en.recovery> =>
  textOf(locale, recoveryTexts[locale]);

export const documentTranslator = (locale: Locale): TranslateDocument => textOf(locale, documentTexts[locale]);

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'he']);

export const isRightToLeft = (locale: string): boolean => rightToLeft.has(locale);

/** Fills in the placeholders. In a right-to-left language, each value keeps its own direction (isolates, UAX #9). */
const filledText = (text: string, values: Values, locale: string): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values[name];
    if (value === undefined || !isRightToLeft(locale)) return value ?? placeholder;
    return `\u2068${value.replace(/[\u2066-\u2069]/g, '')}\u2069`;
  });

/** The languages of the dashboard. */
export const dashboardLanguages = ['en', 'de', 'fr', 'es'] as const;

type InDashboard<Key extends string> = Readonly<
  Record<(typeof dashboardLanguages)[number], Readonly<Record<Key, string>>>
>;

export const accessTexts: InDashboard<AccessKey> = {
  en: dashboardEn.access,
  de: dashboardDe.access,
  fr: dashboardFr.access,
  es: dashboardEs.access,
};
export type AccessKey = keyof typeof dashboardEn.access;

export const catalogueTexts: InDashboard<CatalogueKey> = {
  en: dashboardEn.catalogue,
  de: dashboardDe.catalogue,
  fr: dashboardFr.catalogue,
  es: dashboardEs.catalogue,
};
export type CatalogueKey = keyof typeof dashboardEn.catalogue;

/** The texts about webhook deliveries, on the pages of payments and of webhook endpoints. */
export const deliveriesTexts: InDashboard<DeliveriesKey> = {
  en: dashboardEn.deliveries,
  de: dashboardDe.deliveries,
  fr: dashboardFr.deliveries,
  es: dashboardEs.deliveries,
};
export type DeliveriesKey = keyof typeof dashboardEn.deliveries;

export const discountsTexts: InDashboard<DiscountsKey> = {
  en: dashboardEn.discounts,
  de: dashboardDe.discounts,
  fr: dashboardFr.discounts,
  es: dashboardEs.discounts,
};
export type DiscountsKey = keyof typeof dashboardEn.discounts;

/** The texts about faults in a form. They replace the API's sentences, which are written for programs. */
export const faultsTexts: InDashboard<FaultsKey> = {
  en: dashboardEn.faults,
  de: dashboardDe.faults,
  fr: dashboardFr.faults,
  es: dashboardEs.faults,
};
export type FaultsKey = keyof typeof dashboardEn.faults;

/** The texts that every page of the dashboard has around its content. */
export const frameTexts: InDashboard<FrameKey> = {
  en: dashboardEn.frame,
  de: dashboardDe.frame,
  fr: dashboardFr.frame,
  es: dashboardEs.frame,
};
export type FrameKey = keyof typeof dashboardEn.frame;

export const mailsTexts: InDashboard<MailsKey> = {
  en: dashboardEn.mails,
  de: dashboardDe.mails,
  fr: dashboardFr.mails,
  es: dashboardEs.mails,
};
export type MailsKey = keyof typeof dashboardEn.mails;

/** The texts of the pages about members, and of the mails to members. */
export const membersTexts: InDashboard<MembersKey> = {
  en: dashboardEn.members,
  de: dashboardDe.members,
  fr: dashboardFr.members,
  es: dashboardEs.members,
};
export type MembersKey = keyof typeof dashboardEn.members;

/** The texts about a product's link, on the pages of a product. */
export const offerTexts: InDashboard<OfferKey> = {
  en: dashboardEn.offer,
  de: dashboardDe.offer,
  fr: dashboardFr.offer,
  es: dashboardEs.offer,
};
export type OfferKey = keyof typeof dashboardEn.offer;

export const paymentTexts: InDashboard<PaymentKey> = {
  en: dashboardEn.payment,
  de: dashboardDe.payment,
  fr: dashboardFr.payment,
  es: dashboardEs.payment,
};
export type PaymentKey = keyof typeof dashboardEn.payment;

export const paymentListTexts: InDashboard<PaymentListKey> = {
  en: dashboardEn.paymentList,
  de: dashboardDe.paymentList,
  fr: dashboardFr.paymentList,
  es: dashboardEs.paymentList,
};
export type PaymentListKey = keyof typeof dashboardEn.paymentList;

/** The texts about prices by place, on the page of a product. */
export const pricesTexts: InDashboard<PricesKey> = {
  en: dashboardEn.prices,
  de: dashboardDe.prices,
  fr: dashboardFr.prices,
  es: dashboardEs.prices,
};
export type PricesKey = keyof typeof dashboardEn.prices;

export const reportsTexts: InDashboard<ReportsKey> = {
  en: dashboardEn.reports,
  de: dashboardDe.reports,
  fr: dashboardFr.reports,
  es: dashboardEs.reports,
};
export type ReportsKey = keyof typeof dashboardEn.reports;

export const returnsTexts: InDashboard<ReturnsKey> = {
  en: dashboardEn.returns,
  de: dashboardDe.returns,
  fr: dashboardFr.returns,
  es: dashboardEs.returns,
};
export type ReturnsKey = keyof typeof dashboardEn.returns;

/** The texts for visitors who are not signed in, or who may not sign in. */
export const signInTexts: InDashboard<SignInKey> = {
  en: dashboardEn.signIn,
  de: dashboardDe.signIn,
  fr: dashboardFr.signIn,
  es: dashboardEs.signIn,
};
export type SignInKey = keyof typeof dashboardEn.signIn;

export const taxTexts: InDashboard<TaxKey> = {
  en: dashboardEn.tax,
  de: dashboardDe.tax,
  fr: dashboardFr.tax,
  es: dashboardEs.tax,
};
export type TaxKey = keyof typeof dashboardEn.tax;

/**
 * The dashboard has the same names of taxes as buyers' pages. Only the labels differ, because they address the seller.
 */
export const taxNamesTexts: InDashboard<keyof typeof en.taxes> = {
  en: en.taxes,
  de: de.taxes,
  fr: fr.taxes,
  es: es.taxes,
};
export const taxLabelsTexts: InDashboard<TaxLabelsKey> = {
  en: dashboardEn.taxLabels,
  de: dashboardDe.taxLabels,
  fr: dashboardFr.taxLabels,
  es: dashboardEs.taxLabels,
};
export type TaxLabelsKey = keyof typeof dashboardEn.taxLabels;

export const webhooksTexts: InDashboard<WebhooksKey> = {
  en: dashboardEn.webhooks,
  de: dashboardDe.webhooks,
  fr: dashboardFr.webhooks,
  es: dashboardEs.webhooks,
};
export type WebhooksKey = keyof typeof dashboardEn.webhooks;
