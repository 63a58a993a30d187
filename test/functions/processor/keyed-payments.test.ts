import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop.stop());

const body = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };

const pay = (session: string) =>
  shop.api.call(`POST /checkout/${session}/pay`, { body, key: null, headers: { 'idempotency-key': 'till' } });

describe('POST /checkout/{id}/pay with an Idempotency-Key, while Stripe does not answer', () => {
  it.each(['request-lost', 'answer-lost'] as const)(
    '409, then 200: the same key leads to Stripe’s page once Stripe answers again (%s)',
    async (fate) => {
      const session = await createSession(shop.api, [{ product_id: await addProduct(shop.api), quantity: 1 }]);
      shop.fake.fate = ({ method }) => (method === 'POST' ? fate : 'answered');
      for (const answer of [await pay(session), await pay(session)]) {
        expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS');
        expect(answer.headers['x-should-retry']).toBe('true');
      }
      shop.fake.fate = () => 'answered';
      const answered = await pay(session);
      expect([answered.status, answered.body.status]).toEqual([200, 'requires_customer_action']);
      expect(answered.body.next_action.url).toContain('/c/pay/');
      expect((await pay(session)).text).toBe(answered.text);
      expect(answered.body.payment_id).toBe((await shop.paymentOf(session)).id);
      const ours = [...shop.fake.account.checkouts.values()].filter(
        ({ request }) => request.clientReferenceId === answered.body.payment_id,
      );
      expect(ours).toHaveLength(1);
    },
  );
});
