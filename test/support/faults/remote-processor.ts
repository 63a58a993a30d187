import type { ChargeState } from '../../../shared/domain/payments/charge-state.ts';
import type { RefundState } from '../../../shared/domain/payments/refund.ts';
import type { PaymentProcessor, RefundAttempt } from '../../../shared/outside/processor/payment-processor.ts';
import { processor as ofThisStage } from '../../../shared/wiring/selling.ts';

type Around = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;
type RefundStatus = RefundState['status'];
type Status = 'open' | 'processing' | 'succeeded' | 'failed' | 'cancelled';

/** A processor behind a network. It records what it really did for each id, even if requests are repeated. */
export interface RemoteProcessor extends PaymentProcessor {
  charged: Map<string, { amount: number; status: Status }>;
  refunded: Map<string, { paymentId: string; amount: number; status: RefundStatus }>;
  /** Runs around each request: a network that loses requests or answers, or a process that dies. */
  around: Around;
  /** Finishes the charges and refunds that are still open. */
  finish(): void;
}

interface Habits {
  charge?: Status;
  refund?: RefundStatus;
  /** The result that open charges and refunds will have. */
  ends?: 'succeeded' | 'failed';
}

const paidBy = { method: 'card', network: 'VISA', lastFour: '4242', country: null };

/** The address at which the buyer of an open charge continues. */
export const processorPage = (paymentId: string): string => `https://pay.processor.example/c/${paymentId}#secret`;
const openUntil = '2099-01-01T00:00:00.000Z';

function stateOf(reference: string, status: Status): ChargeState {
  if (status === 'open') return { status, reference, url: processorPage(reference), expiresAt: openUntil };
  if (status === 'processing' || status === 'cancelled') return { status, reference };
  return status === 'succeeded'
    ? { status, reference, transaction: reference, paidBy, isDisputed: false }
    : { status, reference, errorCode: 'GENERIC_DECLINE', errorMessage: 'The card was declined.' };
}

function refundStateOf(reference: string, status: RefundStatus): RefundState {
  if (status === 'pending') return { status, reference, why: null };
  return status === 'succeeded' ? { status, reference } : { status, reference, failureReason: 'declined' };
}

export function remoteProcessor({ charge = 'succeeded', refund = 'succeeded', ends = 'succeeded' }: Habits = {}) {
  const charged: RemoteProcessor['charged'] = new Map();
  const refunded: RemoteProcessor['refunded'] = new Map();

  const chargeOnce = (id: string, amount: number): ChargeState => {
    const known = charged.get(id) ?? { amount, status: charge };
    if (known.amount !== amount) throw new Error('Another amount under a known id.');
    charged.set(id, known);
    return stateOf(id, known.status);
  };
  const found = (id: string): ChargeState => {
    const known = charged.get(id);
    if (!known) throw new Error(`There is no charge ${id}.`);
    return stateOf(id, known.status);
  };
  const closed = (id: string): ChargeState => {
    const known = charged.get(id);
    if (known?.status === 'open') known.status = 'cancelled';
    return found(id);
  };
  const foundRefund = ({ refundId, amount }: RefundAttempt): RefundState | undefined => {
    const known = refunded.get(refundId);
    if (known && known.amount !== amount) throw new Error('Another amount under a known id.');
    return known && refundStateOf(refundId, known.status);
  };
  const refundOnce = (attempt: RefundAttempt): RefundState => {
    const { refundId, paymentId, amount } = attempt;
    const known = foundRefund(attempt);
    if (!known) refunded.set(refundId, { paymentId, amount, status: refund });
    return known ?? refundStateOf(refundId, refund);
  };

  const processor: RemoteProcessor = {
    name: 'stripe',
    charged,
    refunded,
    around: (call) => call(),
    methods: () => ({ kind: 'redirect', title: 'Remote' }),
    limits: () => ({ minimum: 1, maximum: 99_999_999, step: 1, unit: 1 }),
    begin: ({ paymentId, amount }) => processor.around(async () => chargeOnce(paymentId, amount)),
    find: ({ reference }) => processor.around(async () => found(reference)),
    close: ({ reference }) => processor.around(async () => closed(reference)),
    refund: (order) => processor.around(async () => refundOnce(order)),
    findRefund: (order) => processor.around(async () => foundRefund(order)),
    available: async () => undefined,
    findDispute: async () => undefined,
    disputesOf: async () => [],
    read: async () => [],
    repeatableMs: 23 * 3_600_000,
    finish: () => {
      for (const known of charged.values())
        if (known.status === 'processing' || known.status === 'open') known.status = ends;
      for (const known of refunded.values()) if (known.status === 'pending') known.status = ends;
    },
  };
  return processor;
}

/** Replaces the sandbox's processor for every function of this process. Returns a function that undoes it. */
export function useProcessor(processor: PaymentProcessor): () => void {
  const used = ofThisStage();
  const real = { ...used };
  Object.assign(used, processor);
  return () => void Object.assign(used, real);
}
