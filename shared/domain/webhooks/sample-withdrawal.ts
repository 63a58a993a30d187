import type { Declaration } from '../withdrawal/declaration.ts';
import { newCase, type Withdrawal, withDecision } from '../withdrawal/withdrawal-case.ts';

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
  const current = newCase(declaration, null, { status: 'sent', at: now });
  if (status === 'declared') return { declaration, current };
  const decision = { outcome: 'refunded', reason: null, note: null, by: 'automatic', at: now } as const;
  return { declaration, current: withDecision(current, { ...decision, refundId: `ref_${sample}` }) };
}
