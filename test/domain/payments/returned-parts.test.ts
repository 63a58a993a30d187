import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { sum } from '../../../shared/domain/money/money.ts';
import { correctedTax, decideCorrection } from '../../../shared/domain/payments/decide-correction.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { decideRefund, type Refund, revertedRefund, settledRefund } from '../../../shared/domain/payments/refund.ts';
import { returnedParts } from '../../../shared/domain/payments/returned-parts.ts';
import type { CorrectedLine } from '../../../shared/domain/payments/tax-correction.ts';
import { campaign } from '../../support/seeded.ts';
import { aPayment, refundOf } from '../../support/shop/payments.ts';

vi.setConfig({ testTimeout: campaign(3_600_000, 30_000) });

const now = '2026-03-02T00:00:00.000Z';
const taxId = { id: 'FR83404833048', country: 'FR', status: 'valid' as const, formatName: 'EU VAT', checkedAt: now };
const proven = { taxId, businessName: null };

function refunded(payment: Payment, id: string, amount: number | null): { after: Payment; refund: Refund } {
  const { after, refund } = decideRefund(payment, refundOf({ amount }), { id, now });
  return settledRefund(after, refund, { status: 'succeeded', reference: id }, now)!;
}

interface Sold {
  unitAmount: number;
  taxInclusive: boolean;
  rates: readonly string[];
  /** Whether the second tax is charged still. */
  isKept: boolean;
}

/** A line of which a part was refunded, whose rest was corrected, and whose first refund came back. */
function mixed({ isKept, ...line }: Sold, part: number) {
  const payment = aPayment([line]);
  const early = refunded(payment, 'ref_early', Math.max(1, Math.floor(payment.gross * part)));
  const components = payment.lines[0]!.components.map((one, index) =>
    isKept && index > 0 && !line.taxInclusive ? one : { ...one, rate: null, reason: 'reverse_charge' as const },
  );
  const corrected = correctedTax(early.after, { lines: [components], registrations: [] }, proven);
  const state = { status: 'proposed', cause: 'buyer', at: now, ...proven, isNamed: true, amount: 0, tax: 0 } as const;
  const booked = decideCorrection(early.after, state, corrected, { id: 'ref_correcting', now, step: 1 });
  const end = { status: 'succeeded', reference: 're' } as const;
  const after = settledRefund(booked.after, booked.refund, end, now)?.after ?? booked.after;
  const back = revertedRefund(after, early.refund, { reference: 're', failureReason: 'closed' }, now)!.after;
  return { payment: back, early: early.refund.lines[0]!, corrected: corrected.correction.lines[0]! };
}

const sold = fc.record({
  unitAmount: fc.integer({ min: 2, max: 1_000_000 }),
  taxInclusive: fc.boolean(),
  rates: fc.constantFrom(['0.2'], ['0.19'], ['0.05', '0.09975'], ['0.081']),
  isKept: fc.boolean(),
});
const part = fc.double({ min: 0, max: 0.999, noNaN: true });

const partsOf = (payment: Payment, refund: Refund, corrected: CorrectedLine) =>
  refund.lines.map((line) => ({ line, parts: returnedParts(line, payment.lines[0]!, corrected) }));

describe('the parts of a returned line', () => {
  it('are the original line when its invoice was not corrected', () => {
    const payment = aPayment([{ unitAmount: 11_900 }]);
    const { refund } = refunded(payment, 'ref_1', 1_190);
    const [line] = refund.lines;
    const { components } = payment.lines[0]!;
    expect(returnedParts(line!, payment.lines[0]!, undefined)).toEqual([
      { amount: 1_190, tax: 190, components: [190], treatment: components },
    ]);
  });

  it('are the early refund plus the parts of the corrected invoice, when everything is returned at once', () => {
    fc.assert(
      fc.property(sold, part, (line, share) => {
        const { payment, early, corrected } = mixed(line, share);
        const parts = partsOf(payment, refunded(payment, 'ref_rest', null).refund, corrected).flatMap(
          (one) => one.parts,
        );
        const netOf = (isSold: boolean) =>
          sum(
            parts
              .filter(({ treatment }) => (treatment[0]?.reason === null) === isSold)
              .map(({ amount, tax }) => amount - tax),
          );
        fc.pre(early.components[0]! > 0);
        expect([netOf(true), netOf(false)]).toEqual([early.amount - early.tax, corrected.invoiced.net]);
      }),
      { numRuns: campaign(20_000, 500) },
    );
  });

  it('add up to the line in every order of returns, without tax that the corrected invoice removed', () => {
    fc.assert(
      fc.property(sold, part, fc.array(part, { maxLength: 6 }), (line, share, shares) => {
        const { payment: begun, corrected } = mixed(line, share);
        let payment = begun;
        const amounts = shares.map((one) => Math.floor(payment.gross * one)).filter((amount) => amount > 0);
        for (const [index, wanted] of [...amounts, Number.POSITIVE_INFINITY].entries()) {
          if (payment.refundable === 0) break;
          const { after, refund } = refunded(payment, `ref_${index}`, Math.min(wanted, payment.refundable));
          for (const one of partsOf(payment, refund, corrected)) {
            expect(sum(one.parts.map(({ amount }) => amount))).toBe(one.line.amount);
            for (const { amount, tax, components, treatment } of one.parts) {
              expect(sum(components)).toBe(tax);
              expect(Math.min(amount, tax, amount - tax, ...components)).toBeGreaterThanOrEqual(0);
              for (const [place, { reason }] of treatment.entries()) if (reason) expect(components[place]).toBe(0);
            }
          }
          payment = after;
        }
        expect(payment.refundable).toBe(0);
      }),
      { numRuns: campaign(20_000, 500) },
    );
  });
});
