import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { documentMail } from '../../shared/documents/document-mail.ts';
import type { Mail, Mailer } from '../../shared/domain/mail.ts';
import { languageAttributes } from '../../shared/pages/direction.ts';
import { locales } from '../../shared/pages/locale.ts';
import { documentTranslator } from '../../shared/texts/texts.ts';
import { type MailInvoiceDeps, mailInvoice } from '../../shared/use-cases/documents/mail-invoice.ts';
import { payment as paymentOf, session } from '../pages/builders.ts';
import { skeletonOf, valuesOf, visibleText } from '../pages/markup.ts';
import { creditNoteOf, invoiceOf, sale, taxes } from './builders.ts';

const folder = mkdtempSync(join(tmpdir(), 'mails-'));
afterAll(() => rmSync(folder, { recursive: true }));

const now = () => new Date('2026-03-01T12:00:05Z');
const site = { businessId: 'demo', publicUrl: 'https://pay.example.com' };

const context = {
  documentSecret: 'doc_secret',
  offersWithdrawal: true,
  site,
  locale: 'en',
  isSandbox: false,
  from: 'receipts@example.com',
} as const;

const mail: Mail = {
  from: { name: 'Example Books', address: 'receipts@example.com' },
  to: 'buyer@example.com',
  replyTo: 'support@example.com',
  subject: 'Your invoice INV-2026-000042',
  text: 'Thank you!',
  html: '<p>Thank you!</p>',
};

/** Every space as a plain one. */
const plainSpaces = (text: string): string => text.replace(/[\u00A0\u202F]/g, ' ');

