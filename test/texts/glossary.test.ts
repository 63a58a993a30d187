import { describe, expect, it } from 'vitest';
import { locales } from '../../shared/texts/texts.ts';
import { textFiles } from './text-files.ts';

/** What inflection and articles leave of a word, where a text does not contain the whole title. */
const stems: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ar: { invoice: 'فاتور', credit_note: 'دائن', corrected: 'مصححة' },
  he: { credit_note: 'זיכוי', corrected: 'מתוקנת' },
  it: { invoice: 'fattur' },
  ja: { credit_note: '返還請求書' },
  pl: { invoice: 'faktur', credit_note: 'korygując', corrected: 'skorygowan' },
  sv: { corrected: 'rättad' },
};

/** Words for the same papers that buyers must not meet beside the chosen ones. */
const others =
  /receipt|quittung|beleg|berichtigte rechnung|le reçu|rectifiée|recibo|nota de abono|factura rectificada|ricevuta|creditnota|bewijs|kvitto|kreditnota|nota kredytowa|收据|領収書|貸方票|返金伝票|الإيصال|קבלה נשלחת|영수증|대변 전표/i;

const textsOf = (locale: string) => textFiles[`buyers/${locale}.json`] ?? {};
const textIn = (locale: string, at: string): string => {
  const [section = '', key = ''] = at.split(/\|(.*)/);
  return textsOf(locale)[section]?.[key] ?? '';
};

/** Where each word is: on the receipt, on the order's page, on the document, and in its mails. */
const places = {
  invoice: [
    'documents|title.invoice',
    'pages|receipt.mailed',
    'pages|receipt.invoice',
    'order|document.invoice',
    'documents|mail.invoice.subject',
    'documents|corrects',
    'documents|add.title',
  ],
  credit_note: [
    'documents|title.credit_note',
    'order|document.credit_note',
    'order|document.cancellation',
    'documents|title.cancellation',
    'documents|note.reinstated',
    'documents|note.withdrawn',
    'documents|mail.credit_note.subject',
    'documents|mail.cancellation.subject',
    'documents|mail.cancellation.text',
    'documents|mail.reinstated.text',
    'documents|mail.corrected.text',
  ],
  confirmation: ['documents|title.free', 'pages|receipt.confirmation', 'pages|receipt.confirmation_mailed'],
  corrected: [
    'order|document.corrected',
    'documents|mail.corrected.subject',
    'documents|add.text',
    'documents|taken.text',
  ],
} as const;

describe.each(locales)('in %s', (locale) => {
  it.each(Object.entries(places))('page, document and mail use one word for $0', (term, [title, ...rest]) => {
    const word = stems[locale]?.[term] ?? textIn(locale, title).toLowerCase();
    expect(rest.filter((at) => !textIn(locale, at).toLowerCase().includes(word))).toEqual([]);
  });

  it('no other word names these papers', () => {
    const { pages = {}, order = {}, documents = {} } = textsOf(locale);
    expect(Object.values({ ...pages, ...order, ...documents }).filter((text) => others.test(text))).toEqual([]);
  });
});
