import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessions, table } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { sendThrough } from '../../support/table/send-through.ts';

let api: Api;
let product: string;
beforeAll(async () => {
  api = await startApi();
  product = await addProduct(api);
});
afterAll(() => api.stop());
useShortPauses();

let id: string;
let session: string;
beforeEach(async () => {
  const body = { type: 'percentage', amount: 2_000, usage_limit: 1_000 };
  const { discount_id, code } = (await api.call('POST /discounts', { body })).body;
  id = discount_id;
  session = await createSession(api, [{ product_id: product, quantity: 1 }], { discount_codes: [code] });
});

let heal = () => {};
afterEach(() => {
  heal();
  vi.restoreAllMocks();
});

/** From now on, the limit of the code changes between what each payment reads and the use that it takes; and six seconds pass in a few tries. */
function contend(): { overtaken: () => number } {
  let overtaken = 0;
  heal = sendThrough(table().client, (send) => async (command) => {
    if (JSON.stringify(command.input['TransactItems'] ?? '').includes('#data.#used < #data.#quota')) {
      overtaken += 1;
      await api.call(`PATCH /discounts/${id}`, { body: { usage_limit: 1_000 + overtaken } });
    }
    return send(command);
  });
  let elapsed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    elapsed += 300;
    return elapsed;
  });
  return { overtaken: () => overtaken };
}

const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
const usesNow = async () => (await api.call(`GET /discounts/${id}`)).body.times_used;
const paymentNow = async () => (await sessions().get(session)).paymentId;

describe('a code whose use fails because other buyers use it at the same moment', () => {
  it('503 DISCOUNT_CONCURRENT_REDEMPTION: charges nothing, takes no use, and can be retried', async () => {
    const { overtaken } = contend();
    const body = { ...buyer, test_card: '4242' };
    const refused = await api.call(`POST /checkout/${session}/pay`, { key: null, body });
    expect([refused.status, refused.body.code]).toEqual([503, 'DISCOUNT_CONCURRENT_REDEMPTION']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(overtaken()).toBeGreaterThan(1);
    expect([await usesNow(), await paymentNow()]).toEqual([0, null]);
    heal();
    expect((await api.call(`POST /checkout/${session}/pay`, { key: null, body })).body.status).toBe('succeeded');
    expect(await usesNow()).toBe(1);
  });

  it('makes the page ask the buyer to try again, and keeps the form and the code', async () => {
    const { formToken: token } = await sessions().get(session);
    const form = { token, email: 'buyer@example.com', name: 'A Buyer', country: 'DE', card: '4242424242424242' };
    contend();
    const sent = { ...form, expected_total: '1599' };
    const page = await postForm(api, `/checkout/${session}/pay`, sent, ['tillstack-buyer-language=en']);
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('nothing was charged. Please try again.')]);
    expect(page.text).toContain('value="buyer@example.com"');
    expect(page.text).toMatch(/name="expected_total" value="1599"/);
    expect(await paymentNow()).toBeNull();
  });
});
