import fc from 'fast-check';
import type { Document, ReliefWording } from '../../shared/domain/documents/document.ts';
import { creditNoteOf, invoiceOf, issueContext, type Sold, sale, tax, untaxed } from '../documents/builders.ts';
import { anyCharacter } from '../support/any-character.ts';

const german = [tax('VAT', 'DE', '0.19')];
const lowest = [tax('VAT', 'FR', '0.021')];
const swiss = [tax('VAT', 'CH', '0.081')];
const zero = [untaxed('VAT', 'DE', 'zero_rated')];
const exempt = [untaxed('VAT', 'DE', 'exempt')];
const relieved = [untaxed('VAT', 'FR', 'reverse_charge')];
const outside = [untaxed('VAT', 'FR', 'not_collecting')];

const line = fc
  .record({
    name: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }).filter((name) => /[\p{L}\p{N}]/u.test(name)),
    unitAmount: fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 12_000_000 })),
    quantity: fc.integer({ min: 1, max: 20 }),
    taxInclusive: fc.boolean(),
    components: fc.constantFrom(german, lowest, swiss, zero, exempt, relieved, outside),
    percent: fc.option(fc.integer({ min: 1, max: 100 })),
  })
  .map(
    ({ percent, ...sold }): Sold => ({
      ...sold,
      discount: Math.floor((sold.unitAmount * sold.quantity * (percent ?? 0)) / 100),
    }),
  );

const reliefs: readonly ReliefWording[] = [
  { kind: 'reverse_charge', phrase: 'Autoliquidation' },
  { kind: 'payable_under_reverse_charge' },
  { kind: 'gst_registered' },
  { kind: 'none' },
];

const french = {
  id: 'FR40303265045',
  country: 'FR',
  status: 'valid' as const,
  formatName: 'EU VAT',
  checkedAt: '2026-03-01T12:00:00.000Z',
};

/** Invoices and credit notes of carts with all kinds of prices, rates and reasons, most of them improbable. */
export const randomDocument: fc.Arbitrary<Document> = fc
  .record({
    sold: fc.array(line, { minLength: 1, maxLength: 8 }),
    currency: fc.constantFrom('EUR', 'JPY', 'HUF', 'KRW'),
    relief: fc.constantFrom(...reliefs),
    share: fc.option(fc.double({ min: 0.001, max: 1, noNaN: true })),
  })
  .map(({ sold, currency, relief, share }) => {
    const payment = sale(sold, { currency, taxId: french, businessName: 'Éditions du Rhône SARL' });
    const amount = share && Math.floor(payment.gross * share);
    if (!amount) return invoiceOf(payment, issueContext.seller, relief);
    return { ...creditNoteOf(payment, { amount }), relief };
  });
