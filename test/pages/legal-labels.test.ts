import { describe, expect, it } from 'vitest';
import { payBar } from '../../shared/checkout-page/views/payment-section.ts';
import { documentMail } from '../../shared/documents/document-mail.ts';
import { documentPage } from '../../shared/documents/document-page.ts';
import { documentView } from '../../shared/documents/document-view.ts';
import type { Mail } from '../../shared/domain/mail.ts';
import { closedOrderPage } from '../../shared/order-page/order-page.ts';
import { html } from '../../shared/pages/html.ts';
import { layout } from '../../shared/pages/layout.ts';
import { confirmLabel, functionLabel, labelText, payLabel } from '../../shared/pages/legal-labels.ts';
import type { PageContext } from '../../shared/pages/page-context.ts';
import { sentPage } from '../../shared/portal/sign-in-pages.ts';
import { confirmationWords, functionWords, paymentWords } from '../../shared/texts/legal-words.ts';
import { checkoutTranslator, type Locale, locales } from '../../shared/texts/texts.ts';
import { confirmPage, guestPage, orderWithdrawPage } from '../../shared/withdrawal-page/withdrawal-pages.ts';
import { treeOf } from '../architecture/tree.ts';
import { invoiceOf, sale } from '../documents/builders.ts';
import { textFiles } from '../texts/text-files.ts';
import { context, payment, session, view } from './builders.ts';
import { visibleText } from './markup.ts';

/** The published words, in lower case, for a comparison that does not use the file itself. */
const published: Readonly<Partial<Record<Locale, readonly [title: string, confirmation: string, payment: string]>>> = {
  en: ['withdraw from contract here', 'confirm withdrawal', 'order with obligation to pay'],
  de: ['vertrag widerrufen', 'widerruf bestätigen', 'zahlungspflichtig bestellen'],
  fr: ['renoncer au contrat ici', 'confirmer la rétractation', 'commande avec obligation de paiement'],
  es: ['desistir del contrato aquí', 'confirmar desistimiento', 'pedido con obligación de pago'],
  pt: ['retrate-se do contrato aqui', 'confirmar retratação', 'encomenda com obrigação de pagar'],
  it: ['recedere dal contratto qui', 'conferma recesso', 'ordine con obbligo di pagare'],
  nl: ['hier de overeenkomst herroepen', 'herroeping bevestigen', 'bestelling met betalingsverplichting'],
  sv: ['ångra avtalet här', 'bekräfta frånträde', 'beställning förenad med betalningsskyldighet'],
  pl: ['odstąp od umowy tutaj', 'potwierdź odstąpienie od umowy', 'zamówienie z obowiązkiem zapłaty'],
};

const tables = { functionWords, confirmationWords, paymentWords };
const allWords = Object.values(tables).flatMap((table) => Object.values(table).map(({ words }) => words));
const translated: readonly Locale[] = ['ja', 'ko', 'th', 'zh', 'zh-TW', 'ar', 'he'];

const shownOn = { DE: 'de', FR: 'fr', FI: 'en', '': 'en' } as const satisfies Readonly<Record<string, Locale>>;
const besideOf = (table: typeof functionWords, language: Locale, country: keyof typeof shownOn): string =>
  translated.includes(language) ? `${table[language].words} ${table[shownOn[country]].words}` : table[language].words;

/** The Pay button as the checkout page shows it. */
function shownPayButton(locale: Locale, country: string): string {
  const page = view({ context: { locale }, buyer: { country } });
  const bar = `${payBar({ ...page, totals: { ...page.totals, total: 1_999 } }, checkoutTranslator(locale))}`;
  return visibleText(/<button id="pay"[^>]*>(.*?)<\/button>/s.exec(bar)?.[1] ?? '');
}

const linkIn = (page: string): string =>
  visibleText(/<a href="[^"]*\/withdraw[^"]*"[^>]*>(.*?)<\/a>/s.exec(page)?.[1] ?? '');
const headingIn = (page: string): string => visibleText(/<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1] ?? '');
const buttonIn = (page: string): string =>
  visibleText(/<button[^>]*value="confirm"[^>]*>(.*?)<\/button>/s.exec(page)?.[1] ?? '');

const typed = { name: 'Ada', reference: 'a book', email: 'ada@example.com' };
const form = { formToken: 'form', isMissing: false };
const sold = payment(session());

/** A page of each face for buyers, all of which end alike. */
const footers: Readonly<Record<string, (of: PageContext) => string>> = {
  'a page of the checkout': (of) => layout(of, { title: 'Checkout', main: html`<main></main>` }),
  'the order page': closedOrderPage,
  'the portal': sentPage,
  'the form for guests': (of) => guestPage(of, { typed, faults: {} }),
};

/** The mail of a purchase by a buyer of a country. */
function mailIn(locale: Locale, country: string): Mail {
  const invoice = invoiceOf(sale([{ unitAmount: 1_000 }]));
  const buyer = { ...invoice.buyer, address: { ...invoice.buyer.address, country: country || 'IE' } };
  const site = { businessId: 'demo', publicUrl: 'https://pay.example.com' };
  const orderUrl = 'https://pay.example.com/orders/pay_1?secret=s';
  const links = { documentSecret: 's', offersWithdrawal: true, orderUrl, from: 'shop@example.com' };
  return documentMail({ ...invoice, buyer }, { site, locale, isSandbox: false, ...links });
}

/**
 * Every place that shows prescribed words. A new place adds a row here: `shown` returns what a reader sees of the
 * button or link, in a language and for a country.
 */
