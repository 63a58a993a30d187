import { describe, expect, it } from 'vitest';
import type { CheckoutSession } from '../../shared/domain/checkout/checkout-session.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';
import { mayChangeBeforeExpiry, priceSession } from '../../shared/use-cases/checkout/price-session.ts';
import { aSessionLine, sessionOf } from '../support/shop/sessions.ts';

/** A small Portuguese seller that has sold for 9,950.00 euros to other member states in 2032. */
const settings: TaxSettings = {
  ...{ merchantCountry: 'PT', registrations: [], overrides: [], collectPolicy: 'everywhere' },
  ...{ onUnsupported: 'zero', onUnverifiedTaxId: 'charge' },
  smallSeller: { from: '2030-01-01', elsewhere: {} },
  homeSales: { counted: { 2032: 995_000 } },
};
const line = aSessionLine({ kind: 'fixed', currency: 'EUR', taxInclusive: false, unitAmount: 10_000 });
const session: CheckoutSession = {
  ...sessionOf([{ ...line, taxCategory: 'saas' }]),
  ...{ createdAt: '2032-12-31T23:00:00.000Z', expiresAt: '2033-01-01T23:00:00.000Z' },
};

/** 2033 has begun in Berlin at both moments, and in Lisbon at the second one. */
const [before, after] = ['2032-12-31T23:20:00.000Z', '2033-01-01T00:10:00.000Z'];
const pricingAt = (instant: string) => ({ place: { country: 'DE' }, taxId: null, settings, now: new Date(instant) });
const priceAt = (instant: string) => priceSession(session, new Map(), pricingAt(instant));
const mayChange = (instant: string, counted: Record<string, number>) =>
  mayChangeBeforeExpiry(session, new Map(), {
    ...pricingAt(instant),
    settings: { ...settings, homeSales: { counted } },
  });

describe('a sale of a small seller at the end of a year', () => {
  it('has a quote that is noted when the seller’s midnight changes the tax', () => {
    expect([before, after].map((at) => priceAt(at).quote.gross)).toEqual([11_900, 12_300]); // DE 19 %, PT 23 %
    expect(mayChange(before, { 2032: 995_000 })).toBe(true);
    expect(mayChange(after, { 2032: 995_000 })).toBe(false);
    expect(mayChange(before, { 2032: 0 })).toBe(false);
  });

  it('counts in the year whose limit refuses it the home tax', () => {
    expect(priceAt(before).homeSale).toEqual({ year: '2032', amount: 10_000 });
    expect(priceAt(after).homeSale).toEqual({ year: '2033', amount: 10_000 });
  });
});
