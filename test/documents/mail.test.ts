import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { afterAll, describe, expect, it } from 'vitest';
import type { Mail } from '../../shared/domain/mail.ts';
import { MailServiceBusy } from '../../shared/domain/mail.ts';
import { composeMessage, folderMailer } from '../../shared/outside/mail/folder-mailer.ts';
import { formatAddress, headerText, isPlainAddress } from '../../shared/outside/mail/headers.ts';
import { openMailer } from '../../shared/outside/mail/open-mailer.ts';
import { sesMailer } from '../../shared/outside/mail/ses-mailer.ts';

const folder = mkdtempSync(join(tmpdir(), 'mails-'));
afterAll(() => rmSync(folder, { recursive: true }));

const now = () => new Date('2026-03-01T12:00:05Z');

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
  it.each(injections)('with the text %j stays a single header line', (text) => {
    const message = composeMessage({ ...mail, from: { ...mail.from, name: text }, subject: text }, now());
    expect(headersOf(message)).toEqual(plainHeaders);
    const [from = ''] = message.split('\r\n');
    expect(from.match(/<[^<>]*>/g)).toEqual(['<receipts@example.com>']);
  });

  it.each(injections)('that SES gets with the text %j is one line, with one sender address', async (text) => {
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
  ])('is not made for the invalid receiver %j: the mail is refused', async (to) => {
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

  it('throws an error for an invalid sender address in the configuration', () => {
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

  it.each([
    { quota: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 20_000 }, perSecond: 14, leftToday: 30_000 },
    { quota: { MaxSendRate: 14, Max24HourSend: 200, SentLast24Hours: 201 }, perSecond: 14, leftToday: 0 },
    { quota: { MaxSendRate: 500, Max24HourSend: -1 }, perSecond: 500, leftToday: Number.POSITIVE_INFINITY },
    { quota: undefined, perSecond: 0, leftToday: 0 },
  ])('reads the quota $quota of the account', async ({ quota, perSecond, leftToday }) => {
    const client = { send: async () => ({ SendQuota: quota }) };
    expect(await sesMailer(undefined, client as never).quota?.()).toEqual({ perSecond, leftToday });
  });

  it.each([
    { message: 'Maximum sending rate exceeded.', isDayOver: false },
    { message: 'Daily message quota exceeded.', isDayOver: true },
  ])('throws an error when SES is busy, so the mail is tried again later: $message', async ({ message, isDayOver }) => {
    const error = Object.assign(new Error(message), { name: 'TooManyRequestsException' });
    const sent = sesMailer(undefined, { send: () => Promise.reject(error) } as never).send(mail);
    await expect(sent).rejects.toBeInstanceOf(MailServiceBusy);
    await expect(sent).rejects.toMatchObject({ isDayOver });
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
