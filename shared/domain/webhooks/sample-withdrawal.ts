import type { ConfirmedOrder } from '../withdrawal/confirmation.ts';
import type { Declaration } from '../withdrawal/declaration.ts';
import { newCase, stackName, type Withdrawal, withDecision } from '../withdrawal/withdrawal-case.ts';

const sample = 'SampleSampleSampleSam';

/** An invented withdrawal, for test events. */
export function sampleWithdrawal(status: 'declared' | 'decided', now: string): Withdrawal {
  const declaration: Declaration = {
    id: `wdr_${sample}`,
    receivedAt: now,
    source: 'order_link',
    name: 'Sample Buyer',
    email: 'buyer@example.com',
    reference: `pay_${sample}`,
    language: 'en',
    paymentId: `pay_${sample}`,
    lines: null,
  };
  const acknowledgement = { status: 'sent', at: now } as const;
  const current = { ...newCase(declaration, null, { sendsMail: true }), acknowledgement };
  if (status === 'declared') return { declaration, current };
  const decision = { outcome: 'refunded', reason: null, note: null, by: stackName, at: now } as const;
  return { declaration, current: withDecision(current, { ...decision, refundId: `ref_${sample}` }, undefined) };
}

/** An invented confirmation, for test events. */
export const sampleConfirmation = (now: string): ConfirmedOrder => ({
  id: `pay_${sample}`,
  documentSecret: `doc_${sample}`,
  confirmed: { acceptedAt: now, hash: sample },
});
