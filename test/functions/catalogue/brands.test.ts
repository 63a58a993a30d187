import DodoPayments from 'dodopayments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { primaryBrandIdOf } from '../../../shared/domain/ids.ts';
import { samples } from '../../outside/images/samples.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, fieldGuide } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let bucket: Bucket;

beforeAll(async () => {
  api = await startApi();
  bucket = await startBucket({ bucketNames: [localNames.bucket] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
});

afterAll(async () => {
  await bucket.stop();
  await api.stop();
});

const primary = primaryBrandIdOf('demo');
const unknown = 'brnd_000000000000000000000';

/** What the dialect documents of a brand, and our colour and listing. */
const members = [
  'brand_id',
  'business_id',
  'name',
  'description',
  'image',
  'color',
  'support_email',
  'url',
  'statement_descriptor',
  'search_listing',
  'enabled',
  'verification_enabled',
  'verification_status',
  'reason_for_hold',
  'archived_at',
];

const atlas = {
  name: 'Atlas Press',
  color: '#8A1C7C',
  support_email: 'help@atlas.example',
  url: 'https://atlas.example',
};
const create = async (fields: object = {}) => (await api.call('POST /brands', { body: { ...atlas, ...fields } })).body;

describe('the primary brand', () => {
  it('always exists and has the merchant’s name', async () => {
    const { body } = await api.call('GET /brands');
    expect(body.items[0]).toMatchObject({ brand_id: primary, name: 'Example Books', image: null, color: null });
    expect((await api.call(`GET /brands/${primary}`)).body).toEqual(body.items[0]);
  });

  it('can be changed, and stays first in the list', async () => {
    await create();
    const { status, body } = await api.call(`PATCH /brands/${primary}`, { body: { color: '#0b5c58' } });
    expect({ status, color: body.color, name: body.name }).toEqual({
      status: 200,
      color: '#0b5c58',
      name: 'Example Books',
    });
    expect((await api.call('GET /brands')).body.items[0].brand_id).toBe(primary);
  });
});

describe('POST /brands', () => {
  it('200: answers with every documented field', async () => {
    const { status, body } = await api.call('POST /brands', { body: { ...atlas, statement_descriptor: null } });
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: members });
    expect(body).toMatchObject({ ...atlas, color: '#8a1c7c', brand_id: expect.stringMatching(/^brnd_\w{21}$/) });
    expect((await api.call(`GET /brands/${body.brand_id}`)).body).toEqual(body);
  });

  it('200: stores the text for card statements, or by default the first 22 characters of the brand’s name', async () => {
    const { statement_descriptor } = await create({ statement_descriptor: 'ATLAS & MAPS' });
    expect(statement_descriptor).toBe('ATLAS & MAPS');
    expect((await create({ name: 'Atlas Press and all its maps' })).statement_descriptor).toBe(
      'Atlas Press and all it',
    );
  });

  it('200: creates one brand per Idempotency-Key', async () => {
    const ask = { body: atlas, headers: { 'idempotency-key': 'brand' } };
    const [first, second] = [await api.call('POST /brands', ask), await api.call('POST /brands', ask)];
    expect(second.text).toBe(first.text);
  });

  it('200: keeps all of four brands that are created at once', async () => {
    const created = await Promise.all(Array.from({ length: 4 }, (_, index) => create({ name: `Brand ${index}` })));
    const ids = (await api.call('GET /brands')).body.items.map((item: { brand_id: string }) => item.brand_id);
    expect(ids).toEqual(expect.arrayContaining(created.map(({ brand_id }) => brand_id)));
  });

  it.each([
    [{ name: null }, 'name'],
    [{ name: '' }, 'name'],
    [{ color: 'red' }, 'color'],
    [{ color: '#0b5c58;}' }, 'color'],
    [{ support_email: 'nobody' }, 'support_email'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ image: 'https://elsewhere.example/logo.png' }, 'image'],
    [{ brand_id: primary }, 'brand_id'],
  ])('422: refuses %j', async (fields, param) => {
    expectProblem(
      await api.call('POST /brands', { body: { ...atlas, ...fields } }),
      422,
      'INVALID_REQUEST_BODY',
      param,
    );
  });
});

