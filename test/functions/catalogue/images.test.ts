import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { localAws } from '../../../infra/local-aws/local-aws.ts';
import { jpeg, jpegSegment, pngOfBytes } from '../../outside/images/forge.ts';
import { samples } from '../../outside/images/samples.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { addProduct } from '../../support/shop/shop.ts';
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

const unknownProduct = 'pdt_000000000000000000000';

/** What a client does before it names the image: asks for an address, and puts the bytes there. */
async function upload(productId: string, file: Buffer): Promise<string> {
  const { body } = await api.call(`PUT /products/${productId}/images`);
  const answer = await fetch(body.url, { method: 'PUT', body: new Uint8Array(file) });
  expect(answer.status).toBe(200);
  return body.image_id;
}

const name = (productId: string, imageId: string | null): Promise<ApiAnswer> =>
  api.call(`PATCH /products/${productId}`, { body: { image_id: imageId } });

/** Whether the bucket still holds the upload. */
async function isUploaded(productId: string, imageId: string): Promise<boolean> {
  const { client, object } = {
    client: s3(),
    object: { Bucket: localNames.bucket, Key: `uploads/${productId}/${imageId}` },
  };
  return client.send(new HeadObjectCommand(object)).then(
    () => true,
    () => false,
  );
}

const s3 = () => new S3Client({ endpoint: bucket.url, region: localAws.region, credentials: localAws });

const fileOf = (image: string): string => new URL(image).pathname;

describe('PUT /products/{id}/images', () => {
  it('200: answers an upload address for one PUT within 60 seconds, without a content type', async () => {
    const productId = await addProduct(api);
    const { status, body } = await api.call(`PUT /products/${productId}/images`, { query: 'force_update=true' });
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: ['url', 'image_id'] });
    const url = new URL(body.url);
    expect(url.pathname).toBe(`/${localNames.bucket}/uploads/${productId}/${body.image_id}`);
    expect(body.image_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('host');
    expect(body.url).not.toMatch(/checksum|content-type/i);
  });

  it('200: signs an announced size, so the address refuses an upload of another size', async () => {
    const productId = await addProduct(api);
    const query = `content_length=${samples.png.length}`;
    const put = async (file: Buffer) => {
      const { body } = await api.call(`PUT /products/${productId}/images`, { query });
      expect(new URL(body.url).searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;host');
      const { status } = await fetch(body.url, { method: 'PUT', body: new Uint8Array(file) });
      return { status, isUploaded: await isUploaded(productId, body.image_id) };
    };
    expect(await put(samples.png)).toEqual({ status: 200, isUploaded: true });
    expect(await put(Buffer.concat([samples.png, Buffer.alloc(1)]))).toEqual({ status: 403, isUploaded: false });
    expect(await put(samples.png.subarray(1))).toEqual({ status: 403, isUploaded: false });
  });

  it.each(['0', '-1', '1.5', '3145729', 'x'])('422: refuses an announced size of %s bytes', async (size) => {
    const productId = await addProduct(api);
    const { body: brands } = await api.call('GET /brands');
    for (const owner of [`products/${productId}`, `brands/${brands.items[0].brand_id}`]) {
      const answer = await api.call(`PUT /${owner}/images`, { query: `content_length=${size}` });
      expectProblem(answer, 422, 'INVALID_QUERY_PARAMS', 'content_length');
    }
  });

  it('200: answers a different image id every time', async () => {
    const productId = await addProduct(api);
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await api.call(`PUT /products/${productId}/images`)).body.image_id),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('401, 403, 404, 422: refuses no key, a read-only key, an unknown product and an unknown parameter', async () => {
    const productId = await addProduct(api);
    const reader = await api.addKey({ access: 'read' });
    expectProblem(await api.call(`PUT /products/${productId}/images`, { key: null }), 401, 'UNAUTHORIZED');
    expectProblem(await api.call(`PUT /products/${productId}/images`, { key: reader }), 403, 'UNAUTHORIZED');
    expectProblem(await api.call(`PUT /products/${unknownProduct}/images`), 404, 'NOT_FOUND');
    expectProblem(
      await api.call(`PUT /products/${productId}/images`, { query: 'size=9' }),
      422,
      'INVALID_QUERY_PARAMS',
    );
  });
});

