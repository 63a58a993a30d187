import * as z from 'zod';
import { CheckoutSession, isBeingPaid } from '../../../shared/domain/checkout/checkout-session.ts';
import { BuyerUses } from '../../../shared/domain/discounts/buyer-uses.ts';
import { CustomerUses, UseCounter } from '../../../shared/domain/discounts/use-counter.ts';
import { UseShard } from '../../../shared/domain/discounts/use-shard.ts';
import { adjustedAmounts, misadjusted, signOf } from '../../../shared/domain/disputes/dispute-adjustment.ts';
import { Document, subjectOf } from '../../../shared/domain/documents/document.ts';
import { cancellationIdOf, correctedInvoiceIdOf } from '../../../shared/domain/documents/document-id.ts';
import { documentNumber, Series, TakenNumber } from '../../../shared/domain/documents/document-series.ts';
import { daySeconds } from '../../../shared/domain/duration.ts';
import { sum } from '../../../shared/domain/money/money.ts';
import { StoredPayment } from '../../../shared/domain/orders/stored-payment.ts';
import {
  type DisputeFacts,
  type PaymentFacts,
  type RefundFacts,
  unbalanced,
} from '../../../shared/domain/payments/balance.ts';
import { holdsItsCodes } from '../../../shared/domain/payments/charge.ts';
import { Dispute } from '../../../shared/domain/payments/dispute.ts';
import { hasPaidOut, Refund } from '../../../shared/domain/payments/refund.ts';
import type { TaxCorrection } from '../../../shared/domain/payments/tax-correction.ts';
import { numbersOf, SerialRow } from '../../../shared/store/documents/document-rows.ts';
import { MailRow } from '../../../shared/store/documents/mail-rows.ts';
import { parseEvent } from '../../../shared/store/events/event-store.ts';
import { dataIn } from '../../../shared/store/table/packed.ts';
import type { DocumentaryFacts } from './document-contradictions.ts';
import type { Told } from './payment-contradictions.ts';
import type { Row } from './read-books.ts';

/** A fact of a row. It is stored under the key of the rows with which it must agree. */
export type Fact =
  | { of: 'payment'; payment: PaymentFacts }
  | { of: 'refund'; refund: RefundFacts }
  | { of: 'dispute'; dispute: DisputeFacts }
  | { of: 'adjustment' | 'found'; disputeId: string }
  | { of: 'told'; told: Told }
  | { of: 'session'; status: CheckoutSession['status']; paymentId: string | null; isBeingPaid: boolean }
  | { of: 'charge'; paymentId: string; isPaid: boolean }
  | { of: 'documentary'; facts: DocumentaryFacts }
  | { of: 'redeemed'; customerId: string; paymentId: string }
  | { of: 'counted'; used: number; usageLimit: number | null }
  | { of: 'part'; used: number; usageLimit: number | null }
  | { of: 'counted-for'; customerId: string; used: number; begun: readonly string[] }
  | { of: 'dispatched'; to: readonly string[] }
  | { of: 'delivery'; endpointId: string };

export interface Facts {
  add(about: 'payment' | 'session' | 'document' | 'event' | 'discount' | 'adjustment', id: string, fact: Fact): void;
  /** Stores a number of a series, or the number of its counter. */
  number(series: Pick<Series, 'kind' | 'year'>, serial: number): void;
  counter(series: Series): void;
  contradicts(fault: string): void;
  now: Date;
}

const idOf = (pk: unknown): string => String(pk).slice(String(pk).indexOf('#') + 1);

function tellPayment(row: Row, facts: Facts): void {
  const payment = StoredPayment.parse(dataIn(row));
  for (const fault of unbalanced(payment)) facts.contradicts(fault);
  const { id, sessionId, status, gross, pending, refunded, disputed, events, createdAt, late } = payment;
  const lines = payment.lines.map((line) => ({
    productId: line.productId,
    pending: line.pending,
    refunded: line.refunded,
    disputed: line.disputed,
    returnedTax: line.returnedTax,
  }));
  const [refunds, disputes] = [payment.refunds.map(brief), payment.disputes.map(brief)];
  const told = {
    id,
    status,
    gross,
    pending,
    refunded,
    disputed,
    events,
    createdAt,
    lines,
    refunds,
    disputes,
    isLate: late !== undefined,
  };
  facts.add('payment', id, { of: 'payment', payment: told });
  if (holdsItsCodes(payment))
    for (const discount of payment.discounts ?? [])
      facts.add('discount', discount.id, { of: 'redeemed', customerId: payment.customer.id, paymentId: id });
  const isPaid = status === 'succeeded' && !late?.isReturned;
  facts.add('session', sessionId, { of: 'charge', paymentId: id, isPaid });
  if (status !== 'succeeded') return;
  facts.add('document', id, { of: 'documentary', facts: { is: 'subject', gross } });
}