describe('PATCH /brands/{id}', () => {
  it('200: changes and removes what card statements add', async () => {
    const { brand_id } = await create({ statement_descriptor: 'ATLAS' });
    const patch = async (statement_descriptor: string | null) =>
      (await api.call(`PATCH /brands/${brand_id}`, { body: { statement_descriptor } })).body.statement_descriptor;
    expect([await patch('MAPS'), await patch(null)]).toEqual(['MAPS', 'Atlas Press']);
  });

  it('200: changes the fields that are sent, and clears those that are null', async () => {
    const { brand_id } = await create();
    const { body } = await api.call(`PATCH /brands/${brand_id}`, { body: { name: 'Atlas', support_email: null } });
    expect(body).toMatchObject({ name: 'Atlas', support_email: null, url: atlas.url });
  });

  it('200: repeats its answer for the same Idempotency-Key', async () => {
    const { brand_id } = await create();
    const ask = { body: { name: 'Renamed' }, headers: { 'idempotency-key': 'rename' } };
    const [first, second] = [
      await api.call(`PATCH /brands/${brand_id}`, ask),
      await api.call(`PATCH /brands/${brand_id}`, ask),
    ];
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });

  it('200: sets a logo that was uploaded before', async () => {
    const { brand_id } = await create();
    const { body: upload } = await api.call(`PUT /brands/${brand_id}/images`);
    await fetch(upload.url, { method: 'PUT', body: new Uint8Array(samples.webp) });
    const { body } = await api.call(`PATCH /brands/${brand_id}`, { body: { image_id: upload.image_id } });
    expect(body.image).toMatch(/^http:\/\/localhost:4000\/images\/.*\.webp$/);
    expect((await api.call(`GET ${new URL(body.image).pathname}`, { key: null })).status).toBe(200);
    expect((await api.call(`PATCH /brands/${brand_id}`, { body: { image_id: null } })).body.image).toBeNull();
  });

  it('404: refuses an unknown brand id', async () => {
    expectProblem(await api.call(`GET /brands/${unknown}`), 404, 'NOT_FOUND');
    expectProblem(await api.call(`PATCH /brands/${unknown}`, { body: { name: 'x' } }), 404, 'NOT_FOUND');
    expectProblem(await api.call(`PUT /brands/${unknown}/images`), 404, 'NOT_FOUND');
  });
});

describe('products', () => {
  it('belong to the primary brand unless they name another brand', async () => {
    const { brand_id } = await create();
    const productId = await addProduct(api, { brand_id });
    expect((await api.call(`GET /products/${productId}`)).body.brand_id).toBe(brand_id);
    const other = await addProduct(api);
    expect((await api.call(`GET /products/${other}`)).body.brand_id).toBe(primary);
    const moved = await api.call(`PATCH /products/${other}`, { body: { brand_id } });
    expect(moved.body.brand_id).toBe(brand_id);
  });

  it('404: are refused when they name an unknown brand', async () => {
    const body = { ...fieldGuide, brand_id: unknown };
    expectProblem(await api.call('POST /products', { body }), 404, 'NOT_FOUND', 'brand_id');
    const productId = await addProduct(api);
    const answer = await api.call(`PATCH /products/${productId}`, { body: { brand_id: unknown } });
    expectProblem(answer, 404, 'NOT_FOUND', 'brand_id');
  });

  it('422 BRAND_MISMATCH: are refused when two brands are in one cart', async () => {
    const { brand_id } = await create();
    const [mine, theirs] = [await addProduct(api), await addProduct(api, { brand_id })];
    const cart = [mine, theirs].map((product_id) => ({ product_id, quantity: 1 }));
    const answer = await api.call('POST /checkouts', { body: { product_cart: cart } });
    expectProblem(answer, 422, 'BRAND_MISMATCH', 'product_cart[1].product_id');
  });
});

it('The official client works with brands', async () => {
  const client = new DodoPayments({
    baseURL: 'http://localhost:4000',
    bearerToken: 'unused',
    maxRetries: 0,
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      const body = init?.body ? { body: JSON.parse(String(init.body)) } : {};
      const { status, text, headers } = await api.call(`${init?.method ?? 'GET'} ${pathname}`, body);
      return new Response(text, { status, headers });
    },
  });
  const brand = await client.brands.create({ name: 'By the client' });
  expect((await client.brands.retrieve(brand.brand_id)).name).toBe('By the client');
  expect((await client.brands.update(brand.brand_id, { name: 'Changed' })).name).toBe('Changed');
  expect((await client.brands.list()).items.map(({ name }) => name)).toContain('Changed');
  const { url, image_id } = await client.brands.updateImages(brand.brand_id);
  expect([url, image_id]).toEqual([expect.stringContaining(image_id), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});
