import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { downloadPath, downloadToken } from '../../../shared/domain/entitlements/download-link.ts';
import {
  type Entitlement,
  type EntitlementFile,
  type FilesConfig,
  usualAccessRules,
} from '../../../shared/domain/entitlements/entitlement.ts';
import { newFile } from '../../../shared/domain/entitlements/files.ts';
import type { Grant } from '../../../shared/domain/entitlements/grant.ts';
import { grantIdOf } from '../../../shared/domain/ids.ts';
import { orderSecret } from '../../../shared/domain/orders/order-link.ts';
import { buyerFiles } from '../../../shared/wiring/files.ts';
import {
  entitlements,
  grants,
  newId,
  now,
  payments,
  primaryBrandId,
  stackSecret,
} from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, type Call, startApi } from '../../support/shop/api.ts';
import { sell } from '../../support/shop/shop.ts';

let api: Api;
let bucket: Bucket;
const files = buyerFiles();

beforeAll(async () => {
  api = await startApi();
  bucket = await startBucket({ bucketNames: [localNames.files] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
});
afterAll(async () => {
  await bucket.stop();
  await api.stop();
});
afterEach(() => clock.run());

const book = Buffer.from('%PDF-1.7 the whole book');

async function put(entitlementId: string, file: EntitlementFile, bytes: Buffer): Promise<void> {
  const { url, headers, method } = await files.signUpload({ entitlementId, fileId: file.id }, file);
  expect((await fetch(url, { method, headers, body: new Uint8Array(bytes) })).status).toBe(200);
}

interface Offer {
  file?: Partial<EntitlementFile>;
  config?: Partial<FilesConfig>;
  /** What is uploaded; null: nothing. */
  bytes?: Buffer | null;
}

/** A sale with a grant of one file, whose upload is ready unless said otherwise. */
async function bought({ file: fields = {}, config = {}, bytes = book }: Offer = {}) {
  const at = now().toISOString();
  const file: EntitlementFile = {
    ...newFile({ name: 'Smörgås.pdf', size: book.length }, { id: newId('fil'), now: now() }),
    isReady: true,
    ...fields,
  };
  const entitlement: Entitlement = {
    id: newId('ent'),
    name: 'The book',
    description: null,
    config: { type: 'digital_files', files: [file], url: null, instructions: null, ...config },
    access: usualAccessRules,
    metadata: {},
    isActive: true,
    createdAt: at,
    updatedAt: at,
    version: 0,
  };
  await entitlements().save(entitlement, []);
  if (bytes) await put(entitlement.id, file, bytes);
  const { paymentId, productId } = await sell(api);
  const payment = await payments().get(paymentId);
  const given = [{ id: entitlement.id, name: entitlement.name, type: 'digital_files' as const }];
  await payments().save({ ...payment, lines: payment.lines.map((line) => ({ ...line, entitlements: given })) });
  const grant: Grant = {
    id: grantIdOf(paymentId, 0, entitlement.id, 0),
    entitlementId: entitlement.id,
    entitlementName: entitlement.name,
    type: 'digital_files',
    paymentId,
    line: 0,
    unit: 0,
    productId,
    brandId: primaryBrandId(),
    customerId: 'cus_1',
    access: usualAccessRules,
    status: 'delivered',
    deliveredAt: at,
    revocation: null,
    error: null,
    licenseKeyId: null,
    createdAt: at,
    updatedAt: at,
    events: 0,
    version: 0,
  };
  await grants().save({ grant });
  const place = { grantId: grant.id, fileId: file.id };
  const token = downloadToken(place, now(), orderSecret(await payments().get(paymentId), await stackSecret()));
  return { file, entitlement, grant, paymentId, place, token, path: downloadPath(place) };
}

type Bought = Awaited<ReturnType<typeof bought>>;

const common = { key: null, headers: { 'accept-language': 'en' } };

const show = ({ path, token }: Pick<Bought, 'path' | 'token'>, method = 'GET') =>
  api.call(`${method} ${path}`, { ...common, query: `token=${token}` });

const press = ({ path, token }: Pick<Bought, 'path' | 'token'>, headers: Call['headers'] = {}) =>
  api.call(`POST ${path}`, {
    ...common,
    headers: {
      ...common.headers,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    raw: Buffer.from(new URLSearchParams({ token }).toString()),
  });

const downloadsOf = async ({ grant }: Bought) => (await grants().find(grant.id))?.downloads;

describe('GET /downloads/{grant_id}/{file_id}', () => {
  it.each(['GET', 'HEAD'])('200: %s shows a button, but counts no download and sends no file', async (method) => {
    const sale = await bought();
    const { status, text, headers } = await show(sale, method);
    expect(status).toBe(200);
    expect(text).toContain('Smörgås.pdf');
    expect(text).toContain('Download (23\u00a0B)');
    expect(text + JSON.stringify(headers)).not.toMatch(/X-Amz|%PDF/);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(headers['content-security-policy']).toContain(`form-action 'self' ${new URL(bucket.url).origin}`);
    expect(await downloadsOf(sale)).toBeUndefined();
  });

  it('404: answers a stranger the same for existing and unknown files and grants', async () => {
    const [sale, other] = [await bought(), await bought()];
    const [end = '', signature = ''] = sale.token.split('.');
    const refused = [
      { ...sale, token: '' },
      { ...sale, token: other.token },
      { ...sale, token: `${end}0.${signature}` },
      { ...sale, token: `${end}.${[...signature].reverse().join('')}` },
      { ...sale, token: 'x'.repeat(300_000) },
      { ...sale, path: downloadPath({ ...sale.place, fileId: other.file.id }) },
      { ...sale, path: downloadPath({ ...sale.place, grantId: other.grant.id }) },
      { ...sale, path: downloadPath({ grantId: grantIdOf('pay_1', 0, 'ent_1', 0), fileId: 'fil_1' }) },
      { ...sale, path: `/downloads/${sale.grant.id}/%2E%2E` },
    ];
    const pages = await Promise.all(refused.map((link) => show(link)));
    expect(pages.map(({ status }) => status)).toEqual(refused.map(() => 404));
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    const presses = await Promise.all(refused.map((link) => press(link)));
    expect(presses.map(({ status }) => status)).toEqual(refused.map(({ token }) => (token.length > 4_096 ? 413 : 404)));
    expect(presses.filter(({ headers }) => headers['location'])).toEqual([]);
    expect([await downloadsOf(sale), await downloadsOf(other)]).toEqual([undefined, undefined]);
  });

  it('410: answers after a day with a link to the order', async () => {
    const sale = await bought();
    clock.forward({ hours: 24 });
    for (const answer of [await show(sale), await press(sale)]) {
      expect(answer.status).toBe(410);
      expect(answer.text).toContain(`/orders/${sale.paymentId}?lang=en`);
    }
    expect(await downloadsOf(sale)).toBeUndefined();
  });
});

describe('POST /downloads/{grant_id}/{file_id}', () => {
  it('303: leads to the file in the bucket, with the file’s name', async () => {
    const sale = await bought();
    const { status, headers } = await press(sale);
    expect(status).toBe(303);
    const file = await fetch(headers['location'] ?? '');
    expect(file.headers.get('content-disposition')).toContain(`filename*=UTF-8''Sm%C3%B6rg%C3%A5s.pdf`);
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(sum(Buffer.from(await file.arrayBuffer()))).toBe(sum(book));
  });

  it('303: lets a broken download continue where it stopped, and counts it once', async () => {
    const sale = await bought();
    const url = (await press(sale)).headers['location'] ?? '';
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const rest = await fetch(url, { headers: { range: 'bytes=9-', 'if-range': etag } });
    expect([rest.status, await rest.text()]).toEqual([206, 'the whole book']);
    expect((await downloadsOf(sale))?.[sale.file.id]?.count).toBe(1);
  });

  it('303: stores the first time, the last time and the number of downloads', async () => {
    clock.stopAt('2026-01-01T12:00:00.000Z');
    const sale = await bought();
    await press(sale);
    clock.stopAt('2026-01-01T13:00:00.000Z');
    await press(sale);
    expect(await downloadsOf(sale)).toEqual({
      [sale.file.id]: { firstAt: '2026-01-01T12:00:00.000Z', lastAt: '2026-01-01T13:00:00.000Z', count: 2 },
    });
  });

  it('303: counts ten clicks at the same time as ten downloads', async () => {
    const sale = await bought();
    const presses = await Promise.all(Array.from({ length: 10 }, () => press(sale)));
    expect(presses.map(({ status }) => status)).toEqual(presses.map(() => 303));
    expect((await downloadsOf(sale))?.[sale.file.id]?.count).toBe(10);
  });

  it('303: offers a file whose upload has been completed since the last check', async () => {
    const sale = await bought({ file: { isReady: false, size: null } });
    expect((await show(sale)).text).toContain('Download (23\u00a0B)');
    expect((await press(sale)).status).toBe(303);
  });

  it('404: does not offer a file whose upload is missing or has other bytes', async () => {
    const missing = await bought({ file: { isReady: false }, bytes: null });
    const other = await bought({ file: { isReady: false, size: null, sha256: 'a'.repeat(64) }, bytes: null });
    await put(other.entitlement.id, { ...other.file, sha256: null }, Buffer.from('other bytes'));
    for (const sale of [missing, other]) {
      expect([(await show(sale)).status, (await press(sale)).status]).toEqual([404, 404]);
      expect(await downloadsOf(sale)).toBeUndefined();
    }
  });

  it('403: ends the access at once after a revocation, a pending refund or a chargeback', async () => {
    const revoked = await bought();
    const stored = await grants().find(revoked.grant.id);
    const revocation = { by: 'merchant' as const, at: now().toISOString(), reason: null };
    if (stored) await grants().save({ grant: { ...stored, status: 'revoked', revocation } });
    const refunded = await bought();
    await api.call('POST /refunds', { body: { payment_id: refunded.paymentId } });
    for (const sale of [revoked, refunded]) {
      for (const answer of [await show(sale), await press(sale)]) {
        expect(answer.status).toBe(403);
        expect(answer.text).toContain('no longer available');
      }
      expect(await downloadsOf(sale)).toBeUndefined();
    }
  });

  it('403: applies the merchant’s limit to each file of a grant', async () => {
    const sale = await bought({ config: { downloadsLimit: 2 } });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await press(sale)).status);
    expect(statuses).toEqual([303, 303, 403]);
    expect((await downloadsOf(sale))?.[sale.file.id]?.count).toBe(2);
  });

  it('429: allows a grant 100 downloads an hour', async () => {
    clock.stopAt('2026-01-01T12:00:00.000Z');
    const sale = await bought();
    for (let count = 0; count < 100; count += 1) expect((await press(sale)).status).toBe(303);
    expect((await press(sale)).status).toBe(429);
    clock.stopAt('2026-01-01T13:00:00.000Z');
    expect((await press(sale)).status).toBe(303);
  });

  it('404: refuses a click on the button from another site', async () => {
    const sale = await bought();
    expect((await press(sale, { 'sec-fetch-site': 'cross-site' })).status).toBe(404);
    expect(await downloadsOf(sale)).toBeUndefined();
  });

  it('404: refuses a file that is removed while it is downloaded', async () => {
    const sale = await bought();
    const removed = { ...sale.entitlement, version: 1, config: { ...sale.entitlement.config, files: [] } };
    const [pressed] = await Promise.all([
      press(sale),
      entitlements()
        .save(removed as Entitlement, [])
        .then(() => files.remove({ entitlementId: sale.entitlement.id, fileId: sale.file.id })),
    ]);
    const status = pressed.status === 303 ? (await fetch(pressed.headers['location'] ?? '')).status : pressed.status;
    expect(status).toBe(404);
    expect((await press(sale)).status).toBe(404);
  });
});

describe('GET /orders/{payment_id}', () => {
  /** Opens the order in a new browser, by its link. */
  async function openOrder(paymentId: string) {
    const path = `/orders/${paymentId}`;
    const query = new URL(await orderUrlOf(await payments().get(paymentId))).search.slice(1);
    const { cookies: set } = await api.call(`GET ${path}`, { ...common, query });
    const cookies = set.map((cookie) => cookie.split(';')[0] ?? '');
    return api.call(`GET ${path}`, { ...common, cookies });
  }

  it('200: shows a working download button for each file, and counts no download itself', async () => {
    const sale = await bought({ config: { instructions: 'Read it.', url: 'https://example.com/more' } });
    const { text, headers } = await openOrder(sale.paymentId);
    expect(text).toContain('Smörgås.pdf');
    expect(text).toContain('Download <bdi>Smörgås.pdf</bdi> (23\u00a0B)');
    expect(text).toContain('Read it.');
    expect(text).toContain('href="https://example.com/more"');
    expect(text).not.toContain('X-Amz');
    expect(headers['content-security-policy']).toContain(`form-action 'self' ${new URL(bucket.url).origin}`);
    expect(await downloadsOf(sale)).toBeUndefined();
    const [, path = ''] = /action="(\/downloads\/[^"?]+)/.exec(text) ?? [];
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? [];
    const { status, headers: pressed } = await press({ path, token });
    expect(status).toBe(303);
    expect((await fetch(pressed['location'] ?? '')).status).toBe(200);
  });

  it('200: shows no button for a file that is missing, removed or no longer allowed', async () => {
    const awaited = await bought({ file: { isReady: false }, bytes: null });
    const refunded = await bought();
    await api.call('POST /refunds', { body: { payment_id: refunded.paymentId } });
    const revoked = await bought();
    const stored = await grants().find(revoked.grant.id);
    const revocation = { by: 'merchant' as const, at: now().toISOString(), reason: null };
    if (stored) await grants().save({ grant: { ...stored, status: 'revoked', revocation } });
    const removed = await bought({ config: { files: [] } });
    for (const { paymentId } of [awaited, refunded, revoked, removed]) {
      const { status, text } = await openOrder(paymentId);
      expect(status).toBe(200);
      expect(text).not.toContain('/downloads/');
    }
  });
});
