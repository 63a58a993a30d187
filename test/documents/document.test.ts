import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentView } from '../../shared/documents/document-view.ts';
import { createCreditNote } from '../../shared/domain/documents/credit-note.ts';
import { Document } from '../../shared/domain/documents/document.ts';
import { assertBalanced, groupByRates } from '../../shared/domain/documents/document-balance.ts';
import { type IssueContext, sellerOf } from '../../shared/domain/documents/document-frame.ts';
import { creditNoteIdOf, invoiceIdOf } from '../../shared/domain/documents/document-id.ts';
import { auditSeries, emptySeries, takeNumbers } from '../../shared/domain/documents/document-series.ts';
import { createInvoice } from '../../shared/domain/documents/invoice.ts';
import { sum } from '../../shared/domain/money/money.ts';
import { simplifiedLimitOf } from '../../shared/tax/simplified-invoices.ts';
import { aStamp, creditNoteOf, invoiceOf, issueContext, merchant, refunded, sale, taxes } from './builders.ts';

const figuresOf = ({ net, tax, gross }: Pick<Document, 'net' | 'tax' | 'gross'>) => ({ net, tax, gross });

const rateSets = Object.values(taxes);

const aLine = fc.record({
  unitAmount: fc.integer({ min: 1, max: 1_000_000 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  taxInclusive: fc.boolean(),
  components: fc.constantFrom(...rateSets),
});
const someLines = fc.array(aLine, { minLength: 1, maxLength: 20 });

describe('an invoice', () => {
  it('has the amounts of its payment, for each line and each tax', () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        const payment = sale(lines);
        const invoice = invoiceOf(payment);
        expect(figuresOf(invoice)).toEqual(figuresOf(payment));
        expect(invoice.lines.map(figuresOf)).toEqual(payment.lines.map(figuresOf));
        expect(invoice.lines.map(({ components }) => components)).toEqual(
          payment.lines.map(({ components }) => components),
        );
        for (const part of ['net', 'tax', 'gross'] as const) {
          expect(sum(invoice.lines.map((line) => line[part]))).toBe(invoice[part]);
          expect(sum(invoice.groups.map((group) => group[part]))).toBe(invoice[part]);
        }
      }),
    );
  });

  it('is the same after it is stored and read', () => {
    const invoice = invoiceOf(sale([{ unitAmount: 1_999, components: taxes.quebec }]));
    expect(Document.parse(JSON.parse(JSON.stringify(invoice)))).toEqual(invoice);
  });

  it('groups lines that have the same rates and that include or exclude the tax alike', () => {
    const { groups } = invoiceOf(
      sale([
        { unitAmount: 1_000 },
        { unitAmount: 500, components: taxes.reduced },
        { unitAmount: 2_000 },
        { unitAmount: 2_000, taxInclusive: false },
      ]),
    );
    // 30.00 with 19 % inside: 4.79; 5.00 with 7 % inside: 0.33; 20.00 and 19 %: 3.80
    expect(groups.map(({ gross, tax }) => [gross, tax])).toEqual([
      [3_000, 479],
      [500, 33],
      [2_380, 380],
    ]);
  });

  it('has the buyer’s tax id unless the id was found to be invalid', () => {
    const taxId = { id: 'FR40303265045', country: 'FR', formatName: 'EU VAT', checkedAt: '2026-03-01T12:00:00.000Z' };
    const of = (status: 'valid' | 'unverified' | 'invalid') =>
      invoiceOf(sale([{ unitAmount: 100 }], { taxId: { ...taxId, status } })).buyer.taxId;
    expect([of('valid'), of('unverified'), of('invalid')]).toEqual([
      { id: 'FR40303265045', formatName: 'EU VAT' },
      { id: 'FR40303265045', formatName: 'EU VAT' },
      null,
    ]);
  });

  it('for a free sale has amounts of 0', () => {
    expect(figuresOf(invoiceOf(sale([{ unitAmount: 0 }])))).toEqual({ net: 0, tax: 0, gross: 0 });
  });
});

