import { afterAll, beforeAll, expect, it } from 'vitest';
import { payments } from '../../../shared/wiring/runtime.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { declareByLink } from '../../support/shop/withdrawals.ts';

let shop: StripeShop;
let admin: Browsing;
beforeAll(async () => {
  shop = await startStripeShop();
  admin = await browse(shop.api, await shop.api.addKey({ access: 'admin', refunds: { perDay: null } }));
});
afterAll(() => shop.stop());

/** The declaration of a buyer who paid at Stripe. */
async function declared() {
  const { id: paymentId, reference } = await shop.begin();
  shop.payAt(reference ?? '');
  await shop.notify(JSON.stringify(shop.fake.notifications.events.at(-1)));
  return { paymentId, id: await declareByLink(shop.api, paymentId) };
}

const refundedAtStripe = () => [...shop.fake.account.refunds.values()].map(({ amount }) => amount);

it('a decision by API or dashboard refunds once at Stripe', async () => {
  const [one, other] = [await declared(), await declared()];
  const decide = () => shop.api.call(`POST /withdrawals/${one.id}/decide`, { body: { outcome: 'refund' } });
  expect((await Promise.all([decide(), decide()])).map(({ status }) => status)).toContain(200);
  expect(refundedAtStripe()).toEqual([1_999]);
  const path = `/dashboard/withdrawals/${other.id}`;
  const form = { action: 'confirm', proposed: 'full_refund 1999', token: admin.token, form_id: 'form-1' };
  for (const _ of [1, 2]) await postForm(shop.api, path, form, admin.cookies);
  expect(refundedAtStripe()).toEqual([1_999, 1_999]);
  for (const { paymentId } of [one, other]) expect((await payments().get(paymentId)).refundable).toBe(0);
});
