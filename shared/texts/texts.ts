import checkoutAr from './checkout/ar.json' with { type: 'json' };
import checkoutDe from './checkout/de.json' with { type: 'json' };
import checkoutEn from './checkout/en.json' with { type: 'json' };
import checkoutEs from './checkout/es.json' with { type: 'json' };
import checkoutFr from './checkout/fr.json' with { type: 'json' };
import checkoutHe from './checkout/he.json' with { type: 'json' };
import checkoutIt from './checkout/it.json' with { type: 'json' };
import checkoutJa from './checkout/ja.json' with { type: 'json' };
import checkoutNl from './checkout/nl.json' with { type: 'json' };
import checkoutPl from './checkout/pl.json' with { type: 'json' };
import checkoutPt from './checkout/pt.json' with { type: 'json' };
import checkoutSv from './checkout/sv.json' with { type: 'json' };
import checkoutZh from './checkout/zh.json' with { type: 'json' };
import accessDe from './dashboard/access/de.json' with { type: 'json' };
import accessEn from './dashboard/access/en.json' with { type: 'json' };
import accessEs from './dashboard/access/es.json' with { type: 'json' };
import accessFr from './dashboard/access/fr.json' with { type: 'json' };
import catalogueDe from './dashboard/catalogue/de.json' with { type: 'json' };
import catalogueEn from './dashboard/catalogue/en.json' with { type: 'json' };
import catalogueEs from './dashboard/catalogue/es.json' with { type: 'json' };
import catalogueFr from './dashboard/catalogue/fr.json' with { type: 'json' };
import deliveriesDe from './dashboard/deliveries/de.json' with { type: 'json' };
import deliveriesEn from './dashboard/deliveries/en.json' with { type: 'json' };
import deliveriesEs from './dashboard/deliveries/es.json' with { type: 'json' };
import deliveriesFr from './dashboard/deliveries/fr.json' with { type: 'json' };
import discountsDe from './dashboard/discounts/de.json' with { type: 'json' };
import discountsEn from './dashboard/discounts/en.json' with { type: 'json' };
import discountsEs from './dashboard/discounts/es.json' with { type: 'json' };
import discountsFr from './dashboard/discounts/fr.json' with { type: 'json' };
import faultsDe from './dashboard/faults/de.json' with { type: 'json' };
import faultsEn from './dashboard/faults/en.json' with { type: 'json' };
import faultsEs from './dashboard/faults/es.json' with { type: 'json' };
import faultsFr from './dashboard/faults/fr.json' with { type: 'json' };
import frameDe from './dashboard/frame/de.json' with { type: 'json' };
import frameEn from './dashboard/frame/en.json' with { type: 'json' };
import frameEs from './dashboard/frame/es.json' with { type: 'json' };
import frameFr from './dashboard/frame/fr.json' with { type: 'json' };
import mailsDe from './dashboard/mails/de.json' with { type: 'json' };
import mailsEn from './dashboard/mails/en.json' with { type: 'json' };
import mailsEs from './dashboard/mails/es.json' with { type: 'json' };
import mailsFr from './dashboard/mails/fr.json' with { type: 'json' };
import membersDe from './dashboard/members/de.json' with { type: 'json' };
import membersEn from './dashboard/members/en.json' with { type: 'json' };
import membersEs from './dashboard/members/es.json' with { type: 'json' };
import membersFr from './dashboard/members/fr.json' with { type: 'json' };
import offerDe from './dashboard/offer/de.json' with { type: 'json' };
import offerEn from './dashboard/offer/en.json' with { type: 'json' };
import offerEs from './dashboard/offer/es.json' with { type: 'json' };
import offerFr from './dashboard/offer/fr.json' with { type: 'json' };
import paymentDe from './dashboard/payment/de.json' with { type: 'json' };
import paymentEn from './dashboard/payment/en.json' with { type: 'json' };
import paymentEs from './dashboard/payment/es.json' with { type: 'json' };
import paymentFr from './dashboard/payment/fr.json' with { type: 'json' };
import paymentListDe from './dashboard/payment-list/de.json' with { type: 'json' };
import paymentListEn from './dashboard/payment-list/en.json' with { type: 'json' };
import paymentListEs from './dashboard/payment-list/es.json' with { type: 'json' };
import paymentListFr from './dashboard/payment-list/fr.json' with { type: 'json' };
import pricesDe from './dashboard/prices/de.json' with { type: 'json' };
import pricesEn from './dashboard/prices/en.json' with { type: 'json' };
import pricesEs from './dashboard/prices/es.json' with { type: 'json' };
import pricesFr from './dashboard/prices/fr.json' with { type: 'json' };
import reportsDe from './dashboard/reports/de.json' with { type: 'json' };
import reportsEn from './dashboard/reports/en.json' with { type: 'json' };
import reportsEs from './dashboard/reports/es.json' with { type: 'json' };
import reportsFr from './dashboard/reports/fr.json' with { type: 'json' };
import returnsDe from './dashboard/returns/de.json' with { type: 'json' };
import returnsEn from './dashboard/returns/en.json' with { type: 'json' };
import returnsEs from './dashboard/returns/es.json' with { type: 'json' };
import returnsFr from './dashboard/returns/fr.json' with { type: 'json' };
import signInDe from './dashboard/sign-in/de.json' with { type: 'json' };
import signInEn from './dashboard/sign-in/en.json' with { type: 'json' };
import signInEs from './dashboard/sign-in/es.json' with { type: 'json' };
import signInFr from './dashboard/sign-in/fr.json' with { type: 'json' };
import taxDe from './dashboard/tax/de.json' with { type: 'json' };
import taxEn from './dashboard/tax/en.json' with { type: 'json' };
import taxEs from './dashboard/tax/es.json' with { type: 'json' };
import taxFr from './dashboard/tax/fr.json' with { type: 'json' };
import taxLabelsDe from './dashboard/tax-labels/de.json' with { type: 'json' };
import taxLabelsEn from './dashboard/tax-labels/en.json' with { type: 'json' };
import taxLabelsEs from './dashboard/tax-labels/es.json' with { type: 'json' };
import taxLabelsFr from './dashboard/tax-labels/fr.json' with { type: 'json' };
import webhooksDe from './dashboard/webhooks/de.json' with { type: 'json' };
import webhooksEn from './dashboard/webhooks/en.json' with { type: 'json' };
import webhooksEs from './dashboard/webhooks/es.json' with { type: 'json' };
import webhooksFr from './dashboard/webhooks/fr.json' with { type: 'json' };
import documentsAr from './documents/ar.json' with { type: 'json' };
import documentsDe from './documents/de.json' with { type: 'json' };
import documentsEn from './documents/en.json' with { type: 'json' };
import documentsEs from './documents/es.json' with { type: 'json' };
import documentsFr from './documents/fr.json' with { type: 'json' };
import documentsHe from './documents/he.json' with { type: 'json' };
import documentsIt from './documents/it.json' with { type: 'json' };
import documentsJa from './documents/ja.json' with { type: 'json' };
import documentsNl from './documents/nl.json' with { type: 'json' };
import documentsPl from './documents/pl.json' with { type: 'json' };
import documentsPt from './documents/pt.json' with { type: 'json' };
import documentsSv from './documents/sv.json' with { type: 'json' };
import documentsZh from './documents/zh.json' with { type: 'json' };
import pagesAr from './pages/ar.json' with { type: 'json' };
import pagesDe from './pages/de.json' with { type: 'json' };
import pagesEn from './pages/en.json' with { type: 'json' };
import pagesEs from './pages/es.json' with { type: 'json' };
import pagesFr from './pages/fr.json' with { type: 'json' };
import pagesHe from './pages/he.json' with { type: 'json' };
import pagesIt from './pages/it.json' with { type: 'json' };
import pagesJa from './pages/ja.json' with { type: 'json' };
import pagesNl from './pages/nl.json' with { type: 'json' };
import pagesPl from './pages/pl.json' with { type: 'json' };
import pagesPt from './pages/pt.json' with { type: 'json' };
import pagesSv from './pages/sv.json' with { type: 'json' };
import pagesZh from './pages/zh.json' with { type: 'json' };
import recoveryAr from './recovery/ar.json' with { type: 'json' };
import recoveryDe from './recovery/de.json' with { type: 'json' };
import recoveryEn from './recovery/en.json' with { type: 'json' };
import recoveryEs from './recovery/es.json' with { type: 'json' };
import recoveryFr from './recovery/fr.json' with { type: 'json' };
import recoveryHe from './recovery/he.json' with { type: 'json' };
import recoveryIt from './recovery/it.json' with { type: 'json' };
import recoveryJa from './recovery/ja.json' with { type: 'json' };
import recoveryNl from './recovery/nl.json' with { type: 'json' };
import recoveryPl from './recovery/pl.json' with { type: 'json' };
import recoveryPt from './recovery/pt.json' with { type: 'json' };
import recoverySv from './recovery/sv.json' with { type: 'json' };
import recoveryZh from './recovery/zh.json' with { type: 'json' };

