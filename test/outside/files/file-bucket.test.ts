import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { localAws } from '../../../infra/local-aws/local-aws.ts';
import { listenOnLoopback } from '../../../infra/local-aws/loopback-server.ts';
import type { UploadAddress } from '../../../shared/domain/entitlements/files.ts';
import { type FileBucket, fileBucket } from '../../../shared/outside/files/file-bucket.ts';
import { fileOriginOf } from '../../../shared/outside/files/file-origin.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const book = Buffer.from('%PDF-1.7 the book');

let served: Bucket;
let files: FileBucket;
let number = 0;

/** A place that no other test uses. */
function newPlace() {
  number += 1;
  return { entitlementId: 'ent_1', fileId: `fil_${number}` };
}

beforeAll(async () => {
  served = await startBucket({ bucketNames: ['files'] });
});
afterAll(() => served.stop());

const connect = (url: string): FileBucket => {
  vi.stubEnv('AWS_ENDPOINT_URL_S3', url);
  vi.stubEnv('AWS_REGION', localAws.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', localAws.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', localAws.secretAccessKey);
  return fileBucket('files', { isPlayed: true });
};

beforeEach(() => {
  files = connect(served.url);
});
afterEach(() => vi.unstubAllEnvs());

type Signed = Pick<UploadAddress<Record<string, string>>, 'method' | 'url' | 'headers'>;

const send = async ({ method, url, headers }: Signed, bytes: Buffer): Promise<Response> =>
  fetch(url, { method, headers, body: new Uint8Array(bytes) });

const announced = (bytes: Buffer) => ({ size: bytes.length, sha256: sha256(bytes) });

async function uploaded(bytes: Buffer) {
  const place = newPlace();
  expect((await send(await files.signUpload(place, announced(bytes)), bytes)).status).toBe(200);
  return place;
}

describe('an upload of a file', () => {
  it('is stored with the announced size and checksum', async () => {
    const place = await uploaded(book);
    expect(await files.look(place)).toEqual({ size: book.length, sha256: sha256(book) });
  });

  it('is refused with other bytes, another size or no announced checksum, and stores nothing', async () => {
    const place = newPlace();
    const upload = await files.signUpload(place, announced(book));
    expect((await send(upload, Buffer.from('%PDF-1.7 THE BOOK'))).status).toBe(400);
    expect((await send(upload, Buffer.concat([book, book]))).status).toBe(403);
    expect((await send(upload, book.subarray(1))).status).toBe(403);
    expect((await send({ ...upload, headers: { 'if-none-match': '*' } }, book)).status).toBe(403);
    expect(await files.look(place)).toBeUndefined();
  });

  it('that announces 5 GB is refused with fewer bytes', async () => {
    const place = newPlace();
    const upload = await files.signUpload(place, { size: 5 * 1_024 ** 3, sha256: null });
    expect((await send(upload, book)).status).toBe(403);
    expect(await files.look(place)).toBeUndefined();
  });

  it('never replaces an existing file', async () => {
    const place = newPlace();
    const upload = await files.signUpload(place, { size: null, sha256: null });
    expect((await send(upload, book)).status).toBe(200);
    expect((await send(upload, Buffer.from('other'))).status).toBe(412);
    expect(await files.look(place)).toEqual({ size: book.length, sha256: null });
  });

  it('has an address that is valid for an hour and for one file only', async () => {
    const upload = await files.signUpload(newPlace(), announced(book));
    expect(upload.seconds).toBe(3_600);
    expect(new URL(upload.url).searchParams.get('X-Amz-Expires')).toBe('3600');
    const elsewhere = { ...upload, url: upload.url.replace('ent_1', 'ent_2') };
    expect((await send(elsewhere, book)).status).toBe(403);
  });
});

