import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { payments, products, sessions } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let bucket: Bucket;
beforeAll(async () => {
  api = await startApi();
  bucket = await startBucket({ bucketNames: [localNames.files] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
});
afterAll(async () => {
  await bucket.stop();
  await api.stop();
});

const told = { external_url: 'https://files.example.com/guide', instructions: 'Use the key 7.' };
const productOf = async (id: string) => (await api.call(`GET /products/${id}`)).body;
const change = (id: string, body: object) => api.call(`PATCH /products/${id}`, { body });
const grantsOf = async (id: string) => (await api.call(`GET /entitlements/${id}/grants`)).body.items;

/** Uploads a file by the older form: without headers, and without an announced size. */
async function upload(productId: string, name: string): Promise<string> {
  const { status, body } = await api.call(`PUT /products/${productId}/files`, { body: { file_name: name } });
  expect([status, Object.keys(body).sort()]).toEqual([200, ['file_id', 'url']]);
  expect((await fetch(body.url, { method: 'PUT', body: `bytes of ${name}` })).status).toBe(200);
  return body.file_id;
}

async function sold(productId: string) {
  const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  return (await pay(session, { expectedTotal: 1_999 })).id;
}

/** The page of an order, in a new browser. */
async function orderOf(paymentId: string): Promise<string> {
  const url = new URL(await orderUrlOf(await payments().get(paymentId)));
  const anyone = { key: null, headers: { 'accept-language': 'en' } };
  const { cookies } = await api.call(`GET ${url.pathname}`, { ...anyone, query: url.search.slice(1) });
  const kept = cookies.map((cookie) => cookie.split(';')[0] ?? '');
  return (await api.call(`GET ${url.pathname}`, { ...anyone, cookies: kept })).text;
}

/** A product as version 0.2.0 stored it: with its text, and without an entitlement. */
async function formerProduct(): Promise<string> {
  const id = await addProduct(api);
  const product = await products().get(id);
  await products().save({ ...product, delivery: { url: told.external_url, instructions: told.instructions } }, []);
  return id;
}

describe('digital_product_delivery', () => {
  it('creates one entitlement of the product, which is read by its id, not listed, and granted to buyers', async () => {
    const id = await addProduct(api, { digital_product_delivery: told });
    const product = await productOf(id);
    expect(product.digital_product_delivery).toEqual({ ...told, files: [] });
    const [own] = product.entitlements;
    expect(own).toMatchObject({ integration_type: 'digital_files', integration_config: { digital_files: told } });
    expect((await api.call(`GET /entitlements/${own.id}`)).body).toMatchObject({ id: own.id });
    const { items } = (await api.call('GET /entitlements', { query: 'page_size=100' })).body;
    expect(items.map((one: { id: string }) => one.id)).not.toContain(own.id);
    const order = await sold(id);
    await sweep();
    expect(await grantsOf(own.id)).toMatchObject([
      { status: 'Delivered', payment_id: order, digital_product_delivery: { ...told, files: [] } },
    ]);
    expect((await orderOf(order)).match(/Use the key 7\./g)).toHaveLength(1);
  });

  it('keeps fields that a change leaves out, and clears fields that are null', async () => {
    const id = await addProduct(api, { digital_product_delivery: told });
    const file = await upload(id, 'a.pdf');
    const { external_url, instructions } = told;
    const changedTo = async (delivery: object) => {
      const { files, ...others } = (await change(id, { digital_product_delivery: delivery })).body
        .digital_product_delivery;
      return { ...others, files: files.map(({ file_id }: { file_id: string }) => file_id) };
    };
    expect(await changedTo({ files: [file] })).toEqual({ external_url, instructions, files: [file] });
    expect(await changedTo({ external_url: null })).toEqual({ external_url: null, instructions, files: [file] });
    expect(await changedTo({ external_url })).toEqual({ external_url, instructions, files: [file] });
    expect(await changedTo({ instructions: null, files: null })).toEqual({
      external_url,
      instructions: null,
      files: [file],
    });
    expect(await changedTo({})).toEqual({ external_url, instructions: null, files: [file] });
    await change(id, { digital_product_delivery: null });
    expect(await changedTo({ instructions })).toEqual({ external_url: null, instructions, files: [file] });
  });

  it('changes for earlier buyers too, and null removes it for later buyers only', async () => {
    const id = await addProduct(api, { digital_product_delivery: told });
    const order = await sold(id);
    expect((await change(id, { digital_product_delivery: { instructions: 'Use the key 8.' } })).status).toBe(200);
    const page = await orderOf(order);
    expect(page).toContain('Use the key 8.');
    expect(page).not.toContain('Use the key 7.');
    const { body } = await change(id, { digital_product_delivery: null });
    expect(body).toMatchObject({ digital_product_delivery: null, entitlements: [] });
    expect(await orderOf(order)).toContain('Use the key 8.');
    expect(await orderOf(await sold(id))).not.toContain('Use the key 8.');
  });

  it('works together with attached entitlements and a licence key of the product', async () => {
    const body = { name: 'Pro', integration_type: 'feature_flag', integration_config: { feature_id: 'pro' } };
    const { id: flag } = (await api.call('POST /entitlements', { body })).body;
    const id = await addProduct(api, {
      entitlements: [{ entitlement_id: flag }],
      digital_product_delivery: told,
      license_key_enabled: true,
    });
    const types = (product: { entitlements: { integration_type: string }[] }) =>
      product.entitlements.map(({ integration_type }) => integration_type).sort();
    expect(types(await productOf(id))).toEqual(['digital_files', 'feature_flag', 'license_key']);
    const { body: without } = await change(id, { license_key_enabled: false });
    expect(types(without)).toEqual(['digital_files', 'feature_flag']);
    expect(without.digital_product_delivery).toEqual({ ...told, files: [] });
  });
});

describe('PUT /products/{id}/files', () => {
  it('200: gives buyers the file, and PATCH sorts and removes such files', async () => {
    const id = await addProduct(api);
    const [first, second, third] = [await upload(id, 'a.pdf'), await upload(id, 'b.pdf'), await upload(id, 'c.pdf')];
    const { status, body } = await change(id, { digital_product_delivery: { files: [third, first] } });
    expect(status).toBe(200);
    expect(body.digital_product_delivery).toMatchObject({
      external_url: null,
      files: [
        { file_id: third, filename: 'c.pdf', file_size: 14 },
        { file_id: first, filename: 'a.pdf', file_size: 14 },
      ],
    });
    expect(await productOf(id)).toEqual(body);
    const page = await orderOf(await sold(id));
    expect(page).toContain('c.pdf');
    expect(page).not.toContain('b.pdf');
    const [{ id: own }] = body.entitlements;
    expectProblem(await api.call(`GET /entitlements/${own}/files/${second}`), 404, 'NOT_FOUND');
    const { body: kept } = await change(id, { digital_product_delivery: { instructions: 'Read it.' } });
    expect(kept.digital_product_delivery.files).toHaveLength(2);
    const { body: none } = await change(id, { digital_product_delivery: { instructions: null, files: [] } });
    expect(none).toMatchObject({ digital_product_delivery: null, entitlements: [] });
  });

  it('200: removes a file that has not arrived within a day', async () => {
    const id = await addProduct(api);
    const late = (await api.call(`PUT /products/${id}/files`, { body: { file_name: 'late.pdf' } })).body.file_id;
    clock.forward({ hours: 24 });
    const file = await upload(id, 'guide.pdf');
    const [{ id: own }] = (await productOf(id)).entitlements;
    const { digital_files } = (await api.call(`GET /entitlements/${own}`)).body.integration_config;
    clock.run();
    expect([digital_files.files.map((one: { file_id: string }) => one.file_id), file === late]).toEqual([
      [file],
      false,
    ]);
  });

  it('422: refuses a file of another product, a file of a new product, and a file name with a folder', async () => {
    const [id, other] = [await addProduct(api), await addProduct(api)];
    const foreign = await upload(other, 'a.pdf');
    await upload(id, 'b.pdf');
    const path = 'digital_product_delivery.files[0]';
    const files = { digital_product_delivery: { files: [foreign] } };
    expectProblem(await change(id, files), 422, 'INVALID_REQUEST_PARAMETERS', path);
    const fields = { name: 'x', description: 'x', tax_category: 'e_book' };
    const price = { type: 'one_time_price', currency: 'EUR', price: 500 };
    const made = await api.call('POST /products', { body: { ...fields, price, ...files } });
    expectProblem(made, 422, 'INVALID_REQUEST_PARAMETERS', path);
    const named = (file_name: string) => api.call(`PUT /products/${id}/files`, { body: { file_name } });
    for (const name of ['../a', 'a/b', 'a\\b', '..', '', 'x'.repeat(200_000)])
      expectProblem(await named(name), 422, 'INVALID_REQUEST_BODY', 'file_name');
    expectProblem(await named('x'.repeat(300_000)), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('404, 410: refuses an unknown product and an archived product', async () => {
    const id = await addProduct(api);
    await api.call(`DELETE /products/${id}`);
    const body = { file_name: 'a.pdf' };
    expectProblem(await api.call(`PUT /products/${id}/files`, { body }), 410, 'PRODUCT_IS_DELETED');
    expectProblem(await api.call(`PUT /products/pdt_${'x'.repeat(21)}/files`, { body }), 404, 'NOT_FOUND');
  });
});

describe('a product that version 0.2.0 stored', () => {
  it('shows its text as before, and its sales create no grants', async () => {
    const id = await formerProduct();
    expect(await productOf(id)).toMatchObject({ digital_product_delivery: { ...told, files: [] }, entitlements: [] });
    const order = await sold(id);
    await sweep();
    expect((await payments().get(order)).lines[0]?.entitlements).toBeUndefined();
    expect((await orderOf(order)).match(/Use the key 7\./g)).toHaveLength(1);
  });

  it('keeps its address when a change contains only the text', async () => {
    const id = await formerProduct();
    const { body } = await change(id, { digital_product_delivery: { instructions: 'Use the key 8.' } });
    const { external_url } = told;
    expect(body.digital_product_delivery).toEqual({ external_url, instructions: 'Use the key 8.', files: [] });
    expect((await products().get(id)).delivery).toBeUndefined();
  });

  it.each([
    ['another change', (id: string) => change(id, { name: 'Renamed' })],
    ['a first file', (id: string) => upload(id, 'a.pdf')],
  ])('gets an entitlement with its text after %s, while an older session is sold without one', async (_, make) => {
    const id = await formerProduct();
    const before = await createSession(api, [{ product_id: id, quantity: 1 }]);
    await make(id);
    const product = await productOf(id);
    expect(product.digital_product_delivery).toMatchObject(told);
    expect(product.entitlements).toHaveLength(1);
    expect((await products().get(id)).delivery).toBeUndefined();
    const paid = (await pay(before, { expectedTotal: 1_999 })).id;
    await sweep();
    expect((await orderOf(paid)).match(/Use the key 7\./g)).toHaveLength(1);
    expect(await grantsOf(product.entitlements[0].id)).toEqual([]);
    expect((await sessions().get(before)).lines[0]?.entitlements).toBeUndefined();
    expect((await orderOf(await sold(id))).match(/Use the key 7\./g)).toHaveLength(1);
    expect(await grantsOf(product.entitlements[0].id)).toHaveLength(1);
  });
});