/**
 * The texts that people read. Each face of the product has a folder with one file for each language, and the English
 * file says which keys there are. A bundle holds the tables that its function reads, and no others.
 */

type Values = Readonly<Record<string, string>>;

/** The languages of the buyers' pages, by their BCP 47 tag. */
export const locales = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'sv', 'pl', 'ja', 'zh', 'ar', 'he'] as const;
export type Locale = (typeof locales)[number];

type InAllLanguages<Key extends string> = Readonly<Record<Locale, Readonly<Record<Key, string>>>>;

/** The texts of every page of buyers. */
export const pageTexts: InAllLanguages<keyof typeof pagesEn> = {
  en: pagesEn,
  de: pagesDe,
  fr: pagesFr,
  es: pagesEs,
  pt: pagesPt,
  it: pagesIt,
  nl: pagesNl,
  sv: pagesSv,
  pl: pagesPl,
  ja: pagesJa,
  zh: pagesZh,
  ar: pagesAr,
  he: pagesHe,
};

/** The texts of the checkout page alone, which the pages around it do without. */
export const checkoutTexts: InAllLanguages<keyof typeof checkoutEn> = {
  en: checkoutEn,
  de: checkoutDe,
  fr: checkoutFr,
  es: checkoutEs,
  pt: checkoutPt,
  it: checkoutIt,
  nl: checkoutNl,
  sv: checkoutSv,
  pl: checkoutPl,
  ja: checkoutJa,
  zh: checkoutZh,
  ar: checkoutAr,
  he: checkoutHe,
};

