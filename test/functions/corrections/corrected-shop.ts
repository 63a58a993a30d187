import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { browse, correctionFigures, postForm } from '../../support/shop/dashboard.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';

export let api: Api;
export let registers: FakeRegisters;
/** The products, with the tax in the price and on top. */
export let inclusive: string;
export let exclusive: string;

/** Starts a German shop for the tests of the calling file. The tax id registers give no answer until a test changes that. */
export function useCorrectedShop(): void {
  beforeAll(async () => {
    registers = await startFakeRegisters();
    api = await startApi(Merchant.parse({ ...testMerchant, taxId: 'DE136695976' }), { REGISTER_URL: registers.url });
    const price = { type: 'one_time_price', currency: 'EUR', price: 12_000 };
    inclusive = await addProduct(api, { tax_category: 'saas', price: { ...price, tax_inclusive: true } });
    exclusive = await addProduct(api, {
      tax_category: 'saas',
      price: { ...price, price: 10_000, tax_inclusive: false },
    });
  });

  afterAll(async () => {
    await api.stop();
    await registers.stop();
  });

  beforeEach(() => {
    registers.behave = () => 'MS_UNAVAILABLE';
    registers.nameOf = () => 'EXEMPLE SARL';
  });

  afterEach(async () => {
    expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
    clock.run();
  });
}

export const french = {
  billing_address: { country: 'FR' },
  tax_id: 'FR83404833048',
  customer_business_name: 'Exemple',
};

export async function buy(products: readonly string[], fields: object = french, test_card = '4242'): Promise<string> {
  const cart = products.map((product_id) => ({ product_id, quantity: 1 }));
  const id = await createSession(api, cart);
  const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card };
  const { body } = await api.call(`POST /checkout/${id}/pay`, {
    body: { ...buyer, ...fields },
    key: null,
    headers: { 'content-type': 'application/json' },
  });
  expect(body.status).toBe('succeeded');
  return body.payment_id;
}

/** Lets the time of the next question come, and sweeps. */
export async function askAgainAfter(hours: number): Promise<void> {
  clock.forward({ hours, minutes: 1 });
  await sweep();
}

export async function press(id: string, action: string) {
  const { cookies, token } = await browse(api, localKey);
  const fields = { action, token, form_id: `${action}-${id}`, ...(await correctionFigures(api, id, cookies)) };
  return postForm(api, `/dashboard/payments/${id}`, fields, cookies);
}

export const documentOf = async (refundId: string, query = '') =>
  (await api.call(`GET /invoices/refunds/${refundId}`, { query: `format=json${query}` })).body;

export async function corrected(id: string): Promise<string> {
  const { correction } = await payments().get(id);
  if (!correction?.refundId) throw new Error(`${id} is not corrected.`);
  return correction.refundId;
}

export const figures = ({ net_amount, tax, total_amount }: Record<string, number>) => [net_amount, tax, total_amount];