describe('PATCH /products/{id} with an image_id', () => {
  it.each([
    ['PNG', samples.png, 'image/png', 'png'],
    ['JPEG', samples.jpeg, 'image/jpeg', 'jpg'],
    ['WebP', samples.webpWithAlpha, 'image/webp', 'webp'],
  ])('200: shows a %s with a safe content type, cached for a year', async (_, file, type, extension) => {
    const productId = await addProduct(api);
    const imageId = await upload(productId, file);
    const { status, body } = await name(productId, imageId);
    expect(status).toBe(200);
    expect(body.image).toMatch(new RegExp(`^http://localhost:4000/images/${imageId}-[0-9a-f]{16}\\.${extension}$`));
    const shown = await api.call(`GET ${fileOf(body.image)}`, { key: null });
    expect(shown.status).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
    });
    expect(await isUploaded(productId, imageId)).toBe(false);
    const { body: retrieved } = await api.call(`GET /products/${productId}`);
    expect(retrieved.image).toBe(body.image);
  });

  it('200: shows only the image, without the hidden data of the file', async () => {
    const productId = await addProduct(api);
    const secret = Buffer.from('GPS 59.3293N 18.0686E <script>alert(1)</script>');
    const file = Buffer.concat([
      jpeg([jpegSegment(0xfe, secret), jpegSegment(0xe1, secret)]),
      Buffer.from('PK\x03\x04'),
      secret,
    ]);
    const { body } = await name(productId, await upload(productId, file));
    const { text } = await api.call(`GET ${fileOf(body.image)}`, { key: null });
    expect(Buffer.from(text, 'base64')).toEqual(jpeg());
  });

  it('200: accepts an image of exactly 3,145,728 bytes', async () => {
    const productId = await addProduct(api);
    expect((await name(productId, await upload(productId, pngOfBytes(3_145_728)))).status).toBe(200);
  });

  it('200: succeeds again when a client that lost the answer repeats the request', async () => {
    const productId = await addProduct(api);
    const imageId = await upload(productId, samples.png);
    const { body } = await name(productId, imageId);
    const again = await name(productId, imageId);
    expect({ status: again.status, image: again.body.image }).toEqual({ status: 200, image: body.image });
  });

  it('200: changes other fields too, and repeats its answer for the same Idempotency-Key', async () => {
    const productId = await addProduct(api);
    const imageId = await upload(productId, samples.png);
    const ask = { body: { image_id: imageId, name: 'With a cover' }, headers: { 'idempotency-key': 'cover' } };
    const first = await api.call(`PATCH /products/${productId}`, ask);
    const second = await api.call(`PATCH /products/${productId}`, ask);
    expect(first.body).toMatchObject({ name: 'With a cover', image: expect.stringContaining(imageId) });
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });

  it('200: removes the image for null, and keeps it when the request has no image_id', async () => {
    const productId = await addProduct(api);
    const { body } = await name(productId, await upload(productId, samples.png));
    const renamed = await api.call(`PATCH /products/${productId}`, { body: { name: 'Renamed' } });
    expect(renamed.body.image).toBe(body.image);
    expect((await name(productId, null)).body.image).toBeNull();
  });

  it('413: refuses a file that is one byte too large, and deletes the upload', async () => {
    const productId = await addProduct(api);
    const imageId = await upload(productId, pngOfBytes(3_145_729));
    expectProblem(await name(productId, imageId), 413, 'PAYLOAD_TOO_LARGE', 'image_id');
    expect(await isUploaded(productId, imageId)).toBe(false);
  });

  it.each([
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['half an image', samples.jpeg.subarray(0, 700)],
    ['nothing', Buffer.alloc(0)],
  ])('422: refuses %s, and deletes the upload', async (_, file) => {
    const productId = await addProduct(api);
    const imageId = await upload(productId, file);
    expectProblem(await name(productId, imageId), 422, 'INVALID_REQUEST_PARAMETERS', 'image_id');
    expect(await isUploaded(productId, imageId)).toBe(false);
    expect((await api.call(`GET /products/${productId}`)).body.image).toBeNull();
  });

  it('404: refuses an image that was not uploaded, or was uploaded for another product', async () => {
    const [productId, other] = [await addProduct(api), await addProduct(api)];
    const { body } = await api.call(`PUT /products/${productId}/images`);
    expectProblem(await name(productId, body.image_id), 404, 'NOT_FOUND', 'image_id');
    const imageId = await upload(other, samples.png);
    expectProblem(await name(productId, imageId), 404, 'NOT_FOUND', 'image_id');
    expect(await isUploaded(other, imageId)).toBe(true);
  });

  it('410: refuses a new image for an archived product', async () => {
    const productId = await addProduct(api);
    const imageId = await upload(productId, samples.png);
    await api.call(`DELETE /products/${productId}`);
    expectProblem(await name(productId, imageId), 410, 'PRODUCT_IS_DELETED');
  });

  it.each(['../../etc/passwd', 'abc', 7, ['a']])('422: refuses the image_id %j', async (imageId) => {
    const productId = await addProduct(api);
    const answer = await api.call(`PATCH /products/${productId}`, { body: { image_id: imageId } });
    expectProblem(answer, 422, 'INVALID_REQUEST_BODY', 'image_id');
  });

  it('503: changes nothing when the bucket is unreachable, and keeps the upload for the next try', async () => {
    const productId = await addProduct(api);
    const imageId = await upload(productId, samples.png);
    const { images } = await import('../../../shared/wiring/images.ts');
    const address = process.env['AWS_ENDPOINT_URL_S3'];
    process.env['AWS_ENDPOINT_URL_S3'] = 'http://127.0.0.1:9';
    await expect(images().findUpload({ ownerId: productId, imageId })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    process.env['AWS_ENDPOINT_URL_S3'] = address;
    expect((await name(productId, imageId)).status).toBe(200);
  });
});

describe('GET /images/{file}', () => {
  it.each([
    '00000000-0000-4000-8000-000000000000-0000000000000000.png',
    '00000000-0000-4000-8000-000000000000-0000000000000000.svg',
    'cover.png',
    '..%2Fuploads%2Fsecret',
  ])('404: finds no image for %s', async (file) => {
    expectProblem(await api.call(`GET /images/${file}`, { key: null }), 404, 'NOT_FOUND');
  });

  it('404: does not show an upload that was not checked yet', async () => {
    const productId = await addProduct(api);
    const imageId = await upload(productId, samples.png);
    expectProblem(await api.call(`GET /images/${imageId}-0000000000000000.png`, { key: null }), 404, 'NOT_FOUND');
  });
});

it('A checkout shows the image that the product had when the checkout was opened', async () => {
  const productId = await addProduct(api);
  const { body } = await name(productId, await upload(productId, samples.png));
  const cart = { product_cart: [{ product_id: productId, quantity: 1 }] };
  const { body: session } = await api.call('POST /checkouts', { body: cart });
  await name(productId, null);
  const { sessions } = await import('../../../shared/wiring/runtime.ts');
  expect((await sessions().get(session.session_id)).lines[0]?.image).toBe(body.image);
});
