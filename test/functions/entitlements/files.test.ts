import { createHash } from 'node:crypto';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import DodoPayments from 'dodopayments';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { localAws } from '../../../infra/local-aws/local-aws.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
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
afterEach(() => clock.run());

const book = Buffer.from('%PDF-1.7 the whole book');
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function newEntitlement(): Promise<string> {
  const body = { name: 'Book', integration_type: 'digital_files', integration_config: { digital_file_ids: [] } };
  return (await api.call('POST /entitlements', { body })).body.id;
}

const add = (id: string, body?: object) => api.call(`POST /entitlements/${id}/files`, body ? { body } : {});

type Upload = { method: string; url: string; headers: Record<string, string> };
const send = async ({ url, method, headers }: Upload, bytes: Buffer) =>
  (await fetch(url, { method, headers, body: new Uint8Array(bytes) })).status;

async function added(id: string, bytes: Buffer, body: object = {}): Promise<string> {
  const { body: answer } = await add(id, body);
  expect(await send(answer.upload, bytes)).toBe(200);
  return answer.file_id;
}

interface ShownFile {
  file_id: string;
  filename: string;
  file_size: number | null;
}

const shown = async (id: string): Promise<ShownFile[]> =>
  (await api.call(`GET /entitlements/${id}`)).body.integration_config.digital_files.files;
const idsOf = async (id: string) => (await shown(id)).map(({ file_id }) => file_id);

/** Whether the bucket has the bytes of a file. */
async function isKept(id: string, fileId: string): Promise<boolean> {
  const client = new S3Client({
    endpoint: bucket.url,
    region: localAws.region,
    credentials: localAws,
    forcePathStyle: true,
  });
  const object = { Bucket: localNames.files, Key: `files/${id}/${fileId}` };
  return client.send(new HeadObjectCommand(object)).then(
    () => true,
    () => false,
  );
}