const places: readonly {
  place: string;
  table: typeof functionWords;
  /** Whether the words of the country's language stand beside a translation. */
  hasBeside: boolean;
  /** Whether the place knows the buyer’s country. Others show English beside a translation. */
  knowsCountry?: boolean;
  shown: (language: Locale, country: keyof typeof shownOn) => string;
}[] = [
  {
    place: 'the Pay button of the checkout page',
    table: paymentWords,
    hasBeside: true,
    knowsCountry: true,
    shown: (language, country) => shownPayButton(language, country || 'IE'),
  },
  {
    place: 'the label of the function of withdrawal',
    table: functionWords,
    hasBeside: true,
    knowsCountry: true,
    shown: (language, country) => visibleText(`${labelText(functionLabel(language, country))}`),
  },
  {
    place: 'the label of the confirmation of a withdrawal',
    table: confirmationWords,
    hasBeside: false,
    shown: (language) => confirmLabel(language),
  },
  ...Object.entries(footers).map(([page, shownIn]) => ({
    place: `the foot of ${page}`,
    table: functionWords,
    hasBeside: true,
    shown: (language: Locale) => linkIn(shownIn({ ...context, locale: language })),
  })),
  {
    place: 'the heading of the form for guests',
    table: functionWords,
    hasBeside: true,
    shown: (language) => headingIn(guestPage({ ...context, locale: language }, { typed, faults: {} })),
  },
  {
    place: 'the heading of the withdrawal from an order',
    table: functionWords,
    hasBeside: true,
    shown: (language) => headingIn(orderWithdrawPage({ ...context, locale: language }, sold, form)),
  },
  {
    place: 'the button of a guest’s declaration',
    table: confirmationWords,
    hasBeside: false,
    shown: (language) => buttonIn(confirmPage({ ...context, locale: language }, typed, 'form')),
  },
  {
    place: 'the button of the withdrawal from an order',
    table: confirmationWords,
    hasBeside: false,
    shown: (language) => buttonIn(orderWithdrawPage({ ...context, locale: language }, sold, form)),
  },
  {
    place: 'the mail of a purchase',
    table: functionWords,
    hasBeside: true,
    knowsCountry: true,
    shown: (language, country) => linkIn(mailIn(language, country).html),
  },
  {
    place: 'the mail of a purchase as plain text',
    table: functionWords,
    hasBeside: true,
    knowsCountry: true,
    shown: (language, country) =>
      (/([^\n]+):\nhttps\S+\/withdraw/.exec(mailIn(language, country).text)?.[1] ?? '').replace(' · ', ' '),
  },
  {
    place: 'the page of an invoice',
    table: functionWords,
    hasBeside: true,
    shown: (language) => {
      const document = documentView(invoiceOf(sale([{ unitAmount: 1_000 }])), { locale: language, isSandbox: false });
      return linkIn(documentPage(document, { pdf: '#', xml: null, withdrawUrl: '/withdraw' }));
    },
  },
];

describe('the legally prescribed words', () => {
  it.each(Object.entries(published))('in %s are those of the published laws', (language, expected) => {
    const words = Object.values(tables).map((table) => table[language as Locale].words);
    expect(words.map((text) => text.toLowerCase())).toEqual(expected);
    for (const text of words) expect(text.charAt(0)).toBe(text.charAt(0).toUpperCase());
  });

  it('are marked in each language as published or as our translation', () => {
    for (const table of Object.values(tables)) {
      expect(Object.keys(table).sort()).toEqual([...locales].sort());
      const ours = locales.filter((language) => table[language].review === 'translated');
      expect(ours.sort()).toEqual([...translated].sort());
      for (const language of ours) expect(table[language].source).toBe('own');
    }
  });

  it('are stored in one file only', () => {
    const texts = Object.entries(textFiles).flatMap(([path, sections]) =>
      Object.values(sections).flatMap((section) => Object.values(section).map((text) => [path, text] as const)),
    );
    const sources = Object.entries(treeOf('shared', 'functions')).filter(([path]) => !path.endsWith('legal-words.ts'));
    const whole = new RegExp(`(^|["'\`>])(${allWords.join('|')})($|["'\`<])`, 'm');
    const isRepeated = (text: string) => whole.test(text);
    expect([...texts, ...sources].filter(([, text]) => isRepeated(text)).map(([path]) => path)).toEqual([]);
    expect(['<b>Confirm withdrawal</b>', 'Vertrag widerrufen', 'diesen Vertrag widerrufen'].map(isRepeated)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(places)(
    'appear word for word on $place, in every language and country',
    ({ table, hasBeside, knowsCountry = false, shown }) => {
      for (const language of locales)
        for (const country of Object.keys(shownOn) as (keyof typeof shownOn)[]) {
          const expected = hasBeside ? besideOf(table, language, knowsCountry ? country : '') : table[language].words;
          expect(shown(language, country), `${language} ${country}`).toBe(expected);
        }
    },
  );
});

describe('the Pay button', () => {
  it.each(['DE', 'IS', 'LI', 'NO', 'GB', 'RE', 'AX'])('has the wording of the law in %s', (country) => {
    expect(payLabel('en', country)?.words).toBe('Order with obligation to pay');
  });

  it.each(['US', 'CH', 'IM', 'JE', 'MC', 'TR', ''])(
    'has a free wording in “%s”, where no law prescribes one',
    (country) => {
      expect(payLabel('en', country)).toBeUndefined();
      expect(shownPayButton('en', country)).toMatch(/^Pay /);
    },
  );

  it('marks legal words that stand beside a translation as text in another language', () => {
    const label = payLabel('ar', 'DE');
    expect(label && `${labelText(label)}`).toBe(
      'طلب مع الالتزام بالدفع <bdi lang="de">Zahlungspflichtig bestellen</bdi>',
    );
  });
});
