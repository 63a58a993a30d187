import { quote } from '../../shared/domain/checkout/quote.ts';
import type { RoundingRule, TaxComponent } from '../../shared/domain/checkout/tax.ts';
import type { DisputeAdjustment } from '../../shared/domain/disputes/dispute-adjustment.ts';
import { createReinstatement } from '../../shared/domain/documents/cancellation.ts';
import { createCreditNote, createRescission } from '../../shared/domain/documents/credit-note.ts';
import type { Document, DocumentKind, Stamp } from '../../shared/domain/documents/document.ts';
import { type IssueContext, sellerOf } from '../../shared/domain/documents/document-frame.ts';
import { createInvoice } from '../../shared/domain/documents/invoice.ts';
import { Merchant } from '../../shared/domain/merchant.ts';
import { createPayment } from '../../shared/domain/payments/charge.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { decideRefund, type Refund, settledRefund } from '../../shared/domain/payments/refund.ts';
import type { RefundRequest } from '../../shared/domain/payments/refund-portions.ts';
import { localDate } from '../../shared/tax/places/local-date.ts';
import { refundOf } from '../support/shop/payments.ts';
import { aSessionLine, sessionOf } from '../support/shop/sessions.ts';

export const merchant = Merchant.parse({
  id: 'demo',
  name: 'Example Books',
  country: 'DE',
  address: ['Example Books', 'Musterstraße 1', '10115 Berlin', 'Germany'],
  city: 'Berlin',
  postalCode: '10115',
  supportEmail: 'support@example.com',
  taxId: 'DE123456788',
});

export const issueContext: IssueContext = {
  brandName: 'Example Books',
  seller: sellerOf(merchant, []),
  dateOf: (instant) => localDate(merchant, instant),
  exemptions: [],
  relief: { kind: 'reverse_charge' },
  localRates: undefined,
};

export const aStamp = (kind: DocumentKind, serial: number, issuedOn: string): Stamp => ({
  kind,
  series: `${kind}-2026`,
  serial,
  number: `${kind}-2026-${String(serial).padStart(6, '0')}`,
  issuedAt: `${issuedOn}T12:00:05.000Z`,
  issuedOn,
});

export const tax = (
  name: string,
  jurisdiction: string,
  rate: string,
  fields: Partial<TaxComponent> = {},
): TaxComponent => ({
  name,
  jurisdiction,
  rate,
  baseFraction: '1',
  reason: null,
  ...fields,
});

export const untaxed = (
  name: string,
  jurisdiction: string,
  reason: NonNullable<TaxComponent['reason']>,
): TaxComponent => ({ name, jurisdiction, rate: reason === 'zero_rated' ? '0' : null, baseFraction: '1', reason });

export const taxes = {
  german: [tax('VAT', 'DE', '0.19')],
  reduced: [tax('VAT', 'DE', '0.07')],
  quebec: [tax('GST', 'CA', '0.05'), tax('QST', 'CA-QC', '0.09975')],
  texas: [tax('State sales tax', 'US-TX', '0.0625', { baseFraction: '0.8' })],
  japanese: [tax('JCT', 'JP', '0.1')],
  kuwaiti: [tax('VAT', 'KW', '0.1')],
  reverseCharge: [untaxed('VAT', 'FR', 'reverse_charge')],
  zeroRated: [untaxed('VAT', 'GB', 'zero_rated')],
  notCollecting: [untaxed('VAT', 'DE', 'not_collecting')],
  exempt: [untaxed('ICMS', 'BR', 'exempt')],
} satisfies Record<string, TaxComponent[]>;

export interface Sold {
  name?: string;
  unitAmount: number;
  quantity?: number;
  taxInclusive?: boolean;
  components?: readonly TaxComponent[];
  /** What codes take off the line. */
  discount?: number;
}