describe('POST /entitlements/{id}/files', () => {
  it('200: adds a file, and the upload must have the announced size', async () => {
    const id = await newEntitlement();
    const announced = { file_name: 'Smörgås.pdf', content_type: 'application/pdf', file_size: book.length };
    const { status, body } = await add(id, { ...announced, checksum_sha256: sha256(book).toUpperCase() });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        file_id: expect.stringMatching(/^fil_[A-Za-z0-9]{21}$/),
        upload: {
          method: 'PUT',
          url: expect.stringContaining(`/files/${id}/${body.file_id}?`),
          headers: {
            'if-none-match': '*',
            'x-amz-checksum-sha256': Buffer.from(sha256(book), 'hex').toString('base64'),
          },
          expires_in: 3_600,
        },
      },
    });
    expect(await shown(id)).toEqual([]);
    expect(await send(body.upload, Buffer.from('%PDF-1.7 the other book'))).toBe(400);
    expect(await send(body.upload, Buffer.concat([book, book]))).toBe(403);
    expect(await shown(id)).toEqual([]);
    expect(await send(body.upload, book)).toBe(200);
    expect(await shown(id)).toMatchObject([
      { file_id: body.file_id, filename: 'Smörgås.pdf', content_type: 'application/pdf', file_size: book.length },
    ]);
    expect(await send(body.upload, book)).toBe(412);
  });

  it('200: accepts the official client’s call without a body, for a file of any size with its id as name', async () => {
    const id = await newEntitlement();
    const client = new DodoPayments({
      bearerToken: 'unused',
      baseURL: 'http://localhost:4000',
      fetch: async (url, init) => {
        const { method = 'GET', body } = init ?? {};
        const { pathname } = new URL(String(url));
        const raw = body === undefined || body === null ? Buffer.alloc(0) : Buffer.from(String(body));
        const headers = { ...Object.fromEntries(new Headers(init?.headers as Record<string, string>)) };
        const { authorization: _, ...others } = headers;
        const answer = await api.call(`${method} ${pathname}`, { raw, headers: others });
        return new Response(answer.text, { status: answer.status, headers: { 'content-type': 'application/json' } });
      },
    });
    const { file_id, ...rest } = await client.entitlements.files.upload(id);
    expect(await send((rest as unknown as { upload: Upload }).upload, book)).toBe(200);
    expect(await shown(id)).toMatchObject([{ file_id, filename: file_id, content_type: null, file_size: book.length }]);
    await client.entitlements.files.delete(file_id, { id });
    expect(await shown(id)).toEqual([]);
  });

  it('200: adds one file for a repeated request with one Idempotency-Key', async () => {
    const id = await newEntitlement();
    const again = () => api.call(`POST /entitlements/${id}/files`, { body: {}, headers: { 'idempotency-key': 'one' } });
    const [first, second] = [await again(), await again()];
    expect(second.body).toEqual(first.body);
  });

  it.each([
    ['a folder', { file_name: '../book.pdf' }, 'file_name'],
    ['another folder', { file_name: 'a\\b.pdf' }, 'file_name'],
    ['two dots', { file_name: '..' }, 'file_name'],
    ['a line break', { file_name: 'a\r\nset-cookie: x' }, 'file_name'],
    ['a mark that turns the direction', { file_name: 'book\u202Efdp.exe' }, 'file_name'],
    ['a name of 256 bytes', { file_name: 'ö'.repeat(128) }, 'file_name'],
    ['a name of 300 kB', { file_name: 'x'.repeat(250_000) }, 'file_name'],
    ['no size', { file_size: 0 }, 'file_size'],
    ['more than 5 GB', { file_size: 5 * 1_024 ** 3 + 1 }, 'file_size'],
    ['a text as size', { file_size: '3' }, 'file_size'],
    ['a short checksum', { checksum_sha256: 'ab' }, 'checksum_sha256'],
    ['a content type with more', { content_type: 'text/html\r\nx: y' }, 'content_type'],
    ['an unknown field', { size: 3 }, 'size'],
  ])('422: refuses %s', async (_, body, field) => {
    expectProblem(await add(await newEntitlement(), body), 422, 'INVALID_REQUEST_BODY', field);
  });

  it('404, 422: refuses an unknown entitlement, and an entitlement of another type', async () => {
    expectProblem(await add(`ent_${'x'.repeat(21)}`), 404, 'NOT_FOUND');
    const flag = { name: 'Pro', integration_type: 'feature_flag', integration_config: { feature_id: 'pro' } };
    const { id } = (await api.call('POST /entitlements', { body: flag })).body;
    expectProblem(await add(id), 422, 'INVALID_REQUEST_PARAMETERS');
  });

  it('200: removes a file that has not arrived within a day', async () => {
    const id = await newEntitlement();
    const { body } = await add(id);
    clock.forward({ hours: 24 });
    expect(await shown(id)).toEqual([]);
    expectProblem(await api.call(`DELETE /entitlements/${id}/files/${body.file_id}`), 404, 'NOT_FOUND');
  });

  it('200: also removes a file that has not arrived within a day when another file is added', async () => {
    const id = await newEntitlement();
    await add(id);
    clock.forward({ hours: 24 });
    const other = await added(id, book);
    expect(await idsOf(id)).toEqual([other]);
  });

  it('200: adds both files when two are added at the same time', async () => {
    const id = await newEntitlement();
    const both = await Promise.all([added(id, book), added(id, book)]);
    expect((await idsOf(id)).sort()).toEqual(both.sort());
  });
});

describe('GET /entitlements/{id}/files/{file_id}', () => {
  const addressOf = (id: string, fileId: string) => api.call(`GET /entitlements/${id}/files/${fileId}`);

  it('200: returns a download address that is valid for a minute, like `download_url`', async () => {
    const id = await newEntitlement();
    const fileId = await added(id, book);
    const { body } = await addressOf(id, fileId);
    expect(body).toEqual({ url: expect.stringContaining('X-Amz-Expires=60&'), expires_in: 60 });
    const answer = await fetch(body.url);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(book);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    const [file] = (await api.call(`GET /entitlements/${id}`)).body.integration_config.digital_files.files;
    const { body: again } = await api.call(`GET ${new URL(file.download_url).pathname}`);
    expect((await fetch(again.url)).status).toBe(200);
  });

  it('403, 404: refuses a read-only key, a file that has not arrived, and a file of another entitlement', async () => {
    const [id, other] = [await newEntitlement(), await newEntitlement()];
    const fileId = await added(id, book);
    const awaited = (await add(id)).body.file_id;
    const reader = await api.addKey({ access: 'read' });
    const asked = await api.call(`GET /entitlements/${id}/files/${fileId}`, { key: reader });
    expectProblem(asked, 403, 'UNAUTHORIZED');
    expectProblem(await addressOf(id, awaited), 404, 'NOT_FOUND');
    expectProblem(await addressOf(other, fileId), 404, 'NOT_FOUND');
  });
});

