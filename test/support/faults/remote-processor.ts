import type { ChargeOutcome } from '../../../shared/domain/payments/payment.ts';
import type { ChargeRequest, Processor, RefundOrder, RefundOutcome } from '../../../shared/processor/processor.ts';
import { sandboxProcessor } from '../../../shared/processor/sandbox.ts';

type Around = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

/** A processor across a network that keeps the truth: what it has done under each id, however often it was asked. */
export interface RemoteProcessor extends Processor {
  charged: Map<string, { amount: number; status: ChargeOutcome['status'] }>;
  refunded: Map<string, { paymentId: string; amount: number; status: RefundOutcome }>;
  /** What stands between it and us: a network that loses requests or answers, a process that dies. */
  around: Around;
  /** Ends what it has left open. */
  finish(): void;
}

interface Habits {
  charge?: ChargeOutcome['status'];
  refund?: RefundOutcome;
  /** What becomes of what it leaves open. */
  ends?: 'succeeded' | 'failed';
}

const outcome = (status: ChargeOutcome['status']): ChargeOutcome => {
  const isFailed = status === 'failed';
  const card = { lastFour: '4242', network: 'VISA', country: null };
  return {
    status,
    card,
    errorCode: isFailed ? 'GENERIC_DECLINE' : null,
    errorMessage: isFailed ? 'The card was declined.' : null,
  };
};

export function remoteProcessor({ charge = 'succeeded', refund = 'succeeded', ends = 'succeeded' }: Habits = {}) {
  const charged: RemoteProcessor['charged'] = new Map();
  const refunded: RemoteProcessor['refunded'] = new Map();

  /** Once refused, an id is refused for ever. */
  const chargeOnce = (id: string, amount: number, status: ChargeOutcome['status']): ChargeOutcome => {
    const known = charged.get(id) ?? { amount, status };
    charged.set(id, known);
    return outcome(known.status);
  };
  const refundOnce = ({ refundId, paymentId, amount }: RefundOrder): RefundOutcome => {
    const known = refunded.get(refundId) ?? { paymentId, amount, status: refund };
    if (known.amount !== amount) throw new Error('Another amount under a known id.');
    refunded.set(refundId, known);
    return known.status;
  };

  const processor: RemoteProcessor = {
    name: 'remote',
    isRemote: true,
    charged,
    refunded,
    around: (call) => call(),
    charge: ({ paymentId, amount }: ChargeRequest) =>
      processor.around(async () => chargeOnce(paymentId, amount, charge)),
    findCharge: ({ id }) => processor.around(async () => chargeOnce(id, 0, 'failed')),
    refund: (order) => processor.around(async () => refundOnce(order)),
    findRefund: (order) => processor.around(async () => refundOnce(order)),
    finish: () => {
      for (const known of charged.values()) if (known.status === 'processing') known.status = ends;
      for (const known of refunded.values()) if (known.status === 'pending') known.status = ends;
    },
  };
  return processor;
}

/** Puts a processor in the place of the sandbox's, for every function of this process; returns the way back. */
export function useProcessor(processor: Processor): () => void {
  const real = { ...sandboxProcessor };
  Object.assign(sandboxProcessor, processor);
  return () => void Object.assign(sandboxProcessor, real);
}
