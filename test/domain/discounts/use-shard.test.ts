import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newDiscount } from '../../../shared/domain/discounts/discount.ts';
import { newCounters, usesOf } from '../../../shared/domain/discounts/use-counter.ts';
import {
  isCrowded,
  isShard,
  lapsedHolds,
  recounted,
  shardToTake,
  splitUses,
  type UseShard,
  wasFull,
} from '../../../shared/domain/discounts/use-shard.ts';

const now = '2026-03-01T12:00:00.000Z';
const discountOf = (usageLimit: number | null) =>
  newDiscount(
    {
      code: 'SPRING',
      name: null,
      type: 'percentage',
      amount: 2_000,
      restrictedTo: [],
      currencies: [],
      usageLimit,
      perCustomerLimit: null,
      eligibility: 'any',
      startsAt: null,
      expiresAt: null,
      belowMinimum: false,
      combinable: true,
      metadata: {},
    } as never,
    { id: 'dsc_1', now },
  );

const partsOf = (limit: number): UseShard[] => splitUses(newCounters(discountOf(limit)));
const quotas = (parts: readonly UseShard[]): number => parts.reduce((total, { quota }) => total + (quota ?? 0), 0);

/** A part after a payment has taken a use. */
const held = (parts: readonly UseShard[], paymentId: string, network: string | null = null, at = 0): UseShard[] => {
  const target = shardToTake(parts, { paymentId, network });
  return parts.map((part) =>
    part === target
      ? {
          ...part,
          used: part.used + 1,
          version: part.version + 1,
          held: { ...part.held, [paymentId]: { at, network, turn: 0 } },
        }
      : part,
  );
};

describe('the counters of a discount code with a limit', () => {
  it('together allow exactly as many uses as the code, and can all be used', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (limit) => {
        let parts = partsOf(limit);
        expect(quotas(parts)).toBe(limit);
        for (let buyer = 0; buyer < limit; buyer += 1) parts = held(parts, `pay_${buyer}`);
        expect(usesOf(parts)).toBe(limit);
        expect(shardToTake(parts, { paymentId: 'pay_x', network: null })).toBeUndefined();
      }),
    ));

  it('together allow exactly the new limit after a change, for any number of earlier uses', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), fc.nat(60), (limit, taken, more) => {
        let parts = partsOf(limit);
        const used = Math.min(taken, limit);
        for (let buyer = 0; buyer < used; buyer += 1) parts = held(parts, `pay_${buyer}`);
        const changed = recounted(parts, discountOf(Math.max(1, used) + more)).filter(isShard);
        expect([quotas(changed), usesOf(changed)]).toEqual([Math.max(1, used) + more, used]);
        for (const { used: own, quota } of changed) expect(own).toBeLessThanOrEqual(quota ?? 0);
      }),
    ));

  it('refuse a limit below the number of earlier uses, and name that number', () => {
    const parts = held(held(partsOf(5), 'pay_a'), 'pay_b');
    expect(() => recounted(parts, discountOf(1))).toThrow('The code is used 2 times already');
  });

  it('assign a payment to the counter that already holds it', () => {
    const parts = held(partsOf(3), 'pay_a', 'here');
    expect(shardToTake(parts, { paymentId: 'pay_a', network: 'elsewhere' })?.held).toHaveProperty('pay_a');
  });

  it('count as used up only if no use was freed between two readings', () => {
    const full = held(partsOf(1), 'pay_a');
    expect(wasFull(full, full)).toBe(true);
    expect(wasFull(partsOf(1), full)).toBe(false);
    const returnedAndTaken = full.map((part) => ({ ...part, version: part.version + 2 }));
    expect(wasFull(full, returnedAndTaken)).toBe(false);
    const dealtAgain = full.map((part) => ({ ...part, rules: part.rules + 1 }));
    expect(wasFull(full, dealtAgain)).toBe(false);
  });

  it('allow buyers from one network ten unpaid uses or a quarter of the limit, and any number without a known network', () => {
    const filled = (limit: number, count: number, network: string | null) => {
      let parts = partsOf(limit);
      for (let buyer = 0; buyer < count; buyer += 1) parts = held(parts, `pay_${buyer}`, network);
      return isCrowded(parts, network);
    };
    expect([filled(20, 10, 'n'), filled(20, 11, 'n')]).toEqual([false, true]);
    expect([filled(120, 30, 'n'), filled(120, 31, 'n')]).toEqual([false, true]);
    expect([filled(4_000, 500, 'n'), filled(4_000, 501, 'n')]).toEqual([false, true]);
    expect(filled(300, 300, null)).toBe(false);
  });

  it('give unpaid uses to other buyers after fifteen minutes, the oldest use first', () => {
    let parts = partsOf(9);
    for (const [minute, id] of [
      [2, 'pay_c'],
      [0, 'pay_a'],
      [1, 'pay_b'],
    ] as const)
      parts = held(parts, id, null, Date.parse(now) + minute * 60_000);
    const at = (minutes: number) =>
      lapsedHolds(parts, new Date(Date.parse(now) + minutes * 60_000)).map(({ paymentId }) => paymentId);
    expect([at(14), at(15), at(17)]).toEqual([[], ['pay_a'], ['pay_a', 'pay_b', 'pay_c']]);
  });
});
