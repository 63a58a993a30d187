import { describe, expect, it } from 'vitest';
import { sum } from '../../../shared/domain/money/money.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { decideRefund, type Refund, settledRefund } from '../../../shared/domain/payments/refund.ts';
import type { RefundRequest } from '../../../shared/domain/payments/refund-portions.ts';
import { between, campaign, pickOne, seeded, times } from '../../support/seeded.ts';
import { aPayment, refundOf, type SoldLine } from '../../support/shop/payments.ts';

const now = '2026-03-02T00:00:00.000Z';
const rates = [
  ['0.19'],
  ['0.07'],
  ['0.25'],
  ['0.09', '0.09'],
  ['0.05', '0.09975'],
  ['0.21'],
  ['0.2'],
  ['0.255'],
  ['0.1'],
];

const someLines = (random: () => number, most: number): SoldLine[] =>
  times(between(random, 1, most)).map(() => ({
    unitAmount: random() < 0.5 ? between(random, 1, 40) : between(random, 41, 99_999),
    quantity: between(random, 1, 3),
    taxInclusive: random() < 0.5,
    rates: pickOne(random, rates),
  }));

/** A request for some of what is left: of the whole, or of one line; gross or net. */
function someRefund(random: () => number, payment: Payment): Partial<RefundRequest> {
  const taxInclusive = random() < 0.6;
  const open = payment.lines.filter(({ refundable }) => refundable > 0);
  const line = pickOne(random, open);
  const share = (most: number) => between(random, 1, Math.max(1, random() < 0.3 ? most : Math.ceil(most / 2)));
  if (random() < 0.5) return { amount: share(payment.refundable), taxInclusive };
  return { items: [{ productId: line.productId, amount: share(line.refundable), taxInclusive }] };
}

function decide(payment: Payment, asked: Partial<RefundRequest>, id: string) {
  try {
    return decideRefund(payment, refundOf(asked), { id, now });
  } catch {
    return undefined;
  }
}

/** Refunds a payment piece by piece, failures in between, and the rest at last; returns it, and what the refunds returned. */
function partition(random: () => number, lines: readonly SoldLine[]) {
  let payment = aPayment(lines);
  const paidOut: Refund[] = [];
  const pieces = between(random, 0, 8);
  for (let step = 0; payment.refundable > 0; step += 1) {
    const asked = step < pieces ? someRefund(random, payment) : {};
    const decided = decide(payment, asked, `ref_${step}`);
    if (!decided) continue;
    const fate = random() < 0.15 && step < 8 ? 'failed' : 'succeeded';
    const settled = settledRefund(decided.after, decided.refund, { status: fate, reference: 're_1' }, now);
    if (!settled) throw new Error('A pending refund did not end.');
    payment = settled.after;
    if (fate === 'succeeded') paidOut.push(settled.refund);
  }
  return { payment, paidOut };
}

/** Whether the refunds returned a payment exactly: its amount, its tax, line by line and component by component. */
function isExact({ payment, paidOut }: ReturnType<typeof partition>): boolean {
  const parts = paidOut.flatMap(({ lines }) => lines);
  const isWhole =
    sum(paidOut.map(({ amount }) => amount)) === payment.gross && sum(paidOut.map(({ tax }) => tax)) === payment.tax;
  return (
    isWhole &&
    payment.lines.every((line) => {
      const own = parts.filter(({ productId }) => productId === line.productId);
      const amountsAgree = sum(own.map(({ amount }) => amount)) === line.gross;
      const taxesAgree = sum(own.map(({ tax }) => tax)) === line.tax;
      const isEach = (component: { amount: number }, index: number) =>
        sum(own.map(({ components }) => components[index] ?? 0)) === component.amount;
      return amountsAgree && taxesAgree && line.components.every(isEach);
    })
  );
}

const partitions = campaign(100_000, 15_000);

describe('a payment that is refunded in parts', () => {
  it(`returns exactly its amount and tax, of every line and component, in ${partitions} partitions (woocommerce#26734, #30263)`, () => {
    const random = seeded(11);
    let exact = 0;
    let refunds = 0;
    for (const _ of times(partitions)) {
      const result = partition(random, someLines(random, 3));
      refunds += result.paidOut.length;
      if (isExact(result)) exact += 1;
    }
    console.log(`B11: ${exact} of ${partitions} partitions exact, ${refunds} refunds`);
    expect(exact).toBe(partitions);
  }, 240_000);

  it('has 0 left after the last of many refunds, in 2 000 random cases', () => {
    const random = seeded(10);
    let ended = 0;
    for (const _ of times(2_000)) {
      const unitAmount = between(random, 1, 1_000_000);
      const { payment, paidOut } = partition(random, [{ unitAmount, rates: pickOne(random, rates) }]);
      const last = paidOut.at(-1);
      if (payment.refundable === 0 && payment.refunded === unitAmount && last) ended += 1;
    }
    console.log(`B10: ${ended} of 2,000 partitions end at 0`);
    expect(ended).toBe(2_000);
  });

  it('holds pending amounts and frees failed ones once, in 5 000 random sequences', () => {
    const random = seeded(2);
    let [sound, ends, repeated] = [0, 0, 0];
    for (const _ of times(5_000)) {
      let payment = aPayment(someLines(random, 3));
      const refunds = new Map<string, Refund>();
      for (const step of times(between(random, 1, 10))) {
        const id = `ref_${step}`;
        const known = pickOne(random, [...refunds.values(), undefined]);
        if (known && random() < 0.6) {
          const settled = settledRefund(
            payment,
            known,
            { status: pickOne(random, ['succeeded', 'failed']), reference: null },
            now,
          );
          if (settled) ends += 1;
          else repeated += 1;
          payment = settled?.after ?? payment;
          refunds.set(known.id, settled?.refund ?? known);
        } else if (payment.refundable > 0) {
          const decided = decide(payment, someRefund(random, payment), id);
          payment = decided?.after ?? payment;
          if (decided) refunds.set(id, decided.refund);
        }
      }
      const of = (status: Refund['status']) =>
        sum([...refunds.values()].filter((refund) => refund.status === status).map(({ amount }) => amount));
      const counters = { pending: of('pending'), refunded: of('succeeded') };
      const isSound =
        payment.pending === counters.pending &&
        payment.refunded === counters.refunded &&
        payment.refundable === payment.gross - counters.pending - counters.refunded;
      if (isSound) sound += 1;
    }
    console.log(`B2: ${sound} of 5,000 sequences sound; ${ends} refunds ended, ${repeated} ends told again`);
    expect(sound).toBe(5_000);
    expect(repeated).toBeGreaterThan(1_000);
  });
});