/** A succeeded payment of these lines. */
export function sale(
  sold: readonly Sold[],
  fields: Partial<Pick<Payment, 'id' | 'currency' | 'billing' | 'taxId' | 'businessName' | 'language' | 'customer'>> & {
    rounding?: RoundingRule;
  } = {},
): Payment {
  const { id = 'pay_000000000000000000001', currency = 'EUR', rounding, ...buyer } = fields;
  const lines = sold.map(({ name, unitAmount, quantity = 1, taxInclusive = true }, index) => ({
    ...aSessionLine({ kind: 'fixed', currency, taxInclusive, unitAmount }, index, quantity),
    name: name ?? `Product ${index}`,
  }));
  const priced = quote(
    sold.map(({ unitAmount, quantity = 1, taxInclusive = true, components = taxes.german, discount }) => ({
      ...(discount && { discount }),
      unitAmount,
      quantity,
      taxInclusive,
      treatment: { components, warnings: [] },
    })),
    rounding,
  );
  const billing = { country: 'DE', state: null, city: 'Hamburg', street: 'Elbchaussee 1', zipcode: '22765' };
  const outcome = {
    status: 'succeeded' as const,
    card: { lastFour: '4242', network: 'VISA', country: null },
    errorCode: null,
    errorMessage: null,
  };
  return createPayment(
    {
      session: sessionOf(lines),
      quote: priced,
      customer: { id: 'cus_1', email: 'buyer@example.com', name: 'Erika Mustermann', phone: null },
      billing,
      taxId: null,
      businessName: null,
      language: null,
      calculation: {
        taxDate: '2026-03-01',
        tableVersion: 'test',
        country: buyer.billing?.country ?? 'DE',
        region: buyer.billing?.state ?? null,
        postalCode: null,
        rows: [],
        registrations: [],
        warnings: [],
        rounding,
      },
      evidence: { items: [], status: 'one_only' },
      ...buyer,
    },
    outcome,
    { id, now: '2026-03-01T12:00:00.000Z', processor: 'sandbox', documentSecret: 'doc_000000000000000000001' },
  );
}

export const invoiceOf = (payment: Payment, seller = issueContext.seller, relief = issueContext.relief): Document =>
  createInvoice(payment, { ...issueContext, seller, relief }, aStamp('INV', 42, '2026-03-01'));

/** A succeeded refund of what is asked, and the payment afterwards. */
export function refunded(
  payment: Payment,
  asked: Partial<RefundRequest> = {},
  id = 'ref_000000000000000000001',
): { payment: Payment; refund: Refund } {
  const now = '2026-03-05T09:30:00.000Z';
  const held = decideRefund(payment, refundOf({ ...asked, paymentId: payment.id }), { id, now });
  const settled = settledRefund(held.after, held.refund, { status: 'succeeded', reference: 're_1' }, now);
  if (!settled) throw new Error('The refund had ended.');
  return { payment: settled.after, refund: settled.refund };
}

export function creditNoteOf(payment: Payment, asked: Partial<RefundRequest> = {}): Document {
  const { payment: after, refund } = refunded(payment, asked);
  return createCreditNote(
    { payment: after, refund, invoice: invoiceOf(payment) },
    issueContext,
    aStamp('CRN', 7, '2026-03-05'),
  );
}

/** The credit note of a sale that a lost dispute has undone, and the document that cancels it. */
export function rescissionOf(payment: Payment): { rescission: Document; reinstatement: Document } {
  const lines = payment.lines.map(({ productId, gross, tax, components }) => ({
    productId,
    amount: gross,
    tax,
    components: components.map(({ amount }) => amount),
  }));
  const adjustment: DisputeAdjustment = {
    ...{ id: 'adj_0000000000000000000001', kind: 'lost', ground: 'rescinded', lines },
    ...{ at: '2026-03-04T12:00:00.000Z', bookedAt: '2026-03-05T12:00:00.000Z' },
  };
  const credited = { payment, adjustment, invoice: invoiceOf(payment) };
  const rescission = createRescission(credited, issueContext, aStamp('RSC', 3, '2026-03-05'));
  const takenBack: DisputeAdjustment = { ...adjustment, id: 'adj_0000000000000000000002', kind: 'won' };
  const cancelled = { payment, adjustment: takenBack, creditNote: rescission };
  return { rescission, reinstatement: createReinstatement(cancelled, issueContext, aStamp('CAN', 2, '2026-04-05')) };
}
