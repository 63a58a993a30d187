import type { Locale } from './texts.ts';

/**
 * The words that the law prescribes for buttons, with their source and state of review. Pages take them from here.
 * docs/consumer-law.md says for merchants what no native lawyer has read.
 */

/**
 * `official`: the words of a law, as published. `adapted`: after the model of a law, compared with it in parts only.
 * `unconfirmed`: from memory, not compared with the published text. `translated`: the law has no words in this
 * language. No lawyer has read any but the official words.
 */
type Review = 'official' | 'adapted' | 'unconfirmed' | 'translated';

interface LegalWords {
  words: string;
  /** A key of `legalSources`. */
  source: keyof typeof legalSources;
  review: Review;
}

/** Where the words stand. */
export const legalSources = {
  art_11a:
    'Directive 2011/83/EU, art. 11a(1) and (3), added by Directive (EU) 2023/2673; the first letter is a capital',
  bgb_356a: '§ 356a(2) and (3) BGB, BGBl. 2026 I Nr. 28',
  art_8: 'Directive 2011/83/EU, art. 8(2); the first letter is a capital',
  uk_14: 'Directive 2011/83/EU, art. 8(2), and the UK’s SI 2013/3134, reg. 14(4)',
  bgb_312j: '§ 312j(3) BGB',
  fr_221_14: 'art. L. 221-14 Code de la consommation',
  it_51: 'art. 51(2) Codice del consumo',
  nl_230v: 'art. 6:230v(3) Burgerlijk Wetboek',
  pl_17: 'art. 17(4) ustawa o prawach konsumenta',
  own: 'our translation of the English words',
  annex_1: 'Directive 2011/83/EU, annex I, parts A and B, as amended by Directive (EU) 2023/2673',
  egbgb_246a: 'annexes 1 and 2 to art. 246a § 1(2) EGBGB, as amended by BGBl. 2026 I Nr. 28',
  cdc_221_1: 'annexes to art. R. 221-1 and R. 221-3 Code de la consommation',
  dl_24_2014: 'annex to Decreto-Lei 24/2014',
} as const;

const words = (text: string, source: LegalWords['source'], review: Review = 'official'): LegalWords => ({
  words: text,
  source,
  review,
});
const ours = (text: string): LegalWords => words(text, 'own', 'translated');

/** The function that leads to the form: “withdraw from contract here”. German law leaves out “here”. */
export const functionWords: Readonly<Record<Locale, LegalWords>> = {
  en: words('Withdraw from contract here', 'art_11a'),
  de: words('Vertrag widerrufen', 'bgb_356a'),
  fr: words('Renoncer au contrat ici', 'art_11a'),
  es: words('Desistir del contrato aquí', 'art_11a'),
  pt: words('Retrate-se do contrato aqui', 'art_11a'),
  it: words('Recedere dal contratto qui', 'art_11a'),
  nl: words('Hier de overeenkomst herroepen', 'art_11a'),
  sv: words('Ångra avtalet här', 'art_11a'),
  pl: words('Odstąp od umowy tutaj', 'art_11a'),
  ja: ours('契約をここで撤回'),
  zh: ours('在此撤回合同'),
  ar: ours('العدول عن العقد هنا'),
  he: ours('לביטול החוזה כאן'),
};

/** The button that sends the declaration. It must have only these words. */
export const confirmationWords: Readonly<Record<Locale, LegalWords>> = {
  en: words('Confirm withdrawal', 'art_11a'),
  de: words('Widerruf bestätigen', 'bgb_356a'),
  fr: words('Confirmer la rétractation', 'art_11a'),
  es: words('Confirmar desistimiento', 'art_11a'),
  pt: words('Confirmar retratação', 'art_11a'),
  it: words('Conferma recesso', 'art_11a'),
  nl: words('Herroeping bevestigen', 'art_11a'),
  sv: words('Bekräfta frånträde', 'art_11a'),
  pl: words('Potwierdź odstąpienie od umowy', 'art_11a'),
  ja: ours('撤回を確定'),
  zh: ours('确认撤回'),
  ar: ours('تأكيد العدول'),
  he: ours('אישור הביטול'),
};

/** The button that orders. With other words, a consumer of the EEA or the UK would not be bound. */
export const paymentWords: Readonly<Record<Locale, LegalWords>> = {
  en: words('Order with obligation to pay', 'uk_14'),
  de: words('Zahlungspflichtig bestellen', 'bgb_312j'),
  fr: words('Commande avec obligation de paiement', 'fr_221_14'),
  es: words('Pedido con obligación de pago', 'art_8'),
  pt: words('Encomenda com obrigação de pagar', 'art_8'),
  it: words('Ordine con obbligo di pagare', 'it_51'),
  nl: words('Bestelling met betalingsverplichting', 'nl_230v'),
  sv: words('Beställning förenad med betalningsskyldighet', 'art_8', 'unconfirmed'),
  pl: words('Zamówienie z obowiązkiem zapłaty', 'pl_17'),
  ja: ours('支払い義務を伴う注文を確定する'),
  zh: ours('下单并承担付款义务'),
  ar: ours('طلب مع الالتزام بالدفع'),
  he: ours('הזמנה עם חובת תשלום'),
};

const adapted = (source: LegalWords['source']): Omit<LegalWords, 'words'> => ({ source, review: 'adapted' });
const translation = { source: 'own', review: 'translated' } as const;

/**
 * The source and state of review of the longer texts of each language: the section `instructions`, and the two
 * requests `consent.immediate_supply` and `consent.early_start` of the checkout, which no law words.
 */
export const longerTexts: Readonly<Record<Locale, Omit<LegalWords, 'words'>>> = {
  en: adapted('annex_1'),
  de: adapted('egbgb_246a'),
  fr: adapted('cdc_221_1'),
  es: adapted('annex_1'),
  pt: adapted('dl_24_2014'),
  it: adapted('annex_1'),
  nl: adapted('annex_1'),
  sv: adapted('annex_1'),
  pl: adapted('annex_1'),
  ja: translation,
  zh: translation,
  ar: translation,
  he: translation,
};
