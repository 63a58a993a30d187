import { describe, expect, it } from 'vitest';
import { inMajorUnits } from '../../../infra/commands/integrator/major-units.ts';
import * as sentences from '../../../shared/domain/rules/rule-sentences.ts';
import { brokenRule, type RuleValues, type Sentence } from '../../../shared/domain/rules/rules.ts';

const eur = { currency: 'EUR' };

describe('An amount in a refusal', () => {
  it.each<[Sentence, RuleValues, string]>([
    [sentences.refund_high, { most: 1_999 }, 'At most 19.99 EUR of this payment can be refunded.'],
    [sentences.refund_line_high, { most: 5 }, 'At most 0.05 EUR can be refunded on this line.'],
    [
      sentences.refund_changed,
      { refundable: 0, expected: 1_999 },
      'The refundable amount is 0.00 EUR, not 19.99 EUR. Check it and try again.',
    ],
    [
      sentences.refund_limit,
      { most: 1_000, left: 400, ...eur },
      'This API key refunds up to 10.00 EUR a day; 4.00 EUR are left until midnight UTC.',
    ],
    [
      sentences.refund_step_near,
      { currency: 'KWD', step: 10, amount: 12_345, near: '12340 or 12350' },
      'The processor refunds KWD in steps of 0.010 KWD. This refund would return 12.345 KWD. Ask for 12.340 KWD or 12.350 KWD, tax included.',
    ],
    [
      sentences.price_suggested,
      { minimum: 500 },
      'price.suggested_price must be at least the minimum price, 5.00 EUR.',
    ],
    [sentences.amount_minimum, { least: 500, currency: 'JPY' }, 'The minimum is 500 JPY.'],
    [sentences.amount_minimum_or_zero, { least: 500, ...eur }, 'The minimum is 5.00 EUR, or 0.'],
    [sentences.amount_maximum, { most: 9_900, ...eur }, 'The maximum is 99.00 EUR.'],
    [
      sentences.total_minimum,
      { least: 50, total: 30, ...eur },
      'A payment in EUR must be 0 or at least 0.50 EUR; this one is 0.30 EUR.',
    ],
    [
      sentences.charge_maximum,
      { most: 9_999, step: 1, total: 10_000, ...eur },
      'The processor charges at most 99.99 EUR, in steps of 0.01 EUR. This cart costs 100.00 EUR.',
    ],
    [sentences.discount_minimum, { least: 2_500, ...eur }, 'The code needs a subtotal of at least 25.00 EUR.'],
  ])('of the sentence %o is in major units, with its currency', (sentence, values, said) => {
    const { message } = brokenRule(sentence, values);
    expect(inMajorUnits(`items[0].amount: ${message}`, { code: 'ANY', ...eur })).toBe(`items[0].amount: ${said}`);
  });

  it('stays as it is without a currency', () => {
    const { message } = brokenRule(sentences.refund_high, { most: 1_999 });
    expect(inMajorUnits(message, { code: 'ANY' })).toBe(message);
  });

  it('is a limit of its size, but not a limit of something else', () => {
    const { message } = brokenRule(sentences.range, { least: 0, most: 2_147_483_647 });
    expect(inMajorUnits(message, { code: 'INTEGER_CONVERSION_FAILURE', ...eur })).toBe(
      'must be between 0.00 EUR and 21474836.47 EUR',
    );
    expect(inMajorUnits(message, { code: 'INVALID_REQUEST_BODY', ...eur })).toBe(message);
  });
});