/** The texts of the page of a recovery link, which no other page has. */
export const recoveryTexts: InAllLanguages<keyof typeof recoveryEn> = {
  en: recoveryEn,
  de: recoveryDe,
  fr: recoveryFr,
  es: recoveryEs,
  pt: recoveryPt,
  it: recoveryIt,
  nl: recoveryNl,
  sv: recoverySv,
  pl: recoveryPl,
  ja: recoveryJa,
  zh: recoveryZh,
  ar: recoveryAr,
  he: recoveryHe,
};

/** The texts of the documents and their mails. */
export const documentTexts: InAllLanguages<keyof typeof documentsEn> = {
  en: documentsEn,
  de: documentsDe,
  fr: documentsFr,
  es: documentsEs,
  pt: documentsPt,
  it: documentsIt,
  nl: documentsNl,
  sv: documentsSv,
  pl: documentsPl,
  ja: documentsJa,
  zh: documentsZh,
  ar: documentsAr,
  he: documentsHe,
};

export type PageKey = keyof typeof pagesEn;
export type CheckoutKey = PageKey | keyof typeof checkoutEn;
export type DocumentKey = keyof typeof documentsEn;

/** Gives a text in a language, with its `{placeholders}` replaced literally. */
type TextOf<Key extends string> = (key: Key, values?: Values) => string;

export type Translate = TextOf<PageKey>;
export type TranslateCheckout = TextOf<CheckoutKey>;
export type TranslateDocument = TextOf<DocumentKey>;

function textOf<Key extends string>(texts: Readonly<Record<Key, string>>, locale: Locale): TextOf<Key> {
  return (key, values = {}) => filledText(texts[key], values, locale);
}

export const translator = (locale: Locale): Translate => textOf(pageTexts[locale], locale);

export const checkoutTranslator = (locale: Locale): TranslateCheckout =>
  textOf({ ...pageTexts[locale], ...checkoutTexts[locale] }, locale);

export const recoveryTranslator = (locale: Locale): TextOf<keyof typeof recoveryEn> =>
  textOf(recoveryTexts[locale], locale);

export const documentTranslator = (locale: Locale): TranslateDocument => textOf(documentTexts[locale], locale);

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'he']);

export const isRightToLeft = (locale: string): boolean => rightToLeft.has(locale);