describe('the mail of a document', () => {
  it('has the invoice’s PDF attached, in the buyer’s language', () => {
    const { from, to, replyTo, subject, text, html } = documentMail(invoiceOf(sale([{ unitAmount: 1_999 }])), {
      ...context,
      locale: 'de',
    });
    expect({ from, to, replyTo, subject }).toEqual({
      from: { name: 'Example Books', address: 'receipts@example.com' },
      to: 'buyer@example.com',
      replyTo: 'support@example.com',
      subject: 'Ihre Rechnung INV-2026-000042 von Example Books',
    });
    const url =
      'https://pay.example.com/invoices/payments/pay_000000000000000000001?secret=doc_secret&format=pdf&lang=de';
    expect(text).toContain(url);
    expect(valuesOf(html, 'href')).toContain(url.replaceAll('&', '&amp;'));
    expect(text.replaceAll('\u00A0', ' ')).toContain('19,99 €');
  });

  it('has the credit note attached, with the amount that the buyer gets back', () => {
    const { subject, text } = documentMail(creditNoteOf(sale([{ unitAmount: 1_190 }]), { amount: 595 }), context);
    expect(subject).toBe('Your credit note CRN-2026-000007 from Example Books');
    expect(text).toContain('Example Books has refunded €5.95 to you.');
    expect(text).toContain('/invoices/refunds/ref_000000000000000000001?secret=doc_secret&format=pdf&lang=en');
  });

  const refunded = creditNoteOf(sale([{ unitAmount: 1_190 }]), {});

  it('says that the whole payment was refunded, to which card, and in how many days', () => {
    expect(documentMail(refunded, context).text).toMatch(
      /^Example Books has refunded your whole payment of €11\.90\.\n\nThe money goes back to your card VISA •••• 4242\. .*5 to 10 business days/,
    );
  });

  it.each([
    { method: 'sepa_debit', words: 'the bank account from which you paid' },
    { method: 'us_bank_account', words: 'the bank account from which you paid' },
    { method: 'klarna', words: 'the payment method with which you paid' },
    { method: undefined, words: 'the payment method with which you paid' },
  ])('sends the money of $method back to $words', ({ method, words }) => {
    expect(documentMail({ ...refunded, card: null, method }, context).text).toContain(
      `The money goes back to ${words}`,
    );
  });

  it('names no card and no days if no money moves', () => {
    const replaced = { ...refunded, isReplaced: true };
    for (const [document, isSandbox] of [
      [refunded, true],
      [replaced, false],
      [cartInvoice, false],
    ] as const)
      expect(documentMail(document, { ...context, isSandbox }).text).not.toMatch(/goes back|business days/);
  });

  it('tells the buyer of a disputed sale what their bank has done', () => {
    const adjusted = { ...refunded, refundId: null, adjustmentId: 'adj_1', isFull: undefined };
    expect(documentMail({ ...adjusted, kind: 'RSC' }, context).text).toMatch(
      /^Your bank has taken your payment of €11\.90 back from Example Books\./,
    );
    expect(documentMail({ ...adjusted, kind: 'CAN' }, context).text).toMatch(
      /^Your bank has returned your payment of €11\.90 to Example Books\./,
    );
  });

  const words = {
    version: 1,
    purchase: {
      subject: 'Welcome, {name}: {product}',
      greeting: 'Dear {name},\nthanks for {product}.\n\nEnjoy <b>it</b> at https://evil.example!',
      closing: 'Yours,\n{shop}',
    },
    refund: { greeting: 'Here is {total}.' },
  };

  it('has the merchant’s words around the facts, as plain text, and everything that the law prescribes', () => {
    const usual = documentMail(cartInvoice, context);
    const { subject, text, html } = documentMail(cartInvoice, { ...context, words });
    expect(subject).toBe('Welcome, Erika Mustermann: Field Guide, Support our work');
    expect(text).toMatch(
      /^Dear Erika Mustermann,\nthanks for Field Guide, Support our work\.\n\nEnjoy <b>it<\/b> at https:\/\/evil\.example!\n\nInvoice INV/,
    );
    expect(text).toContain('\n\nYours,\nExample Books\n\nWithdraw from contract here:');
    const facts = (mail: Mail) => mail.text.slice(mail.text.indexOf('Invoice INV'), mail.text.indexOf('VAT ID:'));
    expect(facts({ text } as Mail)).toBe(facts(usual));
    expect(html).toContain('Enjoy &lt;b&gt;it&lt;/b&gt; at https://evil.example!');
    expect(valuesOf(html, 'href')).toEqual(valuesOf(usual.html, 'href'));
  });

  it('has our words for a mail or a part without own ones, and for documents that only the law prescribes', () => {
    const refund = documentMail(refunded, { ...context, words });
    expect(refund.subject).toBe('Your credit note CRN-2026-000007 from Example Books');
    expect(refund.text).toMatch(/^Here is €11\.90\.\n\nThe money goes back to your card/);
    for (const other of [
      { ...refunded, isReplaced: true },
      { ...refunded, refundId: null, adjustmentId: 'adj_1' },
    ])
      expect(documentMail(other, { ...context, words }).text).not.toContain('Here is');
  });

  it.each(['buy at evil.example', 'a@b', 'x'.repeat(61), '+1 900 5551', ' ', '\u200B\u3164\u00AD', 'http://evil'])(
    'leaves out the buyer’s name %j, which anybody can type',
    (name) => {
      const mail = documentMail({ ...cartInvoice, buyer: { ...cartInvoice.buyer, name } }, { ...context, words });
      expect(mail.subject).toBe('Welcome,: Field Guide, Support our work');
      expect(mail.text).toMatch(/^Dear,\n/);
    },
  );

  it('shows no more empty lines than one between two paragraphs', () => {
    const spaced = { version: 1, purchase: { greeting: `Hi${'\n \n\u00A0\n\u200B'.repeat(9)}\n\t\nyou` } };
    expect(documentMail(cartInvoice, { ...context, words: spaced }).text).toMatch(/^Hi\n\nyou\n\nInvoice INV/);
  });

  it('never lets words or names become another header or change the direction of other text', () => {
    const name = 'A\r\nBcc: x@example.com\u202E';
    const hostile = { version: 1, purchase: { subject: 'Hi\u202E\r\nBcc: y {shop}', greeting: '\u0000\u202EHi' } };
    const { subject, text } = documentMail({ ...cartInvoice, brandName: name }, { ...context, words: hostile });
    expect(subject).toBe('Hi Bcc: y A Bcc: x@example.com');
    expect(text).toMatch(/^Hi\n/);
  });

  it('confirms a free order without an invoice, a payment or an amount of zero', () => {
    const free = invoiceOf(sale([{ name: 'Sampler', unitAmount: 0 }]));
    const { subject, text } = documentMail({ ...free, card: null }, context);
    expect(subject).toBe('Your order INV-2026-000042 from Example Books');
    expect(text).toContain('Thank you! Example Books has received your order. It is free.');
    expect(text).toContain('Order confirmation INV-2026-000042 as PDF');
    expect(text).toContain('- Sampler: Free\n\nTotal: Free');
    expect(text).not.toMatch(/invoice(?! ?s?\/)|paid|payment(?!s\/)|VAT \d|Subtotal/i);
  });

  const cart = [
    { name: 'Field Guide', unitAmount: 1_999, components: taxes.reduced },
    { name: 'Support our work', unitAmount: 1_500, quantity: 2 },
  ];
  const [cartInvoice, cartCreditNote] = [invoiceOf(sale(cart)), creditNoteOf(sale(cart), { amount: 500 })];

  it('names in text and HTML what was sold, its price, its tax and the seller', () => {
    const { text, html } = documentMail(cartInvoice, context);
    expect(plainSpaces(text).split(/\n+/)).toEqual([
      'Thank you! Example Books has received your payment of €49.99.',
      'Invoice INV-2026-000042 as PDF:',
      expect.stringContaining('&format=pdf&lang=en'),
      'Show it in the browser:',
      expect.stringContaining('&format=html&lang=en'),
      'Your order:',
      '- Field Guide: €19.99',
      '- Support our work (2 × €15.00): €30.00',
      // 30.00 at 19 %: 30.00 − 4.79 = 25.21; 19.99 at 7 %: 19.99 − 1.31 = 18.68
      'Subtotal without tax: €43.89',
      'VAT 7%: €1.31',
      'VAT 19%: €4.79',
      'Total: €49.99',
      'Number: INV-2026-000042',
      'Date of issue: March 1, 2026',
      'Supply and payment: March 1, 2026',
      'Paid with: VISA •••• 4242',
      'Payment: pay_000000000000000000001',
      'Seller:',
      ...['Example Books', 'Musterstraße 1', '10115 Berlin', 'Germany', 'support@example.com', 'VAT ID: DE123456788'],
      'Questions? Write to support@example.com.',
      'Withdraw from contract here:',
      'https://pay.example.com/withdraw?lang=en',
    ]);
    const seen = plainSpaces(visibleText(html));
    for (const line of plainSpaces(text)
      .split(/\n+/)
      .filter((one) => !one.includes('https:')))
      for (const words of line.split(/^- | \(|\): |: |:$/)) expect(seen).toContain(words);
  });

  it('states that the tax is added to a price without tax, and how much a discount code took off', () => {
    const [line] = cartInvoice.lines;
    const lines = [{ ...line!, taxInclusive: false, unitAmount: 2_000, discount: 132 }];
    expect(plainSpaces(documentMail({ ...cartInvoice, lines }, context).text)).toContain(
      '- Field Guide (1 × €20.00 plus tax) (Discount −€1.32): €19.99',
    );
  });

  it.each(locales)('is written in %s, in its direction, and links to documents in that language', (locale) => {
    const t = documentTranslator(locale);
    for (const document of [cartInvoice, cartCreditNote]) {
      const { subject, html, text } = documentMail(document, { ...context, locale });
      expect(skeletonOf(html)).toContain(`html lang${['ar', 'he'].includes(locale) ? ' dir' : ''}`);
      expect(html.match(/<html lang="[a-zA-Z-]*"( dir="rtl")?>/)?.[0]).toBe(`<html${languageAttributes(locale)}>`);
      const key = document.kind === 'INV' ? 'mail.invoice' : 'mail.credit_note';
      expect(subject).toBe(t(`${key}.subject`, { number: document.number, merchant: 'Example Books' }));
      expect(text).toContain(t('mail.page'));
      expect(visibleText(html)).toContain(t('seller'));
      expect(text.match(/lang=[\w-]+/g)).toEqual([`lang=${locale}`, `lang=${locale}`, `lang=${locale}`]);
      expect(text).not.toMatch(/\{\w+\}/);
    }
  });

  it('shows the reason that is meant for the buyer, and never the private note', () => {
    const asked = { amount: 500, reason: 'Chargeback risk: see ticket 4711', publicReason: 'As agreed by phone' };
    const { subject, text, html } = documentMail(creditNoteOf(sale(cart), asked), context);
    for (const view of [text, html]) expect(view).toContain('As agreed by phone');
    expect([subject, text, html].join()).not.toMatch(/Chargeback|4711/);
    expect(documentMail(creditNoteOf(sale(cart), { ...asked, publicReason: null }), context).text).not.toMatch(
      /Reason/,
    );
  });

  it('contains no data about the buyer except what they paid', () => {
    const { text, html } = documentMail(cartInvoice, context);
    for (const view of [text, html]) expect(view).not.toMatch(/Erika|Elbchaussee|22765|buyer@example.com/);
  });

  it('has the brand’s colour and logo, and replies and questions go to the brand’s address', () => {
    const brand = { color: '#ffcc00', logo: 'https://cdn.example/logo.png', email: 'help@kids.example' };
    const { from, replyTo, text, html } = documentMail({ ...cartInvoice, brandName: 'Kids', brand }, context);
    expect([from.name, replyTo]).toEqual(['Kids', 'help@kids.example']);
    expect(text).toContain('Questions? Write to help@kids.example.');
    expect(valuesOf(html, 'src')).toEqual([brand.logo]);
    expect(html).toContain('background:#ffcc00;color:#000');
  });
});

