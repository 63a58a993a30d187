import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import { Customer, erasedBuyer, erasedTaxId } from '../checkout/buyer.ts';
import { dayMs, hourMs } from '../duration.ts';
import { Amount, clamp, sum } from '../money/money.ts';
import { ProcessorReason } from '../processor.ts';
import { moveParts } from './counters.ts';
import type { Payment, RefundSummary } from './payment.ts';
import { type LinePortion, portions, type RefundRequest, remainingNet } from './refund-portions.ts';
import { assertRefundRoom } from './refund-room.ts';
import { assertRefundStep } from './refund-step.ts';
import { assertRefundWindow } from './refund-window.ts';
import { FreedTax, FreeingRefund, TaxCorrection } from './tax-correction.ts';

const RevertedRefund = z.object({ succeededAt: z.string(), at: z.string() });

/**
 * What a pending refund waits for: money in the merchant's balance at the processor, the money of the charge itself, an
 * account number from the buyer, or the buyer's bank.
 */
export const refundWaits = ['balance', 'charge', 'buyer', 'bank'] as const;
export type RefundWait = (typeof refundWaits)[number];

/** The kinds of numbers by which a buyer's bank finds a refund. */
export const networkReferenceTypes = [
  'acquirer_reference_number',
  'system_trace_audit_number',
  'retrieval_reference_number',
  'other',
] as const;

/** The number that the card's network or the bank gave to a refund. */
const NetworkReference = z.object({ value: z.string(), type: z.enum(networkReferenceTypes) });
export type NetworkReference = z.infer<typeof NetworkReference>;

export const RefundLine = z.object({
  productId: z.string(),
  /** The gross amount that the buyer gets back. */
  amount: Amount,
  tax: Amount,
  taxInclusive: z.boolean(),
  /** The tax of each component, in the order of the payment's line. */
  components: z.array(Amount),
});
export type RefundLine = z.infer<typeof RefundLine>;

/**
 * A refund. Its amounts never change, and its status moves `pending → succeeded | failed`. A succeeded refund may
 * still fail days later, when the buyer's bank sends the money back.
 */
