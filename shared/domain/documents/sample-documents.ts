import type { Brand } from '../catalogue/brand.ts';
import type { Merchant } from '../merchant.ts';
import type { Payment } from '../payments/payment.ts';
import { samplePayment, sampleRefund } from '../webhooks/sample-payment.ts';
import { createCancellation } from './cancellation.ts';
import { createCreditNote } from './credit-note.ts';
import type { Document, DocumentKind, Stamp } from './document.ts';
import { brandOf, type IssueContext, sellerOf } from './document-frame.ts';
import { createInvoice } from './invoice.ts';

/** Examples of the documents that are mailed, one of each kind. They show an invented sale of a brand. */
export interface SampleDocuments {
  invoice: Document;
  corrected: Document;
  credit_note: Document;
  cancellation: Document;
}

export function sampleDocuments(merchant: Merchant, brand: Brand, now: string): SampleDocuments {
  const issuedOn = now.slice(0, 10);
  const stampOf = (kind: DocumentKind): Stamp => {
    const series = `${kind}-${now.slice(0, 4)}`;
    return { kind, series, serial: 1, number: `${series}-000001`, issuedAt: now, issuedOn };
  };
  const context: IssueContext = {
    brandName: brand.name,
    brand: brandOf(brand, merchant),
    seller: sellerOf(merchant, []),
    dateOf: (instant) => instant.slice(0, 10),
    exemptions: [],
    relief: { kind: 'reverse_charge' },
    localRates: undefined,
  };
  const payment = twoLines(samplePayment('succeeded', now));
  const refund = { ...sampleRefund('succeeded', now), publicReason: 'A sample of a public reason.' };
  const invoice = createInvoice(payment, context, stampOf('INV'));
  const creditNote = createCreditNote({ payment, refund, invoice }, context, stampOf('CRN'));
  const cancelled = { payment, refund, creditNote, corrected: undefined };
  return {
    invoice,
    corrected: {
      ...invoice,
      number: invoice.number.replace(/1$/, '2'),
      refundId: refund.id,
      invoice: { number: invoice.number, issuedOn },
      creditNote: { number: creditNote.number, issuedOn },
    },
    credit_note: creditNote,
    cancellation: createCancellation(cancelled, context, stampOf('CAN')),
  };
}

/** The sample payment with a second line, which repeats the first in a quantity of two. */
function twoLines(payment: Payment): Payment {
  const [line] = payment.lines;
  if (!line) return payment;
  const { net, tax, gross } = line;
  const double = { net: 2 * net, tax: 2 * tax, gross: 2 * gross };
  const components = line.components.map((component) => ({ ...component, amount: 2 * component.amount }));
  const second = {
    ...line,
    ...double,
    productId: `${line.productId}2`,
    name: `${line.name} 2`,
    quantity: 2,
    components,
  };
  const card = { lastFour: '4242', network: 'VISA', country: null };
  return { ...payment, net: 3 * net, tax: 3 * tax, gross: 3 * gross, lines: [line, second], card };
}
