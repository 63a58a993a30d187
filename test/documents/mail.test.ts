import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { afterAll, describe, expect, it } from 'vitest';
import { documentMail } from '../../shared/documents/document-mail.ts';
import type { Mail, Mailer } from '../../shared/domain/mail.ts';
import { composeMessage, folderMailer } from '../../shared/outside/mail/folder-mailer.ts';
import { formatAddress, headerText, isPlainAddress } from '../../shared/outside/mail/headers.ts';
import { openMailer } from '../../shared/outside/mail/open-mailer.ts';
import { sesMailer } from '../../shared/outside/mail/ses-mailer.ts';
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

/** The headers as a mail program reads them: unfolded, by their names in lower case. */
const headersOf = (message: string): string[] =>
  (message.split('\r\n\r\n')[0] ?? '')
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .map((line) => line.split(':')[0]?.toLowerCase() ?? '');

const plainHeaders = headersOf(composeMessage(mail, now()));

/** Every space as a plain one. */
const plainSpaces = (text: string): string => text.replace(/[\u00A0\u202F]/g, ' ');

/** Encoded words in the clear. */
const decoded = (text: string): string =>
  text.replace(/=\?UTF-8\?B\?([\w+/=]*)\?=(\s+(?==\?))?/g, (_, word: string) => Buffer.from(word, 'base64').toString());

const injections = [
  'Books\r\nBcc: everyone@evil.example',
  'Books\nBcc: everyone@evil.example',
  'Books\r\n\r\n<p>Another body</p>',
  'Books\u2028Bcc: everyone@evil.example',
  'Books\u0000\u000BBcc: everyone@evil.example',
  'Books" <someone@evil.example>, "',
  'Books\\" <someone@evil.example>',
  '=?UTF-8?B?Qm9va3M=?= <someone@evil.example>',
  '\ud800 lone',
];

describe('a header of a mail', () => {
  it.each(injections)('made of %j stays a single header', (text) => {
    const message = composeMessage({ ...mail, from: { ...mail.from, name: text }, subject: text }, now());
    expect(headersOf(message)).toEqual(plainHeaders);
    const [from = ''] = message.split('\r\n');
    expect(from.match(/<[^<>]*>/g)).toEqual(['<receipts@example.com>']);
  });

  it.each(injections)('for SES made of %j is one line, and its sender is one address', async (text) => {
    const sent: SendEmailCommandInput[] = [];
    const client = { send: async ({ input }: { input: SendEmailCommandInput }) => void sent.push(input) };
    await sesMailer(undefined, client as never).send({ ...mail, from: { ...mail.from, name: text }, subject: text });
    expect(sent[0]?.Content?.Simple?.Subject?.Data).not.toMatch(/\p{Cc}|\u2028/u);
    expect(sent[0]?.FromEmailAddress).toMatch(/^[\x20-\x7E]+$/);
    expect(sent[0]?.FromEmailAddress?.match(/<[^<>]*>/g)).toEqual(['<receipts@example.com>']);
  });

  it.each([
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example\n',
    '"a" <a@b.example>',
    'a b@c.example',
    'a@b@c.example',
    'nobody',
    '',
    `${'a'.repeat(65)}@b.example`,
  ])('accepts no receiver like %j', async (to) => {
    expect(isPlainAddress(to)).toBe(false);
    const never = { send: async () => expect.fail('It was sent.') };
    expect(await sesMailer(undefined, never as never).send({ ...mail, to })).toBe('refused');
    expect(await folderMailer(folder, { now }).send({ ...mail, to })).toBe('refused');
  });

  it.each([
    'Bücher & Mehr',
    '日本書店',
    '𠮷野家 and quite a long name, so long that it needs more than one encoded word, éàü',
  ])('keeps the name %s, split into encoded words of at most 75 characters', (name) => {
    const header = formatAddress({ name, address: 'a@b.example' });
    expect(header).toMatch(/^[\x20-\x7E]+$/);
    expect(decoded(header)).toBe(`${name} <a@b.example>`);
    for (const word of header.match(/=\?[^ ]+\?=/g) ?? []) expect(word.length).toBeLessThanOrEqual(75);
  });

  it('keeps plain names unchanged', () => {
    expect(formatAddress({ name: 'Example Books', address: 'a@b.example' })).toBe('"Example Books" <a@b.example>');
    expect(headerText(' a\r\nb ')).toBe('a b');
  });

  it('with an invalid sender address throws, because the configuration is wrong', () => {
    expect(() => formatAddress({ name: 'X', address: 'not an address' })).toThrow('must be a plain e-mail address');
  });
});

