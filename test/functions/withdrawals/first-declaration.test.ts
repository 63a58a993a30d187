import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiKeys, payments } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { sell } from '../../support/shop/shop.ts';
import { declareByForm } from '../../support/shop/withdrawals.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ ...testMerchant, receipts: { from: 'receipts@example.com' } });
});
afterAll(() => api.stop());

it('a declaration with the order’s own address creates the secret for its link in a new stack', async () => {
  const { paymentId } = await sell(api);
  expect(await apiKeys().findSessionSecret()).toBeUndefined();
  const { email } = (await payments().get(paymentId)).customer;
  await declareByForm(api, { reference: paymentId, email });
  expect(await apiKeys().findSessionSecret()).toMatch(/^\w{43}$/);
});
