import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { addProduct, createSession, fieldGuide, pay } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { missingKeys, strayKeys } from '../../support/wire/dialect.ts';

export let api: Api;
/** A product with its tax in the price, and one with its tax on top. */
export let books: [string, string];

/** Starts a shop with two products for the tests of the calling file. It refunds within 14 days. */
export function useRefundShop(): void {
  beforeAll(async () => {
    api = await startApi({ ...testMerchant, refundWindowDays: 14 });
    const price = { ...fieldGuide.price, price: 1_190 };
    const inclusive = await addProduct(api, { price, tax_category: 'saas' });
    const exclusive = await addProduct(api, { price: { ...price, price: 2_000, tax_inclusive: false } });
    books = [inclusive, exclusive];
  });
  afterEach(() => clock.run());
  afterAll(() => api.stop());
  useShortPauses();
}

export const unknown = (prefix: string) => `${prefix}_${'x'.repeat(21)}`;
export const complete = { missing: [], stray: [] };
export const keysOf = (answer: object, keys: readonly string[]) => ({
  missing: missingKeys(answer, keys),
  stray: strayKeys(answer, keys),
});

/** 11.90 with 19 % inside (net 10.00, tax 1.90), and 20.00 with 7 % on top (gross 21.40, tax 1.40): 33.30, of which 3.30 is tax. */
export async function order(asked: Partial<Submission> = {}): Promise<string> {
  const sessionId = await createSession(api, [
    { product_id: books[0], quantity: 1 },
    { product_id: books[1], quantity: 1 },
  ]);
  return (await pay(sessionId, { expectedTotal: 3_330, ...asked })).id;
}

export const refund = (paymentId: string, fields: object = {}, headers: Record<string, string> = {}) =>
  api.call('POST /refunds', { body: { payment_id: paymentId, ...fields }, headers });
export const paymentOf = async (id: string) => (await api.call(`GET /payments/${id}`)).body;