describe('the mailing of a document', () => {
  const document = invoiceOf(sale([{ unitAmount: 100 }]));

  function sending(outcome: () => ReturnType<Mailer['send']>) {
    const [claims, ended] = [new Map<string, string>(), new Map<string, string>()];
    const clock = { at: now() };
    const sent: Mail[] = [];
    const mailer: Mailer = {
      send: async (one) => {
        const result = await outcome();
        sent.push(one);
        return result;
      },
    };
    const mails: MailInvoiceDeps['mails'] = {
      claim: async (id, { now: at, until }) => {
        if (ended.has(id) || (claims.get(id) ?? '') >= at) return false;
        claims.set(id, until);
        return true;
      },
      end: async (id, { outcome: how }) => void ended.set(id, how),
      notes: async () => [],
    };
    const found = () => ({ document, mail: { isDone: ended.has(document.paymentId), isExpected: true, notes: [] } });
    return {
      found,
      deps: {
        mailer,
        mails,
        brands: { get: async () => ({ brands: [], version: 0 }), policyText: async () => undefined },
        compose: async () => mail,
        taxIdUrl: async () => 'https://pay.example/tax-id?token=t',
        orderUrl: async () => 'https://pay.example/orders/pay_1?secret=s',
        chosenLanguage: async () => undefined,
        wantsConfirmations: async () => false,
        newId: (prefix: string) => `${prefix}_new` as never,
        now: () => clock.at,
      },
      sent,
      ended,
      clock,
    };
  }

  const ofSale = async () => ({
    payment: { ...paymentOf(session()), id: 'pay_1' },
    documentSecret: 'doc_known',
  });

  it('happens once', async () => {
    const { deps, sent, found } = sending(async () => 'sent');
    for (let times = 0; times < 3; times += 1) await mailInvoice(deps, found(), ofSale);
    expect(sent).toHaveLength(1);
  });

  it('does not happen again when a second process has outdated data', async () => {
    const { deps, sent, found } = sending(async () => 'sent');
    const unmailed = found();
    await mailInvoice(deps, unmailed, ofSale);
    expect(await mailInvoice(deps, unmailed, ofSale)).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it('succeeds at a later try when the first try failed', async () => {
    let isBusy = true;
    const { deps, sent, clock, found } = sending(async () => {
      if (isBusy) throw new Error('busy');
      return 'sent';
    });
    await expect(mailInvoice(deps, found(), ofSale)).rejects.toThrow('busy');
    isBusy = false;
    expect(await mailInvoice(deps, found(), ofSale)).toBe(false);
    clock.at = new Date(clock.at.getTime() + 121_000);
    expect(await mailInvoice(deps, found(), ofSale)).toBe(true);
    expect(sent).toHaveLength(1);
  });

  it('happens once when two processes try at the same time', async () => {
    const { deps, sent, found } = sending(async () => 'sent');
    const done = await Promise.all([mailInvoice(deps, found(), ofSale), mailInvoice(deps, found(), ofSale)]);
    expect(done.sort()).toEqual([false, true]);
    expect(sent).toHaveLength(1);
  });

  it('ends as “refused” when the mailer refuses the buyer’s address', async () => {
    const { deps, ended, found } = sending(async () => 'refused');
    expect(await mailInvoice(deps, found(), ofSale)).toBe(true);
    expect([...ended.values()]).toEqual(['refused']);
  });

  it('does not happen when no mailer is set', async () => {
    const { deps, sent, ended, found } = sending(async () => 'sent');
    expect(await mailInvoice({ ...deps, mailer: undefined }, found(), ofSale)).toBe(true);
    expect([sent.length, [...ended.values()]]).toEqual([0, ['none']]);
  });
});