describe('credit notes', () => {
  it('keep the wording of their invoice after the rate table has changed', () => {
    const payment = sale([{ unitAmount: 1_999, components: taxes.reverseCharge }]);
    const { payment: after, refund } = refunded(payment);
    const invoice = invoiceOf(payment, undefined, { kind: 'reverse_charge' });
    const context = { ...issueContext, relief: { kind: 'none' } as const };
    const note = createCreditNote({ payment: after, refund, invoice }, context, aStamp('CRN', 7, '2026-03-05'));
    expect(note.relief).toEqual({ kind: 'reverse_charge' });
  });

  it('of refunds that return everything add up to the invoice with a minus', () => {
    fc.assert(
      fc.property(someLines, fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 5 }), (lines, amounts) => {
        const sold = sale(lines);
        let payment = sold;
        const notes: Document[] = [];
        for (const amount of [...amounts, null]) {
          if (amount !== null && amount >= payment.refundable) continue;
          notes.push(creditNoteOf(payment, { amount }));
          payment = refunded(payment, { amount }).payment;
        }
        for (const part of ['net', 'tax', 'gross'] as const)
          expect(sum(notes.map((note) => note[part])) + 0).toBe(0 - sold[part]);
      }),
    );
  });

  it('of a partial refund name the lines that it touches, without quantity and price', () => {
    const note = creditNoteOf(sale([{ unitAmount: 1_000 }, { unitAmount: 2_000 }]), {
      items: [{ productId: 'pdt_1', amount: 595, taxInclusive: true }],
    });
    // 5.95 with 19 % inside: 0.95
    expect(note.lines).toMatchObject([
      { productId: 'pdt_1', quantity: null, unitAmount: null, net: -500, tax: -95, gross: -595 },
    ]);
    expect(note.invoice).toEqual({ number: 'INV-2026-000042', issuedOn: '2026-03-01' });
  });

  it('use the tax ids and legal grounds of their invoice, even after the seller’s registrations change', () => {
    const { payment, refund } = refunded(sale([{ unitAmount: 1_000, components: taxes.exempt }]));
    const seller = { ...issueContext.seller, taxIds: [{ country: 'BR', region: null, scheme: null, id: '12' }] };
    const invoice = { ...invoiceOf(payment, seller), exemptions: ['Livros são imunes'] };
    const moved = { ...issueContext, seller: { ...issueContext.seller, address: ['Neue Straße 2'] } };
    const note = createCreditNote({ payment, refund, invoice }, moved, aStamp('CRN', 7, '2026-03-05'));
    expect(note.exemptions).toEqual(['Livros são imunes']);
    expect(note.seller).toEqual({ ...moved.seller, taxIds: seller.taxIds });
  });

  it('of a refund of tax only have a net amount of 0', () => {
    const note = creditNoteOf(sale([{ unitAmount: 1_190 }]), { type: 'tax' });
    expect(figuresOf(note)).toEqual({ net: 0, tax: -190, gross: -190 });
  });
});

describe('a document that does not add up', () => {
  const invoice = invoiceOf(sale([{ unitAmount: 1_190 }, { unitAmount: 500, components: taxes.reduced }]));
  const [line] = invoice.lines as [Document['lines'][number]];

  it.each([
    ['a total', { ...invoice, gross: invoice.gross + 1 }],
    ['a tax that is not in the lines', { ...invoice, tax: invoice.tax + 1, net: invoice.net - 1 }],
    ['a component', { ...invoice, lines: [{ ...line, components: [] }, ...invoice.lines.slice(1)] }],
    ['a missing line', { ...invoice, lines: [line] }],
    ['a missing group', { ...invoice, groups: groupByRates([line]) }],
  ])('is not issued because of a wrong value: %s', (_, broken) => {
    expect(() => assertBalanced(broken)).toThrow('pay_000000000000000000001 do not add up');
  });
});

describe('the seller on a document', () => {
  it('has its own tax id and those of the registrations that the sale falls under', () => {
    const registration = { country: 'CA', region: 'QC', scheme: 'standard' as const, taxId: '1234567890 TQ0001' };
    const unnamed = { country: 'US', region: 'TX', scheme: 'standard' as const };
    expect(sellerOf(merchant, [registration, unnamed]).taxIds).toEqual([
      { country: 'DE', region: null, scheme: null, id: 'DE123456788' },
      { country: 'CA', region: 'QC', scheme: 'standard', id: '1234567890 TQ0001' },
    ]);
  });
});

describe('the seller on an Australian document', () => {
  const australian = { country: 'AU', scheme: 'standard' as const, taxId: '51824753556' };

  it('shows only the Australian number as the seller’s tax id', () => {
    expect(sellerOf(merchant, [australian], 'AU').taxIds).toMatchObject([{ country: 'AU', id: '51824753556' }]);
    expect(sellerOf(merchant, [australian], 'NZ').taxIds).toMatchObject([{ country: 'DE' }, { country: 'AU' }]);
    expect(sellerOf(merchant, [], 'AU').taxIds).toMatchObject([{ country: 'DE' }]);
  });
});

