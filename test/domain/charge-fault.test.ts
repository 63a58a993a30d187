import { describe, expect, it } from 'vitest';
import { chargeFault } from '../../shared/domain/catalogue/charge-fault.ts';

const any = { minimum: 1, maximum: 99_999_999, step: 1 };

describe('the check whether a card can be charged', () => {
  it.each([
    ['nothing can always be had', 0, 'EUR', undefined, undefined],
    ['a currency that the processor does not charge', 100, 'EUR', undefined, { kind: 'currency' }],
    ['less than the currency’s least', 49, 'EUR', any, { kind: 'minimum', least: 50 }],
    ['the least itself can be charged', 50, 'EUR', any, undefined],
    ['less than this processor’s least', 99, 'EUR', { ...any, minimum: 100 }, { kind: 'minimum', least: 100 }],
    ['more than this processor’s most', 100_000_000, 'HUF', any, { kind: 'maximum', most: 99_999_999 }],
    ['the most itself can be charged', 99_999_999, 'HUF', any, undefined],
    ['an amount between two steps', 1_234, 'KWD', { ...any, minimum: 10, step: 10 }, { kind: 'step', least: 10 }],
    ['a whole step can be charged', 1_230, 'KWD', { ...any, minimum: 10, step: 10 }, undefined],
  ])('answers correctly: %s', (_, amount, currency, terms, fault) => {
    expect(chargeFault(amount, currency, terms)).toEqual(fault);
  });
});