describe('an upload in parts', () => {
  const first = Buffer.alloc(5 * 1_024 * 1_024, 1);
  const last = Buffer.from('the end');

  async function sendPart(place: ReturnType<typeof newPlace>, uploadId: string, partNumber: number, bytes: Buffer) {
    const part = { uploadId, number: partNumber, ...announced(bytes) };
    const answer = await send(await files.signPart(place, part), bytes);
    return { number: partNumber, etag: answer.headers.get('etag') ?? '', sha256: part.sha256, status: answer.status };
  }

  it('becomes one file when it is complete, even if a part was sent twice', async () => {
    const place = newPlace();
    const uploadId = await files.beginParts(place);
    const parts = [
      await sendPart(place, uploadId, 1, last),
      await sendPart(place, uploadId, 1, first),
      await sendPart(place, uploadId, 2, last),
    ].slice(1);
    expect(await files.look(place)).toBeUndefined();
    await files.finishParts(place, { uploadId, size: first.length + last.length, parts });
    expect(await files.look(place)).toEqual({ size: first.length + last.length, sha256: null });
  });

  it('is refused with other bytes in a part, another total size, or another checksum', async () => {
    const place = newPlace();
    const uploadId = await files.beginParts(place);
    const upload = await files.signPart(place, { uploadId, number: 1, ...announced(first) });
    expect((await send(upload, Buffer.alloc(first.length, 2))).status).toBe(400);
    const part = await sendPart(place, uploadId, 1, first);
    const refused = { code: 'INVALID_REQUEST_PARAMETERS' };
    const finish = (size: number, parts: (typeof part)[]) => files.finishParts(place, { uploadId, size, parts });
    await expect(finish(first.length + 1, [part])).rejects.toMatchObject(refused);
    await expect(finish(first.length, [{ ...part, sha256: sha256(last) }])).rejects.toMatchObject(refused);
    expect(await files.look(place)).toBeUndefined();
  });

  it('leaves nothing when it is aborted, and can be aborted twice', async () => {
    const place = newPlace();
    const uploadId = await files.beginParts(place);
    const part = await sendPart(place, uploadId, 1, first);
    await files.abortParts(place, uploadId);
    await files.abortParts(place, uploadId);
    const finished = files.finishParts(place, { uploadId, size: first.length, parts: [part] });
    await expect(finished).rejects.toMatchObject({ code: 'INVALID_REQUEST_PARAMETERS' });
  });
});

describe('a download', () => {
  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 'text/html'],
    ['a picture with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
  ])('of %s is saved to disk and never displayed', async (_, text, type) => {
    const place = newPlace();
    const upload = await files.signUpload(place, { size: null, sha256: null });
    await send({ ...upload, headers: { ...upload.headers, 'content-type': type } }, Buffer.from(text));
    const { headers } = await fetch(await files.signDownload(place, { name: 'x.html', size: 1 }));
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('continues where it stopped after a break', async () => {
    const place = await uploaded(book);
    const url = await files.signDownload(place, { name: 'book.pdf', size: book.length });
    const whole = await fetch(url);
    const etag = whole.headers.get('etag') ?? '';
    const rest = await fetch(url, { headers: { range: 'bytes=9-', 'if-range': etag } });
    expect(rest.status).toBe(206);
    expect(await rest.text()).toBe('the book');
  });

  it.each([
    ['of 1 MB', 1_000_000, 3_600],
    ['of 450 MB', 450_000_000, 3_600],
    ['of 1 GB', 1_000_000_000, 8_000],
    ['of 5 GB', 5 * 1_024 ** 3, 42_950],
  ])('%s may take the time that it needs at 1 Mbit/s, and at least an hour', async (_, size, seconds) => {
    const url = await files.signDownload(newPlace(), { name: 'x', size });
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe(String(seconds));
  });

  it('of a removed file is refused by the bucket with 404', async () => {
    const place = await uploaded(book);
    const url = await files.signDownload(place, { name: 'book.pdf', size: book.length });
    await files.remove(place);
    await files.remove(place);
    expect((await fetch(url)).status).toBe(404);
  });
});

describe('a failure of the bucket', () => {
  it.each([
    ['an error', 500, 'InternalError', ''],
    ['no use of the key', 403, 'AccessDenied', 'User: x is not authorized to perform: kms:Decrypt'],
  ])('with %s is a temporary error, not a missing file', async (_, status, code, message) => {
    const server = await listenOnLoopback((__, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    });
    const failing = connect(`http://127.0.0.1:${server.port}`);
    const place = newPlace();
    const unavailable = { code: 'SERVICE_UNAVAILABLE' };
    await expect(failing.remove(place)).rejects.toMatchObject(unavailable);
    await expect(failing.beginParts(place)).rejects.toMatchObject(unavailable);
    const finished = failing.finishParts(place, { uploadId: 'x', size: 1, parts: [] });
    await expect(finished).rejects.toMatchObject(unavailable);
    await server.close();
  });
});

it('the bucket’s origin contains its name, or is the local bucket’s address', () => {
  const site = { bucketName: 'files-1', region: 'eu-north-1' };
  expect(fileOriginOf({ ...site, endpoint: undefined })).toBe('https://files-1.s3.eu-north-1.amazonaws.com');
  expect(fileOriginOf({ ...site, endpoint: 'http://127.0.0.1:4001/' })).toBe('http://127.0.0.1:4001');
});

it('a download address in AWS has the origin that the pages allow', async () => {
  vi.stubEnv('AWS_REGION', 'eu-north-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'example');
  vi.stubEnv('AWS_ENDPOINT_URL_S3', undefined);
  const url = await fileBucket('files-1', { isPlayed: false }).signDownload(newPlace(), { name: 'x', size: 1 });
  expect(new URL(url).origin).toBe(fileOriginOf({ bucketName: 'files-1', region: 'eu-north-1', endpoint: undefined }));
});
