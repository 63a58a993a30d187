import type { Locale } from './texts.ts';

/**
 * The words that the law requires on buttons, with their source and state of review. Pages use these words.
 * docs/consumer-law.md tells merchants which words no native lawyer has read.
 */

/**
 * The state of review. `official`: the published words of a law. `adapted`: like the words of a law, but only partly
 * compared with it. `unconfirmed`: from memory, not compared with the published text. `translated`: the law has no
 * words in this language. A lawyer has read only the official words.
 */
type Review = 'official' | 'adapted' | 'unconfirmed' | 'translated';

interface LegalWords {
  words: string;
  /** A key of `legalSources`. */
  source: keyof typeof legalSources;
  review: Review;
}

/** The laws or other sources that contain the words. */
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

/** The label of the link to the withdrawal form: “withdraw from contract here”. German law leaves out “here”. */
export const functionWords: Readonly<Record<Locale, LegalWords>> = {
  en: { words: 'Withdraw from contract here', source: 'art_11a', review: 'official' },
  de: { words: 'Vertrag widerrufen', source: 'bgb_356a', review: 'official' },
  fr: { words: 'Renoncer au contrat ici', source: 'art_11a', review: 'official' },
  es: { words: 'Desistir del contrato aquí', source: 'art_11a', review: 'official' },
  pt: { words: 'Retrate-se do contrato aqui', source: 'art_11a', review: 'official' },
  it: { words: 'Recedere dal contratto qui', source: 'art_11a', review: 'official' },
  nl: { words: 'Hier de overeenkomst herroepen', source: 'art_11a', review: 'official' },
  sv: { words: 'Ångra avtalet här', source: 'art_11a', review: 'official' },
  pl: { words: 'Odstąp od umowy tutaj', source: 'art_11a', review: 'official' },
  ja: { words: '契約をここで撤回', source: 'own', review: 'translated' },
  ko: { words: '여기에서 청약철회하기', source: 'own', review: 'translated' },
  th: { words: 'เลิกสัญญาที่นี่', source: 'own', review: 'translated' },
  zh: { words: '在此撤回合同', source: 'own', review: 'translated' },
  'zh-TW': { words: '在此解除契約', source: 'own', review: 'translated' },
  ar: { words: 'العدول عن العقد هنا', source: 'own', review: 'translated' },
  he: { words: 'לביטול החוזה כאן', source: 'own', review: 'translated' },
};

/** The label of the button that sends the declaration. The law allows only these words. */
export const confirmationWords: Readonly<Record<Locale, LegalWords>> = {
  en: { words: 'Confirm withdrawal', source: 'art_11a', review: 'official' },
  de: { words: 'Widerruf bestätigen', source: 'bgb_356a', review: 'official' },
  fr: { words: 'Confirmer la rétractation', source: 'art_11a', review: 'official' },
  es: { words: 'Confirmar desistimiento', source: 'art_11a', review: 'official' },
  pt: { words: 'Confirmar retratação', source: 'art_11a', review: 'official' },
  it: { words: 'Conferma recesso', source: 'art_11a', review: 'official' },
  nl: { words: 'Herroeping bevestigen', source: 'art_11a', review: 'official' },
  sv: { words: 'Bekräfta frånträde', source: 'art_11a', review: 'official' },
  pl: { words: 'Potwierdź odstąpienie od umowy', source: 'art_11a', review: 'official' },
  ja: { words: '撤回を確定', source: 'own', review: 'translated' },
  ko: { words: '청약철회 확정', source: 'own', review: 'translated' },
  th: { words: 'ยืนยันการเลิกสัญญา', source: 'own', review: 'translated' },
  zh: { words: '确认撤回', source: 'own', review: 'translated' },
  'zh-TW': { words: '確認解除契約', source: 'own', review: 'translated' },
  ar: { words: 'تأكيد العدول', source: 'own', review: 'translated' },
  he: { words: 'אישור הביטול', source: 'own', review: 'translated' },
};

/** The label of the Pay button. With other words, a consumer of the EEA or the UK would not be bound by the order. */
export const paymentWords: Readonly<Record<Locale, LegalWords>> = {
  en: { words: 'Order with obligation to pay', source: 'uk_14', review: 'official' },
  de: { words: 'Zahlungspflichtig bestellen', source: 'bgb_312j', review: 'official' },
  fr: { words: 'Commande avec obligation de paiement', source: 'fr_221_14', review: 'official' },
  es: { words: 'Pedido con obligación de pago', source: 'art_8', review: 'official' },
  pt: { words: 'Encomenda com obrigação de pagar', source: 'art_8', review: 'official' },
  it: { words: 'Ordine con obbligo di pagare', source: 'it_51', review: 'official' },
  nl: { words: 'Bestelling met betalingsverplichting', source: 'nl_230v', review: 'official' },
  sv: { words: 'Beställning förenad med betalningsskyldighet', source: 'art_8', review: 'unconfirmed' },
  pl: { words: 'Zamówienie z obowiązkiem zapłaty', source: 'pl_17', review: 'official' },
  ja: { words: '支払い義務を伴う注文を確定する', source: 'own', review: 'translated' },
  ko: { words: '결제 의무가 있는 주문 확정', source: 'own', review: 'translated' },
  th: { words: 'สั่งซื้อโดยมีภาระผูกพันต้องชำระเงิน', source: 'own', review: 'translated' },
  zh: { words: '下单并承担付款义务', source: 'own', review: 'translated' },
  'zh-TW': { words: '訂購並負付款義務', source: 'own', review: 'translated' },
  ar: { words: 'طلب مع الالتزام بالدفع', source: 'own', review: 'translated' },
  he: { words: 'הזמנה עם חובת תשלום', source: 'own', review: 'translated' },
};

/**
 * The source and state of review of longer texts in each language. These are the section `instructions`, and the two
 * requests `consent.immediate_supply` and `consent.early_start` of the checkout. No law has words for these requests.
 */
export const longerTexts: Readonly<Record<Locale, Omit<LegalWords, 'words'>>> = {
  en: { source: 'annex_1', review: 'adapted' },
  de: { source: 'egbgb_246a', review: 'adapted' },
  fr: { source: 'cdc_221_1', review: 'adapted' },
  es: { source: 'annex_1', review: 'adapted' },
  pt: { source: 'dl_24_2014', review: 'adapted' },
  it: { source: 'annex_1', review: 'adapted' },
  nl: { source: 'annex_1', review: 'adapted' },
  sv: { source: 'annex_1', review: 'adapted' },
  pl: { source: 'annex_1', review: 'adapted' },
  ja: { source: 'own', review: 'translated' },
  ko: { source: 'own', review: 'translated' },
  th: { source: 'own', review: 'translated' },
  zh: { source: 'own', review: 'translated' },
  'zh-TW': { source: 'own', review: 'translated' },
  ar: { source: 'own', review: 'translated' },
  he: { source: 'own', review: 'translated' },
};
