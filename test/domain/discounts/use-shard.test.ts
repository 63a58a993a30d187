import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newDiscount } from '../../../shared/domain/discounts/discount.ts';
import { newCounters, usesOf } from '../../../shared/domain/discounts/use-counter.ts';
import {
  isLapsed,
  isShard,
  mayHaveRoom,
  networkBound,
  newHold,
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

/** The parts after a payment has taken a use. */
const taken = (parts: readonly UseShard[], paymentId: string): UseShard[] => {
  const target = shardToTake(parts, paymentId);
  return parts.map((part) => (part === target ? { ...part, used: part.used + 1, version: part.version + 1 } : part));
};

describe('the counters of a discount code with a limit', () => {
  it('together allow exactly as many uses as the code, and can all be used', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (limit) => {
        let parts = partsOf(limit);
        expect(quotas(parts)).toBe(limit);
        for (let buyer = 0; buyer < limit; buyer += 1) parts = taken(parts, `pay_${buyer}`);
        expect(usesOf(parts)).toBe(limit);
        expect(shardToTake(parts, 'pay_x')).toBeUndefined();
      }),
    ));

  it('together allow exactly the new limit after a change, for any number of earlier uses', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), fc.nat(60), (limit, wanted, more) => {
        let parts = partsOf(limit);
        const used = Math.min(wanted, limit);
        for (let buyer = 0; buyer < used; buyer += 1) parts = taken(parts, `pay_${buyer}`);
        const changed = recounted(parts, discountOf(Math.max(1, used) + more)).filter(isShard);
        expect([quotas(changed), usesOf(changed)]).toEqual([Math.max(1, used) + more, used]);
        for (const { used: own, quota } of changed) expect(own).toBeLessThanOrEqual(quota ?? 0);
      }),
    ));

  it('refuse a limit below the number of earlier uses, and name that number', () => {
    const parts = taken(taken(partsOf(5), 'pay_a'), 'pay_b');
    expect(() => recounted(parts, discountOf(1))).toThrow('The code is used 2 times already');
  });

  it('count as used up only if no use was freed between two readings', () => {
    const full = taken(partsOf(1), 'pay_a');
    expect(wasFull(full, full)).toBe(true);
    expect(wasFull(partsOf(1), full)).toBe(false);
    const returnedAndTaken = full.map((part) => ({ ...part, version: part.version + 2 }));
    expect(wasFull(full, returnedAndTaken)).toBe(false);
    const dealtAgain = full.map((part) => ({ ...part, rules: part.rules + 1 }));
    expect(wasFull(full, dealtAgain)).toBe(false);
  });

  it('allow one network ten open payments or a quarter of the limit, at most about five hundred, and divide a large number among parts', () => {
    const bounds = [4, 20, 120, 200, 204, 2_000, 40_000].map(networkBound);
    expect(bounds.map(({ parts, mostEach }) => [parts, mostEach])).toEqual([
      [1, 10],
      [1, 10],
      [1, 30],
      [1, 50],
      [8, 7],
      [8, 63],
      [8, 63],
    ]);
  });

  it('count the open payments of a network in each of its parts', () => {
    const partsOfNetwork = (limit: number) => {
      const [shard] = partsOf(limit);
      const ids = Array.from({ length: 26 }, (_, index) => `pay_${String.fromCodePoint(97 + index)}`);
      return new Set(ids.map((id) => newHold(shard as UseShard, { id, createdAt: now }, 'n').part)).size;
    };
    expect([partsOfNetwork(200), partsOfNetwork(2_000)]).toEqual([1, 8]);
  });

  it('give the use of an unpaid payment to another buyer after fifteen minutes', () => {
    const full = taken(partsOf(1), 'pay_a');
    const at = (minutes: number) => new Date(Date.parse(now) + minutes * 60_000);
    expect([14, 15].map((minutes) => isLapsed({ at: now }, at(minutes)))).toEqual([false, true]);
    const room = (hold: { at: string } | undefined, minutes: number) =>
      mayHaveRoom(full, 1, { hold, now: at(minutes) });
    expect([room(undefined, 99), room({ at: now }, 14), room({ at: now }, 15)]).toEqual([false, false, true]);
    expect(mayHaveRoom(full, 2, { hold: undefined, now: at(0) })).toBe(true);
  });
});