describe('the mailer of SES', () => {
  it('gives SES the sender, the receiver, the text and the HTML', async () => {
    const sent: SendEmailCommandInput[] = [];
    const client = { send: async ({ input }: { input: SendEmailCommandInput }) => void sent.push(input) };
    expect(await sesMailer(undefined, client as never).send(mail)).toBe('sent');
    expect(sent).toEqual([
      {
        FromEmailAddress: '"Example Books" <receipts@example.com>',
        Destination: { ToAddresses: ['buyer@example.com'] },
        ReplyToAddresses: ['support@example.com'],
        Content: {
          Simple: {
            Subject: { Data: 'Your invoice INV-2026-000042', Charset: 'UTF-8' },
            Body: {
              Text: { Data: 'Thank you!', Charset: 'UTF-8' },
              Html: { Data: '<p>Thank you!</p>', Charset: 'UTF-8' },
            },
          },
        },
      },
    ]);
  });

  it.each(['MessageRejected', 'BadRequestException'])('treats %s as a final refusal of the mail', async (name) => {
    const client = { send: async () => Promise.reject(Object.assign(new Error('no'), { name })) };
    expect(await sesMailer(undefined, client as never).send(mail)).toBe('refused');
  });

  it('logs an unverified sender as our fault, without the buyer’s address', async () => {
    const message =
      'Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: buyer@example.com';
    const client = { send: async () => Promise.reject(Object.assign(new Error(message), { name: 'MessageRejected' })) };
    const failed = sesMailer(undefined, client as never).send(mail);
    await expect(failed).rejects.toThrow('docs/runbook.md#receipts-by-mail');
    await expect(failed).rejects.not.toThrow('buyer@example.com');
  });

  it('tries again later when SES is busy or set up wrongly', async () => {
    const client = {
      send: async () => Promise.reject(Object.assign(new Error('busy'), { name: 'TooManyRequestsException' })),
    };
    await expect(sesMailer(undefined, client as never).send(mail)).rejects.toThrow('busy');
  });
});

describe('the folder for mails', () => {
  it('gets one readable file for each mail', async () => {
    const mailer = folderMailer(folder, { now });
    await mailer.send({
      ...mail,
      text: 'Größe: 5 €\n',
      subject: 'Ihre Rechnung für Bücher, die sehr lange Betreffzeilen haben',
    });
    await mailer.send(mail);
    const files = readdirSync(folder).sort();
    expect(files).toHaveLength(2);
    const message = readFileSync(join(folder, files[0] ?? ''), 'utf8');
    expect(decoded(message)).toContain('Subject: Ihre Rechnung für Bücher, die sehr lange Betreffzeilen haben');
    expect(message).toMatch(/^[\x20-\x7E\r\n]+$/);
    expect(message).toContain(Buffer.from('Größe: 5 €\n').toString('base64'));
    for (const line of message.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
  });
});

describe('the mailer', () => {
  it('is the folder if one is set, SES if the merchant has an address, and otherwise none', () => {
    expect(openMailer({ folder: undefined, from: undefined, configurationSet: undefined, now })).toBeUndefined();
    expect(openMailer({ folder, from: undefined, configurationSet: undefined, now })).toBeDefined();
  });
});

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
      'VAT 7 %: €1.31',
      'VAT 19 %: €4.79',
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
      expect(text.match(/lang=\w+/g)).toEqual([`lang=${locale}`, `lang=${locale}`, `lang=${locale}`]);
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
    };
    const found = () => ({ document, mail: { isDone: ended.has(document.paymentId), isExpected: true, notes: [] } });
    return {
      found,
      deps: {
        mailer,
        mails,
        brands: { get: async () => ({ brands: [], version: 0 }), policyText: async () => undefined },
        compose: () => mail,
        taxIdUrl: async () => 'https://pay.example/tax-id?token=t',
        orderUrl: async () => 'https://pay.example/orders/pay_1?secret=s',
        newId: () => 'doc_new' as const,
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

  it('is refused to a process that has old data, because the document is already claimed', async () => {
    const { deps, sent, found } = sending(async () => 'sent');
    const unmailed = found();
    await mailInvoice(deps, unmailed, ofSale);
    expect(await mailInvoice(deps, unmailed, ofSale)).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it('happens later when the first try failed', async () => {
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

  it('happens once when two processes try at the same time: the second leaves it to the first', async () => {
    const { deps, sent, found } = sending(async () => 'sent');
    const done = await Promise.all([mailInvoice(deps, found(), ofSale), mailInvoice(deps, found(), ofSale)]);
    expect(done.sort()).toEqual([false, true]);
    expect(sent).toHaveLength(1);
  });

  it('ends as refused when the buyer cannot be reached', async () => {
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
