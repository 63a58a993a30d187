import { adjustmentIdOf } from '../ids.ts';
import type { Dispute } from '../payments/dispute.ts';
import type { Payment, PaymentLine } from '../payments/payment.ts';
import type { Refund } from '../payments/refund.ts';
import type { ThresholdStatus } from '../reports/thresholds.ts';

const line: PaymentLine = {
  productId: 'pdt_SampleSampleSampleSam',
  name: 'Sample product',
  description: 'What a test event shows.',
  taxCategory: 'digital_products',
  taxInclusive: true,
  quantity: 1,
  unitAmount: 1_190,
  net: 1_000,
  tax: 190,
  gross: 1_190,
  components: [{ name: 'VAT', jurisdiction: 'DE', rate: '0.19', baseFraction: '1', reason: null, amount: 190 }],
  refundable: 1_190,
  pending: 0,
  refunded: 0,
  disputed: 0,
  returnedTax: 0,
  returnedComponents: [0],
};

/** An invented payment for test events: EUR 11.90, including 1.90 tax at 19 %. */
export const samplePayment = (status: Payment['status'], now: string): Payment => ({
  id: 'pay_SampleSampleSampleSam',
  sessionId: 'cks_SampleSampleSampleSam',
  brandId: 'brnd_SampleSampleSampleSam',
  status,
  currency: 'EUR',
  net: line.net,
  tax: line.tax,
  gross: line.gross,
  refundable: line.gross,
  pending: 0,
  refunded: 0,
  disputed: 0,
  lines: [line],
  refunds: [],
  disputes: [],
  customer: { id: 'cus_SampleSampleSampleSam', email: 'sample@example.com', name: 'Sample buyer', phone: null },
  billing: { country: 'DE', state: null, city: null, street: null, zipcode: null },
  taxId: null,
  businessName: null,
  language: null,
  calculation: {
    taxDate: now.slice(0, 10),
    tableVersion: 'sample',
    country: 'DE',
    region: null,
    postalCode: null,
    rows: [],
    registrations: [],
    warnings: [],
  },
  evidence: { items: [], status: 'one_only' },
  processor: 'sample',
  card: null,
  errorCode: status === 'failed' ? 'GENERIC_DECLINE' : null,
  errorMessage: status === 'failed' ? 'The card was declined.' : null,
  metadata: { test: true },
  // This secret opens nothing, because no document exists.
  documentSecret: '',
  createdAt: now,
  updatedAt: now,
  events: 0,
  version: 0,
});

/** A refund of the whole sample payment. A pending one waits for the merchant's balance. */
export function sampleRefund(status: Refund['status'], now: string): Refund {
  const { id: paymentId, brandId, currency, gross: amount, tax, customer, metadata } = samplePayment('succeeded', now);
  const { productId, taxInclusive } = line;
  return {
    id: 'ref_SampleSampleSampleSam',
    paymentId,
    brandId,
    status,
    currency,
    amount,
    tax,
    taxInclusive,
    isPartial: false,
    lines: [{ productId, amount, tax, taxInclusive, components: [tax] }],
    customer,
    reason: null,
    publicReason: null,
    metadata,
    documentSecret: '',
    reference: null,
    ...(status === 'pending' && { waitsFor: 'balance' as const }),
    createdAt: now,
    updatedAt: now,
  };
}

/** A dispute of the whole sample payment. */
export function sampleDispute(status: Dispute['status'], now: string): Dispute {
  const { id: paymentId, brandId, currency, gross: amount, customer, processor } = samplePayment('succeeded', now);
  const isTaken = status !== 'won' && status !== 'cancelled';
  const taken = { productId: line.productId, amount, tax: line.tax, components: [line.tax] };
  return {
    id: 'dsp_SampleSampleSampleSam',
    paymentId,
    brandId,
    processor,
    reference: 'sample',
    status,
    stage: 'dispute',
    currency,
    amount,
    withdrawn: isTaken ? amount : 0,
    lines: isTaken ? [taken] : [],
    isRefundable: !isTaken,
    reason: 'fraudulent',
    dueBy: now,
    url: null,
    customer,
    createdAt: now,
    updatedAt: now,
    version: 0,
  };
}

/** A limit of 10,000 euro that is nearly reached, or exceeded. */
export const sampleThreshold = (level: 'near' | 'passed', now: string): ThresholdStatus => ({
  id: 'EU',
  level,
  amount: level === 'passed' ? 1_024_000 : 815_000,
  limit: 1_000_000,
  currency: 'EUR',
  count: 240,
  countLimit: null,
  from: `${now.slice(0, 4)}-01-01`,
  to: now.slice(0, 10),
  unconverted: [],
});

/** An invented payment with a fraud warning by the card's network. */
export const sampleWarnedPayment = (now: string): Payment => ({
  ...samplePayment('succeeded', now),
  fraudWarning: { reference: 'issfr_sample', kind: 'made_with_stolen_card', isActionable: true, createdAt: now },
});

/** The sample dispute after the loss, with its ground. */
export function sampleAdjustedDispute(now: string): Dispute {
  const dispute = sampleDispute('lost', now);
  const { id, lines } = dispute;
  const booked = { id: adjustmentIdOf(id, 1), kind: 'lost', ground: 'uncollectible', at: now, bookedAt: now } as const;
  return { ...dispute, lostAt: now, adjustments: [{ ...booked, lines }] };
}