const brief = <Status>({ id, status, amount }: { id: string; status: Status; amount: number }) => ({
  id,
  status,
  amount,
});

function tellDispute(row: Row, facts: Facts): void {
  const stored = Dispute.parse(row['data']);
  const { id, paymentId, status, amount, withdrawn, updatedAt, lines, adjustments = [] } = stored;
  const told = lines.map((line) => ({ productId: line.productId, amount: line.amount, tax: line.tax }));
  const dispute = { id, paymentId, status, amount, withdrawn, updatedAt, lines: told };
  facts.add('payment', paymentId, { of: 'dispute', dispute });
  for (const fault of misadjusted(stored)) facts.contradicts(fault);
  for (const { id: adjustmentId, ...adjustment } of adjustments) {
    facts.add('adjustment', adjustmentId, { of: 'adjustment', disputeId: id });
    const gross = signOf(adjustment) * adjustedAmounts(adjustment).amount;
    if (adjustment.ground === 'rescinded') tellDocumentary(facts, adjustmentId, { is: 'subject', gross });
  }
}

/** Collects the fact that an adjustment of a dispute can be found by its day. */
const tellAdjustment = (row: Row, facts: Facts): void =>
  facts.add('adjustment', idOf(row['sk']), { of: 'found', disputeId: idOf(row['pk']) });

function tellRefund(row: Row, facts: Facts): void {
  const { id, paymentId, status, amount, updatedAt, lines, reverted, correction } = Refund.parse(row['data']);
  const isReverted = reverted !== undefined;
  const told = lines.map((line) => ({ productId: line.productId, amount: line.amount, tax: line.tax }));
  facts.add('payment', paymentId, {
    of: 'refund',
    refund: { id, paymentId, status, amount, updatedAt, isReverted, lines: told },
  });
  const tellDocumented = (subject: string, gross: number) =>
    facts.add('document', subject, { of: 'documentary', facts: { is: 'subject', gross } });
  const { reversed, invoiced } = correction ? correctedTotals(correction) : { reversed: amount, invoiced: undefined };
  if (hasPaidOut({ status, reverted })) tellDocumented(id, 0 - reversed);
  if (hasPaidOut({ status, reverted }) && invoiced !== undefined) tellDocumented(correctedInvoiceIdOf(id), invoiced);
  if (isReverted) tellDocumented(cancellationIdOf(id), amount);
}

/** The totals of a correction. Its two documents must have the same ones. */
const correctedTotals = ({ lines }: TaxCorrection) => ({
  reversed: sum(lines.map((line) => line.reversed.gross)),
  invoiced: sum(lines.map((line) => line.invoiced.gross)),
});

const Payload = z.object({
  data: z.object({
    total_amount: z.number().optional(),
    refund_id: z.string().optional(),
    /** The amount of a dispute, which its event contains as text. */
    amount: z.union([z.number(), z.string()]).optional(),
    dispute_id: z.string().optional(),
    adjustments: z.array(z.object({ adjustment_id: z.string() })).optional(),
  }),
});

/** How many seconds before the expiry of an event some of its deliveries may already be missing. */
const aboutToGoSeconds = daySeconds;

function tellEvent(row: Row, facts: Facts): void {
  const { id, type, sequence, paymentId, payload, endpointId, dispatchedTo, open } = parseEvent(row);
  const isAboutToGo = Number(row['ttl']) - aboutToGoSeconds < facts.now.getTime() / 1_000;
  if (dispatchedTo && !isAboutToGo) facts.add('event', id, { of: 'dispatched', to: dispatchedTo });
  // The event of an expired checkout names its latest payment, but does not change that payment.
  if (endpointId !== undefined || paymentId === null || sequence === 0) return;
  const {
    total_amount: total,
    refund_id: refundId,
    dispute_id: disputeId,
    adjustments = [],
    ...rest
  } = Payload.parse(JSON.parse(payload)).data;
  const amount = typeof rest.amount === 'number' ? rest.amount : undefined;
  facts.add('payment', paymentId, { of: 'told', told: { type, sequence, total, refundId, disputeId, amount } });
  if (!open.document) return;
  const ofRefund = refundId ? [refundId, correctedInvoiceIdOf(refundId), cancellationIdOf(refundId)] : [];
  const ofDispute = adjustments.map(({ adjustment_id }) => adjustment_id);
  for (const subjectId of [paymentId, ...ofRefund, ...ofDispute]) tellDocumentary(facts, subjectId, { is: 'awaited' });
}

