import { describe, expect, it } from 'vitest';
import type { Mail } from '../../shared/domain/mail.ts';
import { inkOn } from '../../shared/pages/ink.ts';
import { composeMail } from '../../shared/pages/mail/compose-mail.ts';
import type { MailParts } from '../../shared/pages/mail/mail-parts.ts';
import { skeletonOf, valuesOf, visibleText } from './markup.ts';
import { xssPayloads } from './xss-payloads.ts';

const envelope = { from: 'receipts@example.com', to: 'buyer@example.com', replyTo: 'help@example.com' };

/** A mail in which every text of others is this one. */
const partsOf = (text: string, fields: Partial<MailParts> = {}): MailParts => ({
  locale: 'en',
  subject: 'Your invoice',
  brand: { name: text, color: '#123456', logo: 'https://cdn.example/logo.png' },
  preview: 'Invoice 1',
  lead: 'The payment has arrived.',
  links: [
    { label: 'Invoice', url: 'https://pay.example/invoice' },
    { label: 'Tax id', url: 'https://pay.example/tax-id' },
  ],
  order: {
    title: 'Your order',
    lines: Array.from({ length: 20 }, () => ({ name: text, details: [text], amount: '€1.00' })),
    totals: [{ label: 'Total', value: '€20.00', isTotal: true }],
  },
  facts: [{ label: 'Number', value: text }],
  reason: { label: 'Reason', value: text },
  seller: { role: 'Seller', name: text, lines: [text, text] },
  after: ['Questions?'],
  ...fields,
});

const mailOf = (text: string, fields: Partial<MailParts> = {}): Mail => composeMail(partsOf(text, fields), envelope);

const plain = mailOf('Field Guide');

describe('a mail', () => {
  it('has the same order in HTML and text: event, link, order, seller', () => {
    const order = [
      'The payment has arrived.',
      'Invoice',
      'Your order',
      'Total',
      'Number',
      'Reason',
      'Seller',
      'Questions?',
    ];
    for (const view of [plain.text, visibleText(plain.html).replace('Invoice 1', '')]) {
      const places = order.map((words) => view.indexOf(words));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places[0]).toBeGreaterThanOrEqual(0);
    }
  });

  it('uses only HTML elements that mail programs support, without a table, a script or a form', () => {
    const elements = new Set(skeletonOf(plain.html).map((element) => element.split(' ')[0]?.replace('/', '')));
    expect([...elements].sort()).toEqual(
      '!doctype a body br dd div dl dt h1 h2 head html img main meta p span style title'.split(' '),
    );
  });

  it('loads only the logo, and the text contains everything that the logo says', () => {
    expect(plain.html.match(/(?:src|srcset|background|poster|data)=/g)).toHaveLength(1);
    expect(plain.html).not.toMatch(/url\(|@import|<link/);
    const unseen = mailOf('Field Guide', { brand: { name: 'Field Guide' } });
    expect(visibleText(plain.html)).toBe(visibleText(unseen.html));
    expect(valuesOf(plain.html, 'alt')).toEqual(['']);
  });

  it.each(['data:image/svg+xml,<svg/>', 'http://evil.example/x.png', 'javascript:alert(1)', '/logo.png', ''])(
    'omits a logo with the address %j',
    (logo) => expect(mailOf('A', { brand: { name: 'A', logo } }).html).not.toContain('<img'),
  );

  it.each(['red', '#12345', '#123456;background:url(https://evil.example)', '"><script>', ''])(
    'uses the default colour instead of %j',
    (color) =>
      expect(mailOf('A', { brand: { name: 'A', color } }).html).toBe(mailOf('A', { brand: { name: 'A' } }).html),
  );

  it.each(['#000000', '#ffffff', '#0b5c58', '#ffcc00', '#777777', '#767676', '#ff0000', '#00ff00', '#8a8a8a'])(
    'has readable text on the colour %s: a contrast of at least 4.5 to 1',
    (color) => expect(contrast(color, inkOn(color) === '#fff' ? '#ffffff' : '#000000')).toBeGreaterThanOrEqual(4.5),
  );

  it('has readable colours for light and dark screens', () => {
    const pairs: [ink: string, paper: string][] = [
      ['#1a1c1e', '#ffffff'],
      ['#585d63', '#ffffff'],
      ['#0b5c58', '#ffffff'],
      ['#eceeef', '#1c1f22'],
      ['#a9afb5', '#1c1f22'],
      ['#5cc5bd', '#1c1f22'],
    ];
    for (const pair of pairs) {
      for (const color of pair) expect(plain.html).toContain(color);
      expect(contrast(...pair)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('runs from right to left in Arabic and Hebrew, and keeps the direction of each name', () => {
    for (const locale of ['ar', 'he'] as const) {
      const { html, text } = mailOf('Field Guide (2)', { locale });
      expect(html.match(/dir="rtl"/g)).toHaveLength(2);
      expect(html).toContain('float:left');
      for (const view of [html, text]) expect(view).toContain('\u2068Field Guide (2)\u2069');
    }
    const { html, text } = mailOf('دليل (2)');
    for (const view of [html, text]) expect(view).toContain('\u2068دليل (2)\u2069');
    expect(html).toContain('float:right');
    expect(plain.text).not.toMatch(/[\u2066-\u2069]/);
  });
});

const turning = /[\u202A-\u202E\u2066\u2067]/;

describe('a name that a merchant or buyer typed', () => {
  it.each(xssPayloads)('is shown as text in a mail, even if it is %j', (payload) => {
    expect(skeletonOf(mailOf(payload).html)).toEqual(skeletonOf(plain.html));
  });

  it.each([
    'A\r\nBcc: everyone@evil.example',
    'A\n\nTotal: €0.01',
    'A\u2028B\u2029C',
    'A\u0000\u001b[31mB\u0085C',
    'A\u202Egpj.exe',
    '\u2067\u2066\u202D\u202A\u202BA',
    'A\u2069\u2069\u2069B',
    '\ud800 lone',
  ])('stays on its line and does not change the text direction around it: %j', (name) => {
    const { from, subject, text, html } = mailOf(name);
    expect(text.split('\n')).toHaveLength(plain.text.split('\n').length);
    for (const view of [from.name, subject, text, html]) {
      expect(view).not.toMatch(turning);
      expect(view.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u2028|\u2029/u);
      expect(view.isWellFormed()).toBe(true);
    }
    const count = (view: string, character: string) => view.split(character).length;
    for (const view of [text, html]) expect(count(view, '\u2068')).toBe(count(view, '\u2069'));
  });

  it.each(['a', '<', '"', '👩‍💻', 'ش', ' ', '\u202E', '\n'])(
    'of 300 kB of %j is shortened, so the mail stays small',
    (character) => {
      const { from, text, html } = mailOf(character.repeat(300_000 / character.length));
      expect(from.name.length).toBeLessThanOrEqual(401);
      expect(Buffer.byteLength(text)).toBeLessThan(60_000);
      // Gmail cuts a mail off after 102 kB.
      expect(Buffer.byteLength(html)).toBeLessThan(102_000);
    },
  );

  it('adds few bytes: a mail with one order line is below 6 kB', () => {
    const line = { name: 'Field Guide', details: [], amount: '€20.00' };
    const totals = [{ label: 'Total', value: '€20.00', isTotal: true }];
    const { html } = mailOf('Field Guide', { order: { title: 'Your order', lines: [line], totals } });
    expect(Buffer.byteLength(html)).toBeLessThan(6_000);
  });
});

/** As WCAG 2.2 has it. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other].map(luminance).sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
