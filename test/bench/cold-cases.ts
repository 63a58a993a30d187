import { routed, startApiThroughSdk } from '../support/shop/api.ts';
import { addProduct, createSession, pay } from '../support/shop/shop.ts';
import { readTable, startColdTable } from './cold-table.ts';

/** A request that a fresh process answers, and what shows that it was answered from the table's rows. */
export interface ColdCase {
  name: string;
  function: string;
  event: object;
  /** A text of the answer's body. */
  shows: string;
}

/** A table with a sale and an open checkout session, made by the real handlers, and a request to each of three functions. */
export async function startColdCases() {
  const api = await startApiThroughSdk();
  const productId = await addProduct(api);
  const cart = [{ product_id: productId, quantity: 1 }];
  const paid = await pay(await createSession(api, cart), { expectedTotal: 1_999 });
  const sessionId = await createSession(api, cart);
  const table = await startColdTable(await readTable());
  await api.stop();
  return { table, cases: casesOf(paid.id, sessionId) };
}

const buyer = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  test_card: '4242',
  expected_total: 1_999,
};
const browser = { 'accept-encoding': 'gzip, br', 'accept-language': 'en' };

const casesOf = (paymentId: string, sessionId: string): ColdCase[] => [
  {
    name: 'GET payment',
    shows: `"payment_id":"${paymentId}"`,
    ...routed(`GET /payments/${paymentId}`),
  },
  {
    name: 'POST pay (JSON)',
    shows: '"status":"succeeded"',
    ...routed(`POST /checkout/${sessionId}/pay`, { body: buyer, key: null }),
  },
  {
    name: 'GET checkout page',
    shows: 'Field Guide (e-book)',
    ...routed(`GET /checkout/${sessionId}`, { headers: browser, key: null }),
  },
];