describe('a series of document numbers', () => {
  const series = { ...emptySeries('INV', '2026'), last: 41, lastIssuedAt: '2026-05-01T00:00:00.000Z', version: 7 };
  const take = (count: number, now: string) => takeNumbers(series, count, { now, dateOf: (at) => at.slice(0, 10) });

  it('gives out the next numbers, and records that they are taken', () => {
    const { after, stamps } = take(2, '2026-05-02T10:00:00.000Z');
    expect(stamps.map(({ number, issuedOn }) => [number, issuedOn])).toEqual([
      ['INV-2026-000042', '2026-05-02'],
      ['INV-2026-000043', '2026-05-02'],
    ]);
    expect(after).toEqual({ ...series, last: 43, lastIssuedAt: '2026-05-02T10:00:00.000Z' });
  });

  it('gives no number an earlier date than the number before it', () => {
    expect(take(1, '2026-04-30T23:59:59.999Z').stamps[0]?.issuedAt).toBe('2026-05-01T00:00:00.000Z');
  });

  it('has numbers of at most 16 characters, up to ten million a year', () => {
    const { stamps } = takeNumbers({ ...series, last: 9_999_998 }, 1, { now: '2026-05-02', dateOf: (at) => at });
    expect(stamps[0]?.number).toBe('INV-2026-9999999');
    expect(stamps[0]?.number.length).toBe(16);
  });

  it.each([
    { serials: [1, 2, 3], gaps: [], isContinuous: true },
    { serials: [1, 2, 3, 4], gaps: [], isContinuous: true },
    { serials: [1, 3], gaps: [{ from: 2, to: 2 }], isContinuous: false },
    { serials: [3], gaps: [{ from: 1, to: 2 }], isContinuous: false },
    { serials: [1], gaps: [{ from: 2, to: 3 }], isContinuous: false },
    { serials: [], gaps: [{ from: 1, to: 3 }], isContinuous: false },
    { serials: [1, 1, 2, 3], gaps: [], isContinuous: false },
  ])('counted to 3, with the numbers $serials, has the gaps $gaps', ({ serials, gaps, isContinuous }) => {
    expect(auditSeries({ ...series, last: 3 }, serials)).toMatchObject({ gaps, isContinuous, counter: 3 });
  });
});

it('the id of a document is derived from the id of its payment or refund', () => {
  expect([invoiceIdOf('pay_abc'), creditNoteIdOf('ref_abc')]).toEqual(['inv_abc', 'crn_abc']);
});

describe('a simplified invoice', () => {
  const limit = { currency: 'EUR', amount: 25_000 };
  const issued = (
    fields: Parameters<typeof sale>[1],
    unitAmount = 25_000,
    context: Partial<IssueContext> = { simplifiedUpTo: limit },
  ) => createInvoice(sale([{ unitAmount }], fields), { ...issueContext, ...context }, aStamp('INV', 1, '2026-03-01'));
  const nameless = { customer: { id: 'cus_1', email: 'buyer@example.com', name: '', phone: null } };
  const nowhere = { country: 'DE', state: null, city: null, street: null, zipcode: null };

  it('is issued for a small sale to a domestic consumer whose name or address is missing', () => {
    for (const fields of [nameless, { billing: nowhere }]) expect(issued(fields).isSimplified).toBe(true);
  });

  it.each([
    ['with name and address', {}, 1_000],
    ['of a cent more than the limit', nameless, 25_001],
    ['in another currency', { ...nameless, currency: 'USD' }, 1_000],
    ['to another country', { ...nameless, billing: { ...nowhere, country: 'AT' } }, 1_000],
    ['to a business', { ...nameless, businessName: 'Beispiel GmbH' }, 1_000],
  ])('is not issued for a sale %s: the invoice is a full one', (_, fields, amount) =>
    expect(issued(fields, amount)).not.toHaveProperty('isSimplified'),
  );

  it('is not issued where the law of the seller’s country sets no limit', () =>
    expect(issued(nameless, 1_000, {})).not.toHaveProperty('isSimplified'));

  it.each([
    ['DE', { currency: 'EUR', amount: 25_000 }],
    ['IE', { currency: 'EUR', amount: 10_000 }],
    ['GB', { currency: 'GBP', amount: 25_000 }],
    ['ES', undefined],
    ['US', undefined],
  ])('has the limit that the law sets in %s', (country, expected) => {
    const found = simplifiedLimitOf(country);
    expect(found && { currency: found.currency, amount: found.amount }).toEqual(expected);
    if (found) expect(found.source).not.toBe('');
  });

  it('has the title “simplified invoice”', () =>
    expect(documentView(issued(nameless), { locale: 'de', isSandbox: false }).kind).toBe('Kleinbetragsrechnung'));
});
