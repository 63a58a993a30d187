import { describe, expect, it } from 'vitest';
import type { DocumentCell } from '../../shared/documents/document-tables.ts';
import { type DocumentView, documentView } from '../../shared/documents/document-view.ts';
import { Document } from '../../shared/domain/documents/document.ts';
import { sellerOf } from '../../shared/domain/documents/document-frame.ts';
import { Merchant } from '../../shared/domain/merchant.ts';
import { type Locale, locales } from '../../shared/pages/locale.ts';
import { reliefWordingOf } from '../../shared/tax/business-buyers.ts';
import { documentTexts } from '../../shared/texts/texts.ts';
import { creditNoteOf, invoiceOf, issueContext, merchant, sale, tax, taxes, untaxed } from './builders.ts';
import { specimens } from './specimens.ts';

const view = (document: Parameters<typeof documentView>[0], locale: Locale = 'en') =>
  documentView(document, { locale, isSandbox: false });

const plain = (text: string): string => text.replace(/[\u00A0\u202F]/g, ' ');
const cell = (texts: DocumentCell): string => texts.map(({ text }) => plain(text)).join(' ');
const rowsOf = (table: DocumentView['taxes']) => table?.rows.map((row) => row.map(cell));
const totalsOf = ({ totals }: DocumentView) => totals.map(({ label, value }) => `${plain(label)}: ${plain(value)}`);
/** What an invoice says below its total. */
const paid = (total: string) => [`Paid: ${total}`, 'Amount due: €0.00'];
const totalOf = ({ totals }: DocumentView) => totals.find(({ isTotal }) => isTotal);
const place = (country: string, state: string | null = null) => ({
  country,
  state,
  city: null,
  street: null,
  zipcode: null,
});

describe('documents in each language', () => {
  it('use the wording of that language’s law for “reverse charge”', () => {
    for (const locale of locales)
      expect(documentTexts[locale]['note.reverse_charge'].toLowerCase()).toContain('reverse charge');
  });
});