function tellSession(row: Row, facts: Facts): void {
  const session = CheckoutSession.parse(row['data']);
  const { id, status, paymentId } = session;
  facts.add('session', id, { of: 'session', status, paymentId, isBeingPaid: isBeingPaid(session) });
}

const tellDocumentary = (facts: Facts, subjectId: string, told: DocumentaryFacts): void =>
  facts.add('document', subjectId, { of: 'documentary', facts: told });

function tellDocument(row: Row, facts: Facts): void {
  const document = Document.parse(dataIn(row));
  const isMailed = z.boolean().parse(row['isMailed']);
  const { number, gross } = document;
  tellDocumentary(facts, subjectOf(document), { is: 'document', number, gross, isMailed });
}

function tellTaken(row: Row, facts: Facts): void {
  const taken = TakenNumber.parse(row);
  tellDocumentary(facts, idOf(row['pk']), { is: 'taken', number: documentNumber(taken, taken.serial) });
}

/** Collects the numbers of a series from a row with a key such as `SERIES#INV#2026`. */
function tellSerials(row: Row, facts: Facts): void {
  const [, kind, year] = String(row['pk']).split('#');
  const series = Series.pick({ kind: true, year: true }).parse({ kind, year });
  for (const { serial, subjectId } of numbersOf(SerialRow.parse(row))) {
    facts.number(series, serial);
    tellDocumentary(facts, subjectId, { is: 'serial', number: documentNumber(series, serial) });
  }
}

/** Collects the count of a code, if the row is one of its counters. */
function tellUses(row: Row, facts: Facts): void {
  const [kind] = String(row['sk']).split('#');
  if (kind === 'USES') {
    const { discountId, used, usageLimit } = UseCounter.parse(row['data']);
    facts.add('discount', discountId, { of: 'counted', used, usageLimit });
  }
  if (kind === 'SHARD') {
    const { discountId, used, usageLimit } = UseShard.parse(row['data']);
    facts.add('discount', discountId, { of: 'part', used, usageLimit });
  }
  if (kind === 'CUSTOMER') {
    const { discountId, customerId, used } = CustomerUses.parse(row['data']);
    facts.add('discount', discountId, { of: 'counted-for', customerId, used, begun: [] });
  }
  if (kind === 'BUYER') {
    const { discountId, customerId, paid, begun } = BuyerUses.parse(row['data']);
    const names = begun.map(({ paymentId }) => paymentId);
    facts.add('discount', discountId, { of: 'counted-for', customerId, used: paid, begun: names });
  }
}

const tellers: Readonly<Record<string, (row: Row, facts: Facts) => void>> = {
  PAYMENT: tellPayment,
  REFUND: tellRefund,
  DISPUTE: tellDispute,
  ADJUSTMENT: tellAdjustment,
  EVENT: tellEvent,
  SESSION: tellSession,
  DISCOUNT: tellUses,
  DOCUMENT: tellDocument,
  DOCUMENT_NUMBER: tellTaken,
  NUMBER: tellSerials,
  SERIES: (row, facts) => facts.counter(Series.parse(row['data'])),
  MAIL: (row, facts) =>
    tellDocumentary(facts, idOf(row['pk']), { is: 'mail', isDone: MailRow.parse(row).at !== undefined }),
  DELIVERY: (row, facts) => facts.add('event', idOf(row['pk']), { of: 'delivery', endpointId: idOf(row['sk']) }),
};

/** Collects the facts of a row. If the row cannot be read, that is a contradiction. */
export function tellFacts(row: Row, facts: Facts): void {
  try {
    tellers[String(row['entity'])]?.(row, facts);
  } catch {
    facts.contradicts(`${row['pk']}: the row cannot be read`);
  }
}