export const Refund = z.object({
  id: z.string(),
  paymentId: z.string(),
  brandId: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  currency: z.string(),
  amount: Amount,
  tax: Amount,
  taxInclusive: z.boolean(),
  isPartial: z.boolean(),
  lines: z.array(RefundLine),
  customer: Customer,
  /** The merchant's own note, which is never shown to the buyer. */
  reason: z.string().nullable(),
  /** The reason printed on the credit note. */
  publicReason: z.string().nullable(),
  metadata: Metadata,
  /** Whether the buyer keeps what the refunded lines give. Absent if not, and in refunds of 0.2.0. */
  keepsAccess: z.boolean().optional(),
  /** The payment's secret. */
  documentSecret: z.string(),
  /** The processor's own id of the refund; null until it has answered. */
  reference: z.string().nullable(),
  /** The number by which the buyer's bank finds the refund, and when we learned it. Absent until there is one. */
  networkReference: NetworkReference.extend({ at: z.string() }).optional(),
  /** What a pending refund waits for; absent if the processor does not say. */
  waitsFor: z.enum(refundWaits).optional(),
  /**
   * The key of the latest request to the processor, if it refused earlier requests for lack of balance: its number,
   * when it was first used, and when to ask next. Absent means the first key.
   */
  ask: z.object({ number: z.int(), since: z.string(), at: z.string() }).optional(),
  /** When the merchant was alerted that the refund waits too long. Absent if there was no alert. */
  overdueAt: z.string().optional(),
  /** The processor's code for why the refund failed. */
  failureReason: z.string().optional(),
  /** Why the processor refused to pay it, for the merchant; absent unless it refused the request. */
  refusal: ProcessorReason.optional(),
  /**
   * Who made the refund. `late`: the stack returned money that came too late. `processor`: it was made at the
   * processor. Absent if it was requested with a key.
   */
  origin: z.enum(['late', 'processor']).optional(),
  /** The correction, if the refund books a corrected invoice. */
  correction: TaxCorrection.optional(),
  /**
   * The net from which the refund removed the tax, and the reason why no tax is due. Absent if the refund returns money
   * of the sale.
   */
  freed: FreedTax.optional(),
  /**
   * The earlier refund that returned only the tax. It freed the net of tax, and this refund returns a part of that net.
   */
  freedBy: FreeingRefund.optional(),
  /** The id of the correction before the refund. The refund then belongs to the corrected invoice. */
  correctedBy: z.string().optional(),
  /**
   * For a refund that failed after it had succeeded: when it succeeded, and when we learned that the money came back.
   */
  reverted: RevertedRefund.optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Refund = z.infer<typeof Refund>;

/** The short fields of a refund. */
export const RefundBrief = Refund.pick({
  id: true,
  paymentId: true,
  status: true,
  createdAt: true,
  isPartial: true,
  amount: true,
  currency: true,
  reverted: true,
  updatedAt: true,
});
export type RefundBrief = z.infer<typeof RefundBrief>;

/** A refund in a list. */
export const RefundRow = RefundBrief.extend({ reason: Refund.shape.reason });
export type RefundRow = z.infer<typeof RefundRow>;

export interface RefundDecision {
  refund: Refund;
  after: Payment;
}

interface RefundTerms {
  id: string;
  now: string;
  /** The number of days in which a refund is possible; undefined means no limit. */
  refundWindowDays?: number | undefined;
  /**
   * The smallest step in which the processor moves money. Absent if it has already moved the amount, or if the refund
   * returns everything.
   */
  step?: number;
}

/** Decides a refund. Afterwards, the amount counts as pending, for each line and component. */
export function decideRefund(
  payment: Payment,
  request: RefundRequest,
  { id, now, refundWindowDays, step = 1 }: RefundTerms,
): RefundDecision {
  assertRefundWindow(payment, now, refundWindowDays);
  const taken = portions(payment, request);
  const amount = sum(taken.map((portion) => portion.amount));
  assertRefundStep(payment, request, { amount, step });
  const lines = taken.filter((portion) => portion.amount > 0);
  const refund: Refund = {
    id,
    paymentId: payment.id,
    brandId: payment.brandId,
    status: 'pending',
    currency: payment.currency,
    amount,
    tax: sum(lines.map((line) => line.tax)),
    taxInclusive: request.taxInclusive,
    isPartial: amount < payment.gross,
    lines: lines.map(({ productId, tax, taxInclusive, components, amount }) => ({
      productId,
      amount,
      tax,
      taxInclusive,
      components,
    })),
    customer: payment.customer,
    reason: request.reason,
    publicReason: request.publicReason,
    metadata: request.metadata,
    ...(request.keepsAccess ? { keepsAccess: true } : {}),
    documentSecret: payment.documentSecret,
    reference: null,
    ...(payment.correction?.refundId ? { correctedBy: payment.correction.refundId } : {}),
    ...freeing(payment, request),
    createdAt: now,
    updatedAt: now,
  };
  const after = freedOf(withAccess(hold(payment, refund, taken, now), taken, request), refund);
  assertRefundRoom(after);
  return { refund, after };
}

/** Stores the net whose tax is refunded and the reason, or the earlier refund that did this. */
function freeing({ lines, taxFreed }: Payment, { type, taxReason }: RefundRequest): Pick<Refund, 'freed' | 'freedBy'> {
  if (type === 'money') return taxFreed ? { freedBy: taxFreed } : {};
  if (!taxReason) return {};
  const taxed = lines.filter((line) => line.tax > line.returnedTax);
  return {
    freed: { reason: taxReason, lines: taxed.map((line) => ({ productId: line.productId, net: remainingNet(line) })) },
  };
}

/** The payment with a note about the refund that returns its tax. */
const freedOf = (payment: Payment, { id, freed }: Refund): Payment =>
  freed
    ? {
        ...payment,
        taxFreed: { refundId: id, reason: freed.reason, productIds: freed.lines.map(({ productId }) => productId) },
      }
    : payment;

/** The payment after the refund of its tax has failed: the tax counts as charged again. */
function chargedAgain({ taxFreed, ...payment }: Payment, { id }: Refund): Payment {
  return taxFreed && taxFreed.refundId !== id ? { ...payment, taxFreed } : payment;
}

function hold(payment: Payment, refund: Refund, taken: readonly LinePortion[], now: string): Payment {
  return {
    ...moveParts(payment, taken, { from: 'refundable', to: 'pending' }),
    refunds: [...payment.refunds, summarize(refund)],
    updatedAt: now,
  };
}

/**
 * Stores on the refunded lines whether their access stays, or ends by a withdrawal. The latest refund of a line
 * decides.
 */
function withAccess(
  payment: Payment,
  taken: readonly LinePortion[],
  { keepsAccess = false, isWithdrawal = false }: Pick<RefundRequest, 'keepsAccess' | 'isWithdrawal'>,
): Payment {
  const lines = payment.lines.map((line, index) => {
    if (!line.entitlements || !taken[index]?.amount) return line;
    const { isAccessKept: _, ...rest } = line;
    return {
      ...rest,
      ...(keepsAccess && { isAccessKept: true }),
      ...(isWithdrawal && { isWithdrawn: true as const }),
    };
  });
  return { ...payment, lines };
}

/** Whether the processor has not answered yet. The request may never have reached it. */
export const isRefundStarting = ({ status, reference }: Pick<Refund, 'status' | 'reference'>): boolean =>
  status === 'pending' && reference === null;

/** The state of a refund, as the processor reports it. A succeeded refund may still fail days later. */
export type RefundState =
  | WaitingState
  | { status: 'succeeded'; reference: string; network?: NetworkReference | undefined }
  | {
      status: 'failed';
      reference: string | null;
      failureReason: string;
      refusal?: ProcessorReason;
    };

/**
 * The state of a refund that waits. `refusal`: the request was refused for lack of balance. Then only a request with a
 * new key can succeed.
 */
interface WaitingState {
  status: 'pending';
  reference: string | null;
  why: RefundWait | null;
  refusal?: ProcessorReason;
}

/** The end of a refund, with the processor's id if it has one. */
interface RefundEnd {
  status: 'succeeded' | 'failed';
  reference: string | null;
  failureReason?: string;
  refusal?: ProcessorReason;
  network?: NetworkReference | undefined;
}

/** The shortest and the longest pause before a refund is requested again that was refused for lack of balance. */
const shortestPauseMs = hourMs / 12;

/**
 * The next key, which is stored before it is used. The pause is as long as the refund has already waited, but at most
 * an hour.
 */
function nextAsk({ ask, createdAt }: Refund, now: string): Refund['ask'] {
  const pauseMs = clamp(Date.parse(now) - Date.parse(createdAt), shortestPauseMs, hourMs);
  return { number: (ask?.number ?? 1) + 1, since: now, at: new Date(Date.parse(now) + pauseMs).toISOString() };
}

/**
 * A pending refund with the news from the processor: its id, what it waits for, and a new key if the last one was
 * refused. Undefined if nothing is new.
 */
export function waitingRefund(
  { payment, refund }: { payment: Payment; refund: Refund },
  { reference, why, refusal }: WaitingState,
  now: string,
): Refund | undefined {
  const isKnown = (reference ?? refund.reference) === refund.reference && (why ?? undefined) === refund.waitsFor;
  if (refund.status !== 'pending' || (isKnown && !refusal)) return undefined;
  const { waitsFor: _, refusal: __, ...rest } = asErased(payment, refund);
  return {
    ...rest,
    reference: reference ?? refund.reference,
    ...(why ? { waitsFor: why } : {}),
    ...(refusal ? { refusal, ask: nextAsk(refund, now) } : {}),
    updatedAt: now,
  };
}

/**
 * After how many days without a result the merchant is alerted. `bank`: the bank is working on the refund, which may
 * take two weeks. `known`: it waits for another reason.
 */
const patienceDays = { known: 1, bank: 14 };

/** Whether a refund has waited so long that the merchant must look at it, and the merchant has not been alerted yet. */
export function isOverdue({ status, overdueAt, waitsFor = 'bank', createdAt }: Refund, now: string): boolean {
  const days = waitsFor === 'bank' ? patienceDays.bank : patienceDays.known;
  return status === 'pending' && overdueAt === undefined && Date.parse(now) - Date.parse(createdAt) >= days * dayMs;
}

/**
 * The refund without personal data and free texts. A corrected invoice keeps its figures and the tax id, as the payment
 * does.
 */
export const erasedRefund = ({ correction, ...refund }: Refund): Refund => ({
  ...refund,
  ...(correction ? { correction: { ...correction, taxId: erasedTaxId(correction.taxId), businessName: null } } : {}),
  customer: erasedBuyer(refund.customer),
  reason: null,
  publicReason: null,
  metadata: {},
});

/** Removes from a refund what was erased in its payment. The refund may have been read before the erasure. */
const asErased = ({ erasedAt }: Payment, refund: Refund): Refund =>
  erasedAt !== undefined && refund.createdAt < erasedAt ? erasedRefund(refund) : refund;

/**
 * Ends a pending refund, only once: the money is paid out, or is refundable again. Undefined if it had already ended.
 */
export function settledRefund(
  payment: Payment,
  refund: Refund,
  end: RefundEnd,
  now: string,
): RefundDecision | undefined {
  if (refund.status !== 'pending') return undefined;
  const { network, ...ended } = end;
  const { status } = end;
  const { waitsFor: _, ask: __, refusal: ___, ...started } = asErased(payment, refund);
  const traced = network ? { networkReference: { ...network, at: now } } : {};
  const settled: Refund = { ...started, ...ended, ...traced, updatedAt: now };
  const to = status === 'succeeded' ? 'refunded' : 'refundable';
  const after: Payment = {
    ...moveParts(status === 'failed' ? chargedAgain(payment, refund) : payment, refund.lines, { from: 'pending', to }),
    refunds: payment.refunds.map((summary) => (summary.id === refund.id ? { ...summary, status } : summary)),
    ...(status === 'failed' ? { ...reviewed(payment, now), ...reproposed(payment, refund) } : {}),
    updatedAt: now,
  };
  return { refund: settled, after };
}

/**
 * Plans another question to the processor about the payment's disputes after a refund failed. A bank may have taken
 * that amount.
 */
const reviewed = ({ disputes }: Payment, now: string): Pick<Payment, 'reviewAt'> =>
  disputes.length > 0 ? { reviewAt: now } : {};

/** Proposes a correction again if its refund failed. */
function reproposed({ correction }: Payment, { id }: Refund): Pick<Payment, 'correction'> {
  if (correction?.refundId !== id) return {};
  const { refundId: _, ...state } = correction;
  return { correction: { ...state, status: 'proposed' } };
}

/** Whether a refund succeeded at some time, even if its money came back later. A credit note exists for it. */
export const hasPaidOut = ({ status, reverted }: Pick<Refund, 'status' | 'reverted'>): boolean =>
  status === 'succeeded' || reverted !== undefined;

/** A succeeded refund with its number at the buyer's bank. Undefined if it has not succeeded, or has this number. */
export const tracedRefund = (
  payment: Payment,
  refund: Refund,
  network: NetworkReference,
  now: string,
): Refund | undefined =>
  refund.status !== 'succeeded' || refund.networkReference?.value === network.value
    ? undefined
    : { ...asErased(payment, refund), networkReference: { ...network, at: now } };

/**
 * Changes a succeeded refund to failed, only once: its amount is refundable again. Undefined if it has not succeeded.
 */
export function revertedRefund(
  payment: Payment,
  refund: Refund,
  end: Omit<RefundEnd, 'status' | 'network'>,
  now: string,
): RefundDecision | undefined {
  if (refund.status !== 'succeeded') return undefined;
  const reverted = { succeededAt: refund.updatedAt, at: now };
  const failed: Refund = { ...asErased(payment, refund), ...end, status: 'failed', reverted, updatedAt: now };
  const after: Payment = {
    ...moveParts(chargedAgain(payment, refund), refund.lines, { from: 'refunded', to: 'refundable' }),
    refunds: payment.refunds.map((one) => (one.id === refund.id ? { ...one, status: 'failed' } : one)),
    ...reviewed(payment, now),
    ...reproposed(payment, refund),
    updatedAt: now,
  };
  return { refund: failed, after };
}

export const summarize = ({ id, status, amount, isPartial, reason, createdAt }: Refund): RefundSummary => ({
  id,
  status,
  amount,
  isPartial,
  reason,
  createdAt,
});