describe('the tax on a document', () => {
  it('follows a subtotal when the price includes it, and the total is shown as paid', () => {
    const shown = view(invoiceOf(sale([{ unitAmount: 1_999 }])));
    // 19.99 with 19 % inside: 3.19
    expect(totalsOf(shown)).toEqual([
      'Subtotal without tax: €16.80',
      'VAT 19%: €3.19',
      'Total: €19.99',
      ...paid('€19.99'),
    ]);
    expect(rowsOf(shown.taxes)).toEqual([['VAT 19%', '€16.80', '€3.19']]);
    expect(rowsOf(shown.lines)).toEqual([
      ['Product 0', '1', '€19.99 €16.80 excl. tax', '€16.80', 'VAT 19% €3.19', '€19.99'],
    ]);
    expect(shown.notes).toEqual(['Prices include the tax.']);
  });

  it('is added after the subtotal when the price excludes it, and the total comes last', () => {
    const shown = view(invoiceOf(sale([{ unitAmount: 1_999, taxInclusive: false }])));
    expect(totalsOf(shown)).toEqual([
      'Subtotal without tax: €19.99',
      'VAT 19%: €3.80',
      'Total: €23.79',
      ...paid('€23.79'),
    ]);
    expect(shown.notes).toEqual([]);
  });

  it('shows each rate once, and says for each line whether the price includes it', () => {
    const shown = view(invoiceOf(sale([{ unitAmount: 11_900 }, { unitAmount: 10_000, taxInclusive: false }])));
    expect(rowsOf(shown.taxes)).toEqual([['VAT 19%', '€200.00', '€38.00']]);
    expect(totalsOf(shown).slice(0, 3)).toEqual(['Subtotal without tax: €200.00', 'VAT 19%: €38.00', 'Total: €238.00']);
    expect(rowsOf(shown.lines)?.map((row) => row[2])).toEqual([
      '€119.00 tax included €100.00 excl. tax',
      '€100.00 plus tax',
    ]);
    expect(shown.notes).toEqual([]);
  });

  it('has the day of the payment as date of supply, except for a lesson, whose date is not known', () => {
    const labelsOf = (document: Document) => view(document).facts.map(({ label }) => label);
    const payment = sale([{ unitAmount: 1_999 }]);
    const lines = payment.lines.map((line) => ({ ...line, taxCategory: 'live_tutoring' as const }));
    expect(labelsOf(invoiceOf(payment))).toContain('Supply and payment');
    expect(labelsOf(invoiceOf({ ...payment, lines }))).toContain('Date of payment');
    const { suppliedOn: _, ...old } = invoiceOf(payment);
    expect(labelsOf(Document.parse(old))).toContain('Date of payment');
  });

  it('has two lines in Québec, and the two rates are never added together', () => {
    const billing = place('CA', 'QC');
    const sold = sale([{ unitAmount: 10_000, taxInclusive: false, components: taxes.quebec }], {
      currency: 'CAD',
      billing,
    });
    const shown = view(invoiceOf(sold));
    expect(rowsOf(shown.taxes)).toEqual([
      ['GST 5%', 'CA$100.00', 'CA$5.00'],
      ['QST 9.975%', 'CA$100.00', 'CA$9.98'],
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/14\.97|9\.97[^5]/);
  });

  it('says for Texas that it applies to 80 % of the price', () => {
    const sold = sale([{ unitAmount: 2_999, taxInclusive: false, components: taxes.texas }], { currency: 'USD' });
    expect(totalsOf(view(invoiceOf(sold)))).toContain('State sales tax 6.25% on 80% of the price: $1.50');
  });

  it('has no rate under reverse charge, but the note and both tax ids', () => {
    const taxId = { id: 'FR40303265045', country: 'FR', formatName: 'EU VAT', status: 'valid' as const, checkedAt: '' };
    const sold = sale([{ unitAmount: 49_900, components: taxes.reverseCharge }], {
      billing: place('FR'),
      taxId,
      businessName: 'Éditions du Rhône',
    });
    const shown = view(invoiceOf(sold));
    expect(shown.notes).toEqual(['Reverse charge: the buyer is liable for the tax.']);
    expect(shown.buyer).toEqual({
      role: 'Buyer',
      name: 'Éditions du Rhône',
      lines: ['France', 'VAT ID: FR40303265045'],
    });
    expect(shown.seller.lines).toContain('VAT ID: DE123456788');
    expect(totalsOf(shown)).toEqual(['Subtotal without tax: €499.00', 'Total: €499.00', ...paid('€499.00')]);
    expect(JSON.stringify(shown)).not.toContain('%');
  });

  it.each([
    ['FR', 'Reverse charge: the buyer is liable for the tax. (Autoliquidation)', true],
    ['GB', 'Reverse charge: the buyer is liable for the tax.', true],
    ['IN', 'Tax payable under reverse charge: Yes', true],
    ['AU', 'Sale to a business that is registered for GST: no GST is charged.', false],
    ['NO', undefined, false],
    ['SG', undefined, false],
  ])('for a business without tax in %s has the wording of its law: %s', (country, note, isLabelled) => {
    const sold = sale([{ unitAmount: 49_900, components: [untaxed('VAT', country, 'reverse_charge')] }], {
      billing: place(country),
    });
    const shown = view(invoiceOf(sold, undefined, reliefWordingOf({ country })));
    expect(shown.notes).toEqual(note === undefined ? [] : [note]);
    expect(JSON.stringify([shown.lines, shown.taxes]).includes('Reverse charge')).toBe(isLabelled);
    expect(shown.taxes === null).toBe(!isLabelled);
  });

  it('does not repeat the phrase of French law when the document is in French', () => {
    const sold = sale([{ unitAmount: 49_900, components: taxes.reverseCharge }], { billing: place('FR') });
    const invoice = invoiceOf(sold, undefined, reliefWordingOf({ country: 'FR' }));
    expect(view(invoice, 'fr').notes.map(plain)).toEqual([
      'Autoliquidation (reverse charge) : la taxe est due par l’acheteur.',
    ]);
  });

  it('leaves a unit price without tax, of up to four decimals, when the price includes tax', () => {
    const unitOf = (sold: Parameters<typeof sale>[0][number], currency = 'EUR', locale: Locale = 'en') =>
      rowsOf(view(invoiceOf(sale([sold], { currency })), locale).lines)?.[0]?.[2];
    expect(unitOf({ unitAmount: 1_999, quantity: 3 })).toBe('€19.99 €16.7967 excl. tax'); // 59.97 holds 9.58: 50.39 / 3
    expect(unitOf({ unitAmount: 1_999, quantity: 3 }, 'EUR', 'de')).toBe('19,99 € 16,7967 € ohne Steuer');
    expect(unitOf({ unitAmount: 1_000, quantity: 3, components: taxes.japanese }, 'JPY')).toBe('¥1,000 ¥909 excl. tax'); // 3000 holds 273
    expect(unitOf({ unitAmount: 1_999, taxInclusive: false })).toBe('€19.99');
    expect(unitOf({ unitAmount: 1_999, components: taxes.notCollecting })).toBe('€19.99');
  });

  it('is printed with 0 % for a zero rate', () => {
    const shown = view(invoiceOf(sale([{ unitAmount: 1_299, components: taxes.zeroRated }], { currency: 'GBP' })));
    expect(rowsOf(shown.taxes)).toEqual([['VAT 0%', '£12.99', '£0.00']]);
  });

  it.each(['not_collecting', 'no_tax', 'unsupported', 'not_taxable'] as const)(
    'is not mentioned when the reason is %s',
    (reason) => {
      const shown = view(invoiceOf(sale([{ unitAmount: 1_999, components: [untaxed('VAT', 'DE', reason)] }])));
      expect(shown.taxes).toBeNull();
      expect(totalsOf(shown)).toEqual(['Total: €19.99', ...paid('€19.99')]);
      expect(shown.lines.columns.map(({ label }) => label)).toEqual([
        'Description',
        'Quantity',
        'Unit price',
        'Amount',
      ]);
      expect(JSON.stringify(shown)).not.toMatch(/%|VAT(?! ID)/);
    },
  );

  it('is left out when it is not collected, even beside a tax that is collected', () => {
    const components = [tax('GST', 'CA', '0.05'), untaxed('QST', 'CA-QC', 'not_collecting')];
    const shown = view(invoiceOf(sale([{ unitAmount: 10_000, taxInclusive: false, components }], { currency: 'CAD' })));
    expect(rowsOf(shown.taxes)).toEqual([['GST 5%', 'CA$100.00', 'CA$5.00']]);
  });

  it('states the ground of an exemption: the merchant’s own, or the law’s', () => {
    const sold = sale([{ unitAmount: 4_990, components: taxes.exempt }], { currency: 'BRL' });
    expect(view(invoiceOf(sold)).notes).toEqual(['Exempt from tax: Constituição Federal, art. 150, VI, d']);
    const given = { ...invoiceOf(sold), exemptions: ['§ 4 Nr. 21 UStG'] };
    expect(view(given).notes).toEqual(['Exempt from tax: § 4 Nr. 21 UStG']);
  });
});

describe('the title of a document', () => {
  const australian = (scheme: 'standard' | 'simplified') =>
    sellerOf(merchant, [{ country: 'AU', scheme, taxId: '51824753556' }]);
  const sold = sale([{ unitAmount: 1_100, components: [tax('GST', 'AU', '0.1')] }], { currency: 'AUD' });

  it('is “tax invoice”, with the ABN, for a registered seller’s tax in Australia', () => {
    const shown = view(invoiceOf(sold, australian('standard')));
    expect(shown.kind).toBe('Tax invoice');
    expect(shown.seller.lines).toContain('ABN: 51824753556');
  });

  it('is never “tax invoice” for a seller with a simplified registration', () =>
    expect(view(invoiceOf(sold, australian('simplified'))).kind).toBe('Invoice'));

  it('is “credit note” when money is returned, with the number of its invoice', () => {
    const shown = view(creditNoteOf(sale([{ unitAmount: 1_190 }]), { amount: 595, publicReason: 'Damaged' }));
    expect(shown.kind).toBe('Credit note');
    expect(shown.facts).toContainEqual({ label: 'Corrects invoice', value: 'INV-2026-000042 of March 1, 2026' });
    expect(shown.reason).toEqual({ label: 'Reason', value: 'Damaged' });
    expect(totalsOf(shown)).toEqual([
      'Subtotal without tax: −€5.00',
      'VAT 19%: −€0.95',
      'Total: −€5.95',
      'Refunded: €5.95',
    ]);
    expect(shown.lines.columns.map(({ label }) => label)).toEqual(['Description', 'Net', 'Tax', 'Amount']);
  });

  it('does not contain the private note of a refund', () => {
    expect(view(creditNoteOf(sale([{ unitAmount: 1_190 }]), { reason: 'Suspected fraud' })).reason).toBeNull();
  });
});

describe('amounts on a document', () => {
  it.each([
    { currency: 'JPY', amount: 1_000, locale: 'ja' as const, printed: '￥1,000' },
    { currency: 'KWD', amount: 12_345, locale: 'en' as const, printed: 'KWD 12.345' },
    { currency: 'HUF', amount: 12_345, locale: 'de' as const, printed: '123,45 HUF' },
    { currency: 'EUR', amount: 5, locale: 'nl' as const, printed: '€ 0,05' },
  ])('of $amount minor units of $currency are printed as $printed', ({ currency, amount, locale, printed }) => {
    const total = totalOf(view(invoiceOf(sale([{ unitAmount: amount }], { currency })), locale));
    expect(plain(total?.value ?? '')).toBe(printed);
  });

  it('of a credit note have a minus, even the smallest ones', () => {
    const total = totalOf(view(creditNoteOf(sale([{ unitAmount: 5 }]))));
    expect(total?.value).toBe('−€0.05');
  });

  it.each(['ar', 'he'] as const)(
    'of a credit note have the minus beside their digits in %s, which is read from the right',
    (locale) => {
      const total = totalOf(view(creditNoteOf(sale([{ unitAmount: 1_190 }])), locale));
      expect(total?.value).toMatch(/^\u200F\u200E\u221211\.90/);
    },
  );
});

describe('the parties on a document', () => {
  it('show only the country of a seller when nothing else is known', () => {
    const bare = sellerOf(Merchant.parse({ id: 'bare', name: 'Bare', country: 'DE' }), []);
    const shown = view(invoiceOf(sale([{ unitAmount: 100 }]), bare), 'de');
    expect(shown.seller).toEqual({ role: 'Verkäufer', name: 'Bare', lines: ['Deutschland'] });
  });

  it.each([
    { name: 'Acme', line: 'Acme (an example merchant)', printed: ['Acme (an example merchant)', '1 Main Street'] },
    { name: 'Acme', line: 'Acme', printed: ['Acme', '1 Main Street'] },
    { name: 'Acme', line: 'Acmestone House', printed: ['Acme', 'Acmestone House', '1 Main Street'] },
  ])('print the name of the seller once: $name, $line', ({ name, line, printed }) => {
    const seller = { ...issueContext.seller, name, address: [line, '1 Main Street'], email: null, taxIds: [] };
    const shown = view({ ...invoiceOf(sale([{ unitAmount: 1_190 }])), seller }).seller;
    expect([shown.name, ...shown.lines]).toEqual(printed);
  });

  it('show a buyer without a name by the e-mail address', () => {
    const customer = { id: 'cus_1', email: 'buyer@example.com', name: '', phone: null };
    expect(view(invoiceOf(sale([{ unitAmount: 100 }], { customer }))).buyer.name).toBe('buyer@example.com');
  });

  it.each([
    ['DE', ['22765 Hamburg', 'Germany']],
    ['US', ['Hamburg, NY 22765', 'United States']],
  ])('show an address of %s in that country’s order', (country, lines) => {
    const billing = { country, state: country === 'US' ? 'NY' : null, city: 'Hamburg', street: null, zipcode: '22765' };
    expect(view(invoiceOf(sale([{ unitAmount: 100 }], { billing }))).buyer.lines).toEqual(lines);
  });

  it('show the brand as the name that the buyer knows', () => {
    const document = { ...invoiceOf(sale([{ unitAmount: 100 }])), brandName: 'Night School' };
    expect(view(document)).toMatchObject({ brandName: 'Night School', seller: { name: issueContext.seller.name } });
  });
});

it('every specimen from the sandbox says that it is not a real document', () => {
  for (const { document, locale } of specimens)
    expect(documentView(document, { locale, isSandbox: true }).notes.at(-1)).toBe(
      documentTexts[locale]['note.sandbox'],
    );
});
