import { describe, expect, it } from 'vitest';
import { fewOf, levelOf, newPool, toldBy } from '../../../shared/domain/entitlements/pool.ts';

const aPool = (fields: object) => ({ ...newPool('ent_1'), ...fields });

describe('a pool of codes', () => {
  it.each([
    { full: 1, few: 0 },
    { full: 8, few: 4 },
    { full: 20, few: 10 },
    { full: 100, few: 10 },
    { full: 101, few: 11 },
    { full: 10_000, few: 1_000 },
  ])('is low at $few free codes after an import that left $full free codes', ({ full, few }) => {
    expect(fewOf({ full })).toBe(few);
    expect([few + 1, few].map((free) => levelOf({ free, waiting: 0, full }))).toEqual(['enough', 'low']);
  });

  it('is “empty” only once a sale waits for a code', () => {
    expect([0, 1].map((waiting) => levelOf({ free: 0, waiting, full: 5 }))).toEqual(['low', 'empty']);
  });

  it('reports only once that it is low, and only once that it is empty', () => {
    expect(toldBy(aPool({ free: 11, full: 100 }), 'take')).toBe('low');
    expect(toldBy(aPool({ free: 11, full: 100, told: 'low' }), 'take')).toBeUndefined();
    expect(toldBy(aPool({ free: 0, full: 100, told: 'low' }), 'join')).toBe('empty');
    expect(toldBy(aPool({ free: 0, full: 100, waiting: 3, told: 'empty' }), 'join')).toBeUndefined();
  });
});
