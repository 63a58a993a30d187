import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { documentMail } from '../../shared/documents/document-mail.ts';
import { documentNotice, documentPage } from '../../shared/documents/document-page.ts';
import { documentAnswer } from '../../shared/documents/document-responses.ts';
import { documentStylesHash } from '../../shared/documents/document-styles.ts';
import { documentView } from '../../shared/documents/document-view.ts';
import type { Document } from '../../shared/domain/documents/document.ts';
import { skeletonOf, visibleText } from '../pages/markup.ts';
import { xssPayloads } from '../pages/xss-payloads.ts';
import { creditNoteOf, invoiceOf, sale } from './builders.ts';
import { specimens } from './specimens.ts';

const note = creditNoteOf(sale([{ unitAmount: 1_190 }]), { publicReason: 'Agreed' });

/** A credit note with one text wherever a merchant or a buyer can put one. */
const saying = (text: string): Document => ({
  ...note,
  brandName: text,
  brand: { color: text, logo: text, email: text, url: text },
  seller: {
    name: text,
    address: [text, text],
    country: 'DE',
    email: text,
    taxIds: [{ country: 'DE', region: null, scheme: null, id: text }],
  },
  buyer: {
    name: text,
    businessName: text,
    email: text,
    address: { country: 'DE', state: text, city: text, street: text, zipcode: text },
    taxId: { id: text, formatName: text },
    language: null,
  },
  lines: note.lines.map((line) => ({
    ...line,
    name: text,
    components: line.components.map((one) => ({ ...one, name: text })),
  })),
  groups: note.groups.map((group) => ({
    ...group,
    components: group.components.map((one) => ({ ...one, name: text })),
  })),
  exemptions: [text],
  reason: text,
});

const pageOf = (document: Document): string =>
  documentPage(documentView(document, { locale: 'en', isSandbox: true }), { pdf: '?format=pdf&lang=en', xml: null });

const site = { businessId: 'demo', publicUrl: 'https://pay.example.com' };
const mailOf = (document: Document) =>
  documentMail(document, {
    site,
    locale: 'en',
    isSandbox: true,
    documentSecret: 'doc_secret',
    offersWithdrawal: true,
    from: 'receipts@example.com',
  });

describe('texts of merchants and buyers', () => {
  const plain = saying('A plain text');

  it.each(xssPayloads)('from %s add no element and no attribute to a document’s page', (payload) => {
    expect(skeletonOf(pageOf(saying(payload)))).toEqual(skeletonOf(pageOf(plain)));
  });

  it('add no element and no attribute to the notice page and the mail', () => {
    for (const payload of xssPayloads) {
      expect(skeletonOf(documentNotice('en', 'missing', { merchant: payload, mailAddress: '?lang=en' }))).toEqual(
        skeletonOf(documentNotice('en', 'missing', { merchant: 'X', mailAddress: '?lang=en' })),
      );
      expect(skeletonOf(mailOf(saying(payload)).html)).toEqual(skeletonOf(mailOf(plain).html));
    }
  });
});

describe('a document’s page', () => {
  it('contains its styles, and its content policy allows exactly these styles', () => {
    const [, styles = ''] = /<style>([\s\S]*?)<\/style>/.exec(pageOf(note)) ?? [];
    expect(`'sha256-${createHash('sha256').update(styles).digest('base64')}'`).toBe(documentStylesHash);
  });

  it('labels each figure with the name of its column, because a phone shows each row as a list', () => {
    expect(pageOf(invoiceOf(sale([{ unitAmount: 1_190 }])))).toContain(
      '<td role="cell" class="number" data-label="Net"><div>€10.00</div></td>',
    );
  });

  it.each(specimens)('shows everything that the view of the document contains: $name', ({ document, locale }) => {
    const view = documentView(document, { locale, isSandbox: false });
    const shown = visibleText(documentPage(view, { pdf: '#', xml: '#' }))
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"');
    const tables = [view.lines, ...(view.taxes ? [view.taxes] : [])];
    const texts = [
      view.number,
      ...view.facts.flatMap(({ label, value }) => [label, value]),
      ...tables.flatMap(({ columns, rows }) => [
        ...columns.map(({ label }) => label),
        ...rows.flat(2).map(({ text }) => text),
      ]),
      ...view.totals.flatMap(({ label, value }) => [label, value]),
      ...(view.reason ? [view.reason.label, view.reason.value] : []),
      ...view.notes,
    ];
    for (const text of texts) expect(shown).toContain(text.replace(/\s+/g, ' '));
  });
});

describe('a brand', () => {
  const brand = {
    color: '#7a1fa2',
    logo: 'https://pay.example.com/images/logo.png',
    email: 'hi@night.example',
    url: 'https://night.example',
  };
  const branded = { ...invoiceOf(sale([{ unitAmount: 1_000 }])), brandName: 'Night School', brand };

  it('shows its colour, logo, name and contact above the document, which keeps the seller’s own data', () => {
    const page = pageOf(branded);
    expect(page).toContain('<rect width="100%" height="6" fill="#7a1fa2"/>');
    expect(page).toContain('<img src="https://pay.example.com/images/logo.png" alt="" height="40">Night School');
    for (const line of ['hi@night.example', 'https://night.example', 'Example Books', 'DE123456788'])
      expect(page).toContain(line);
    expect(page).not.toContain('style=');
  });

  it('adds neither a picture nor a coloured bar to a document without a brand', () => {
    expect(pageOf(invoiceOf(sale([{ unitAmount: 1_000 }])))).not.toMatch(/<img|<rect/);
  });

  it('lets the page load its logo, and no other image', async () => {
    const opened = { document: branded, documentSecret: null };
    const asking = { headers: { accept: 'text/html' }, query: () => undefined };
    const rendering = {
      site,
      brands: { get: async () => ({}) },
      isSandbox: true,
      renderPdf: async () => new Uint8Array(),
    };
    const policy = async (document: Document) =>
      (await documentAnswer({ ...opened, document }, asking, rendering)).headers['content-security-policy'];
    expect(await policy(branded)).toContain('img-src https://pay.example.com data:;');
    expect(await policy({ ...branded, brand: undefined })).toContain('img-src data:;');
  });
});
