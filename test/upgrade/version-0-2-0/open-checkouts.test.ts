import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessions } from '../../../shared/wiring/runtime.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct } from '../../support/shop/shop.ts';

describeWith020('A checkout with prices by country while version 0.2.0 runs beside this one', () => {
  let api: Api;
  let before: Release;
  beforeAll(async () => {
    api = await startApi();
    before = await open020(api);
  });
  afterAll(() => api.stop());

  const priceOf = (price: number) => ({ type: 'one_time_price', currency: 'EUR', price, tax_inclusive: true });
  /** X at 10.00 and in France at 5.00; Y at 20.00. */
  const cart = async () => {
    const x = await addProduct(api, { price: priceOf(1_000), pricing_mode: 'by_country' });
    const inFrance = { country_code: 'FR', currency: 'EUR', amount: 500 };
    await api.call(`POST /products/${x}/localized-prices`, { body: inFrance });
    return { x, y: await addProduct(api, { price: priceOf(2_000) }) };
  };
  type Version = Pick<Api, 'call'>;
  const opened = async ({ call }: Version, products: readonly string[]): Promise<string> => {
    const body = { product_cart: products.map((product_id) => ({ product_id, quantity: 1 })) };
    return (await call('POST /checkouts', { body })).body.session_id;
  };
  const ask = async ({ call }: Version, action: 'quote' | 'pay', id: string, country: string) => {
    const customer = { email: 'buyer@example.com', name: 'A Buyer' };
    const body = { customer, billing_address: { country }, ...(action === 'pay' && { test_card: '4242' }) };
    return (await call(`POST /checkout/${id}/${action}`, { key: null, body })).body.total_amount;
  };
  const reprice = ({ call }: Version, product: string) =>
    call(`PATCH /products/${product}`, { body: { price: priceOf(2_222) } });

  it('that 0.2.0 opened keeps the price of a product that has one price for all countries', async () => {
    const { x, y } = await cart();
    const id = await opened(before, [x, y]);
    await reprice(api, y);
    expect([await ask(api, 'quote', id, 'DE'), await ask(api, 'quote', id, 'FR')]).toEqual([3_000, 2_500]);
    expect(await ask(api, 'pay', id, 'DE')).toBe(3_000);
  });

  it('that 0.2.0 opened shows the prices of the buyer’s probable country', async () => {
    const { x, y } = await cart();
    const id = await opened(before, [x, y]);
    const headers = { accept: 'text/html', 'accept-language': 'fr-FR' };
    const { status, text } = await api.call(`GET /checkout/${id}`, { key: null, headers });
    expect([status, /name="expected_total" value="(\d+)"/.exec(text)?.[1]]).toEqual([200, '2500']);
  });

  it('that 0.2.0 opened can be paid in each version, after both have shown its price', async () => {
    const { x, y } = await cart();
    const id = await opened(before, [x, y]);
    expect(await ask(api, 'quote', id, 'FR')).toBe(2_500);
    expect(await ask(before, 'quote', id, 'DE')).toBe(3_000);
    expect(await ask(api, 'quote', id, 'FR')).toBe(2_500);
    expect(await ask(before, 'pay', id, 'FR')).toBe(2_500);
  });

  it('that this version opened can be priced and paid by 0.2.0', async () => {
    const { x, y } = await cart();
    const id = await opened(api, [x, y]);
    expect([await ask(before, 'quote', id, 'FR'), await ask(before, 'quote', id, 'DE')]).toEqual([2_500, 3_000]);
    expect(await ask(before, 'pay', id, 'FR')).toBe(2_500);
  });

  it('is paid in 0.2.0 at the price that this version showed for the country', async () => {
    const { x, y } = await cart();
    const id = await opened(api, [x, y]);
    expect(await ask(api, 'quote', id, 'FR')).toBe(2_500);
    await reprice(before, y);
    expect(await ask(before, 'pay', id, 'FR')).toBe(2_500);
  });

  it('keeps the price of a product with one price for all countries, even after 0.2.0 has changed the row', async () => {
    const { x, y } = await cart();
    const id = await opened(api, [x, y]);
    expect(await ask(before, 'quote', id, 'FR')).toBe(2_500);
    expect((await sessions().get(id)).lines.every(({ offer }) => offer === undefined)).toBe(true);
    await reprice(api, y);
    expect([await ask(api, 'quote', id, 'DE'), await ask(api, 'pay', id, 'FR')]).toEqual([3_000, 2_500]);
  });

  describe('whose product was changed by 0.2.0', () => {
    it('keeps the prices that were valid when this version opened it', async () => {
      const { x, y } = await cart();
      await reprice(before, x);
      const id = await opened(api, [x, y]);
      await reprice(before, y);
      expect([await ask(api, 'quote', id, 'DE'), await ask(api, 'quote', id, 'FR')]).toEqual([4_222, 2_500]);
    });
  });
});
