import { describe, expect, it } from 'vitest';
import { totalsByCurrency } from '../../../shared/domain/payments/payment-row.ts';

const row = (currency: string, gross: number, more = {}) => ({
  currency,
  gross,
  refunded: 0,
  status: 'succeeded' as const,
  ...more,
});

describe('the totals of listed payments', () => {
  it('keep currencies apart, and take refunds and lost disputes off what is left', () => {
    const lost = { isOpen: false, hasLost: true, lost: 300 };
    const rows = [
      row('EUR', 1_999, { refunded: 500 }),
      row('USD', 1_250),
      row('EUR', 1_000, { disputeStanding: lost }),
    ];
    expect(totalsByCurrency(rows)).toEqual([
      // 1,999 + 1,000 = 2,999; 2,999 − 500 − 300 = 2,199
      { currency: 'EUR', payments: 2, paid: 2_999, refunded: 500, left: 2_199 },
      { currency: 'USD', payments: 1, paid: 1_250, refunded: 0, left: 1_250 },
    ]);
  });

  it('leave out payments that did not succeed', () => {
    expect(totalsByCurrency([row('EUR', 500, { status: 'failed' })])).toEqual([]);
  });
});