/** In a text from right to left each value keeps its own direction (isolates, UAX #9). */
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

export const accessTexts: InDashboard<AccessKey> = { en: accessEn, de: accessDe, fr: accessFr, es: accessEs };
export type AccessKey = keyof typeof accessEn;

export const catalogueTexts: InDashboard<CatalogueKey> = {
  en: catalogueEn,
  de: catalogueDe,
  fr: catalogueFr,
  es: catalogueEs,
};
export type CatalogueKey = keyof typeof catalogueEn;

/** What becomes of deliveries of webhooks, on the pages of payments and endpoints. */
export const deliveriesTexts: InDashboard<DeliveriesKey> = {
  en: deliveriesEn,
  de: deliveriesDe,
  fr: deliveriesFr,
  es: deliveriesEs,
};
export type DeliveriesKey = keyof typeof deliveriesEn;

export const discountsTexts: InDashboard<DiscountsKey> = {
  en: discountsEn,
  de: discountsDe,
  fr: discountsFr,
  es: discountsEs,
};
export type DiscountsKey = keyof typeof discountsEn;

/** What is wrong with a form, where the API speaks to programs. */
export const faultsTexts: InDashboard<FaultsKey> = { en: faultsEn, de: faultsDe, fr: faultsFr, es: faultsEs };
export type FaultsKey = keyof typeof faultsEn;

/** The texts around every page of the dashboard. */
export const frameTexts: InDashboard<FrameKey> = { en: frameEn, de: frameDe, fr: frameFr, es: frameEs };
export type FrameKey = keyof typeof frameEn;

export const mailsTexts: InDashboard<MailsKey> = { en: mailsEn, de: mailsDe, fr: mailsFr, es: mailsEs };
export type MailsKey = keyof typeof mailsEn;

/** The texts of the pages about members, and of the mails to them. */
export const membersTexts: InDashboard<MembersKey> = { en: membersEn, de: membersDe, fr: membersFr, es: membersEs };
export type MembersKey = keyof typeof membersEn;

/** What the pages of a product say about its link. */
export const offerTexts: InDashboard<OfferKey> = { en: offerEn, de: offerDe, fr: offerFr, es: offerEs };
export type OfferKey = keyof typeof offerEn;

export const paymentTexts: InDashboard<PaymentKey> = { en: paymentEn, de: paymentDe, fr: paymentFr, es: paymentEs };
export type PaymentKey = keyof typeof paymentEn;

export const paymentListTexts: InDashboard<PaymentListKey> = {
  en: paymentListEn,
  de: paymentListDe,
  fr: paymentListFr,
  es: paymentListEs,
};
export type PaymentListKey = keyof typeof paymentListEn;

/** What the page of a product says about prices by place. */
export const pricesTexts: InDashboard<PricesKey> = { en: pricesEn, de: pricesDe, fr: pricesFr, es: pricesEs };
export type PricesKey = keyof typeof pricesEn;

export const reportsTexts: InDashboard<ReportsKey> = { en: reportsEn, de: reportsDe, fr: reportsFr, es: reportsEs };
export type ReportsKey = keyof typeof reportsEn;

export const returnsTexts: InDashboard<ReturnsKey> = { en: returnsEn, de: returnsDe, fr: returnsFr, es: returnsEs };
export type ReturnsKey = keyof typeof returnsEn;

/** The texts for a visitor who is not signed in, or is refused. */
export const signInTexts: InDashboard<SignInKey> = { en: signInEn, de: signInDe, fr: signInFr, es: signInEs };
export type SignInKey = keyof typeof signInEn;

export const taxTexts: InDashboard<TaxKey> = { en: taxEn, de: taxDe, fr: taxFr, es: taxEs };
export type TaxKey = keyof typeof taxEn;

/** How taxes are called on the pages of payments and products. */
export const taxLabelsTexts: InDashboard<TaxLabelsKey> = {
  en: taxLabelsEn,
  de: taxLabelsDe,
  fr: taxLabelsFr,
  es: taxLabelsEs,
};
export type TaxLabelsKey = keyof typeof taxLabelsEn;

export const webhooksTexts: InDashboard<WebhooksKey> = {
  en: webhooksEn,
  de: webhooksDe,
  fr: webhooksFr,
  es: webhooksEs,
};
export type WebhooksKey = keyof typeof webhooksEn;