describe('DELETE /entitlements/{id}/files/{file_id}', () => {
  it('200: removes the file and its bytes', async () => {
    const id = await newEntitlement();
    const fileId = await added(id, book);
    expect(await isKept(id, fileId)).toBe(true);
    expect((await api.call(`DELETE /entitlements/${id}/files/${fileId}`)).status).toBe(200);
    expect([await shown(id), await isKept(id, fileId)]).toEqual([[], false]);
  });

  it('404: refuses a file of another entitlement, and does not remove it', async () => {
    const [id, other] = [await newEntitlement(), await newEntitlement()];
    const fileId = await added(other, book);
    expectProblem(await api.call(`DELETE /entitlements/${id}/files/${fileId}`), 404, 'NOT_FOUND');
    expect([await idsOf(other), await isKept(other, fileId)]).toEqual([[fileId], true]);
  });
});

describe('PATCH /entitlements/{id} with digital_file_ids', () => {
  const arrange = (id: string, digital_file_ids: string[]) =>
    api.call(`PATCH /entitlements/${id}`, { body: { integration_config: { digital_file_ids } } });

  it('200: sorts the files, and removes files that are left out together with their bytes', async () => {
    const id = await newEntitlement();
    const [one, two, three] = [await added(id, book), await added(id, book), await added(id, book)];
    await shown(id);
    const { body } = await arrange(id, [three, one]);
    const files: ShownFile[] = body.integration_config.digital_files.files;
    expect(files.map(({ file_id }) => file_id)).toEqual([three, one]);
    expect([await isKept(id, one), await isKept(id, two)]).toEqual([true, false]);
  });

  it('200: keeps files that have just arrived and files whose upload continues', async () => {
    const id = await newEntitlement();
    const arrived = await added(id, book);
    const { body: awaited } = await add(id);
    const { body } = await arrange(id, [arrived]);
    expect(body.integration_config.digital_files.files).toMatchObject([{ file_id: arrived }]);
    expect(await send(awaited.upload, book)).toBe(200);
    expect(await idsOf(id)).toEqual([arrived, awaited.file_id]);
  });

  it('422: refuses a file of another entitlement', async () => {
    const [id, other] = [await newEntitlement(), await newEntitlement()];
    const fileId = await added(other, book);
    const refused = await arrange(id, [fileId]);
    expectProblem(refused, 422, 'INVALID_REQUEST_PARAMETERS', 'integration_config.digital_file_ids[0]');
    expect(await isKept(other, fileId)).toBe(true);
  });
});

describe('PATCH /entitlements/{id}', () => {
  const change = (id: string, integration_config: object) =>
    api.call(`PATCH /entitlements/${id}`, { body: { integration_config } });

  it('200: renames files, and sets a download limit for each file', async () => {
    const id = await newEntitlement();
    const [first, second] = [await added(id, book), await added(id, book)];
    const { status, body } = await change(id, { file_names: { [first]: 'Bücher.pdf' }, downloads_limit: 3 });
    expect([status, body.integration_config.digital_files.downloads_limit]).toEqual([200, 3]);
    expect(await shown(id)).toMatchObject([
      { file_id: first, filename: 'Bücher.pdf' },
      { file_id: second, filename: second },
    ]);
    const { body: unlimited } = await change(id, { downloads_limit: null });
    expect(unlimited.integration_config.digital_files.downloads_limit).toBeNull();
  });

  it.each([
    [{ file_names: { fil_unknown: 'a.pdf' } }, 'integration_config.file_names'],
    [{ downloads_limit: 0 }, 'integration_config.downloads_limit'],
  ])('422: refuses %j', async (config, path) => {
    const { status, body } = await change(await newEntitlement(), config);
    expect([status, body.param]).toEqual([422, path]);
  });

  it('422: refuses a file name with a folder', async () => {
    const id = await newEntitlement();
    const fileId = await added(id, book);
    expect((await change(id, { file_names: { [fileId]: '../a.pdf' } })).status).toBe(422);
  });
});
