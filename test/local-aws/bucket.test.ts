import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bucket, startBucket } from '../../infra/local-aws/bucket.ts';
import { localAws } from '../../infra/local-aws/local-aws.ts';

const clientOf = (url: string) =>
  new S3Client({ endpoint: url, region: localAws.region, credentials: localAws, forcePathStyle: true, maxAttempts: 1 });
const picture = { Bucket: 'images', Key: 'products/pdt_1/cover.png' };
const site = 'http://localhost:4000';

let bucket: Bucket;
let client: S3Client;
let now = () => new Date();

beforeAll(async () => {
  bucket = await startBucket({ bucketNames: ['images', 'files'], corsOrigins: [site], now: () => now() });
  client = clientOf(bucket.url);
});

afterAll(() => bucket.stop());

const bytesOf = (text: string): Buffer => Buffer.from(text);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64');

const put = (Key: string, Body: Buffer, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket: 'files', Key, Body, ...more }));

const get = async (Key: string, more: object = {}) => {
  const found = await client.send(new GetObjectCommand({ Bucket: 'files', Key, ...more }));
  return { ...found, text: (await found.Body?.transformToString()) ?? '' };
};

const head = (Key: string) => client.send(new HeadObjectCommand({ Bucket: 'files', Key, ChecksumMode: 'ENABLED' }));

describe('the local bucket', () => {
  it('keeps objects of a data directory across a restart', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'bucket-'));
    const first = await startBucket({ bucketNames: ['images'], dataDirectory });
    const body = Buffer.from([137, 80, 78, 71]);
    await clientOf(first.url).send(new PutObjectCommand({ ...picture, Body: body, ContentType: 'image/png' }));
    await first.stop();
    const second = await startBucket({ bucketNames: ['images'], dataDirectory });
    const found = await clientOf(second.url).send(new GetObjectCommand(picture));
    expect(found.ContentType).toBe('image/png');
    expect(Buffer.from((await found.Body?.transformToByteArray()) ?? [])).toEqual(body);
    await second.stop();
    expect(existsSync(dataDirectory)).toBe(true);
    await rm(dataDirectory, { recursive: true });
  });

  it('keeps a key with dots inside its own folder', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'bucket-'));
    const kept = await startBucket({ bucketNames: ['images'], dataDirectory });
    const climbing = { Bucket: 'images', Key: 'a/../../../../etc/x' };
    await clientOf(kept.url).send(new PutObjectCommand({ ...climbing, Body: 'x' }));
    expect(await readdir(dataDirectory)).toEqual(['buckets']);
    expect(await readdir(join(dataDirectory, 'buckets'))).toEqual(['images']);
    await kept.stop();
    await rm(dataDirectory, { recursive: true });
  });

  it('returns a checksum only if one was sent', async () => {
    await put('summed', bytesOf('abc'), { ChecksumSHA256: sha256(bytesOf('abc')) });
    await put('plain', bytesOf('abc'));
    expect(await head('summed')).toMatchObject({ ContentLength: 3, ChecksumSHA256: sha256(bytesOf('abc')) });
    expect((await head('plain')).ChecksumSHA256).toBeUndefined();
  });

  it('lets a broken download continue where it stopped, if the object is the same', async () => {
    const { ETag } = await put('range', bytesOf('0123456789'));
    expect(await get('range', { Range: 'bytes=4-' })).toMatchObject({ text: '456789', ContentRange: 'bytes 4-9/10' });
    expect((await get('range', { Range: 'bytes=2-3' })).text).toBe('23');
    expect((await get('range', { Range: 'bytes=-3' })).text).toBe('789');
    await expect(get('range', { Range: 'bytes=10-' })).rejects.toMatchObject({ name: 'InvalidRange' });
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'range' }));
    const resumed = async (tag = '') => (await fetch(url, { headers: { range: 'bytes=4-', 'if-range': tag } })).status;
    expect([await resumed(ETag), await resumed('"other"')]).toEqual([206, 200]);
  });

  it('no longer finds a removed object', async () => {
    await put('gone', bytesOf('x'));
    await client.send(new DeleteObjectCommand({ Bucket: 'files', Key: 'gone' }));
    await expect(get('gone')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(head('gone')).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('sends the headers that a signed address names', async () => {
    await put('named', bytesOf('<script>'), { ContentType: 'text/html' });
    const named = { ResponseContentType: 'application/octet-stream', ResponseContentDisposition: 'attachment' };
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'named', ...named }));
    const { headers } = await fetch(url);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe('attachment');
  });
});

describe('the local bucket, like S3,', () => {
  it('refuses a request for an unknown bucket', async () => {
    const elsewhere = client.send(new PutObjectCommand({ ...picture, Bucket: 'other', Body: 'x' }));
    await expect(elsewhere).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it('refuses a request without a signature, or with another key', async () => {
    await put('private', bytesOf('x'));
    const address = `${bucket.url}/files/private`;
    for (const method of ['GET', 'PUT', 'DELETE', 'POST']) expect((await fetch(address, { method })).status).toBe(403);
    const credentials = { accessKeyId: 'other', secretAccessKey: 'other' };
    const other = new S3Client({ endpoint: bucket.url, region: localAws.region, credentials, forcePathStyle: true });
    const read = other.send(new GetObjectCommand({ Bucket: 'files', Key: 'private' }));
    await expect(read).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
  });

  it('refuses an address that was changed, has expired, or is used with another method or header', async () => {
    await put('signed', bytesOf('x'));
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'signed' }), { expiresIn: 60 });
    expect((await fetch(url)).status).toBe(200);
    const changed = ['/signed?', '/other?'] as const;
    expect((await fetch(url.replace(...changed))).status).toBe(403);
    expect((await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'))).status).toBe(403);
    expect((await fetch(`${url}&response-content-type=text/html`)).status).toBe(403);
    expect((await fetch(url, { method: 'PUT', body: 'y' })).status).toBe(403);
    expect((await fetch(url, { headers: { 'x-amz-meta-a': '1' } })).status).toBe(403);
    now = () => new Date(Date.now() + 61_000);
    expect((await fetch(url)).status).toBe(403);
    now = () => new Date();
  });

  it('refuses an upload with another size or other bytes, or over an existing object', async () => {
    const sign = (more: object) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket: 'files', Key: 'announced', ...more }), {
        unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
      });
    const headers = { 'x-amz-checksum-sha256': sha256(bytesOf('abc')), 'if-none-match': '*' };
    const url = await sign({ ContentLength: 3, ChecksumSHA256: sha256(bytesOf('abc')), IfNoneMatch: '*' });
    const send = async (body: string, sent: Record<string, string> = headers) =>
      (await fetch(url, { method: 'PUT', body, headers: sent })).status;
    expect(await send('abcd')).toBe(403);
    expect(await send('abc', { 'if-none-match': '*' })).toBe(403);
    expect(await send('abc', { 'x-amz-checksum-sha256': headers['x-amz-checksum-sha256'] })).toBe(403);
    expect(await send('xyz')).toBe(400);
    await expect(head('announced')).rejects.toMatchObject({ name: 'NotFound' });
    expect(await send('abc')).toBe(200);
    expect(await send('abc')).toBe(412);
  });

  it('refuses scripts of other sites, and cross-origin methods besides PUT', async () => {
    const ask = async (origin: string, method: string) => {
      const headers = { origin, 'access-control-request-method': method };
      const answer = await fetch(`${bucket.url}/files/x`, { method: 'OPTIONS', headers });
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    expect(await ask(site, 'PUT')).toEqual([200, site]);
    expect(await ask('https://example.com', 'PUT')).toEqual([403, null]);
    expect((await ask(site, 'DELETE'))[0]).toBe(403);
  });
});

describe('an upload in parts to the local bucket', () => {
  const large = Buffer.alloc(5 * 1_024 * 1_024, 7);
  const place = { Bucket: 'files', Key: 'parts' };

  async function begin() {
    const created = await client.send(new CreateMultipartUploadCommand({ ...place, ChecksumAlgorithm: 'SHA256' }));
    return { ...place, UploadId: created.UploadId };
  }
  const part = async (upload: object, PartNumber: number, Body: Buffer) => {
    const input = { ...place, ...upload, PartNumber, Body, ChecksumSHA256: sha256(Body) };
    const { ETag } = await client.send(new UploadPartCommand({ UploadId: '', ...input }));
    return { PartNumber, ETag, ChecksumSHA256: sha256(Body) };
  };
  const finish = (upload: object, Parts: object[], more: object = {}) =>
    client.send(
      new CompleteMultipartUploadCommand({ ...place, UploadId: '', ...upload, MultipartUpload: { Parts }, ...more }),
    );

  it('has a composite checksum and the size of all parts', async () => {
    const upload = await begin();
    const parts = [await part(upload, 1, large), await part(upload, 2, bytesOf('end'))];
    await finish(upload, parts, { MpuObjectSize: large.length + 3, IfNoneMatch: '*' });
    const digests = parts.map(({ ChecksumSHA256 }) => Buffer.from(ChecksumSHA256, 'base64'));
    expect(await head('parts')).toMatchObject({
      ContentLength: large.length + 3,
      ChecksumSHA256: `${sha256(Buffer.concat(digests))}-2`,
    });
    expect((await get('parts', { Range: `bytes=${large.length}-` })).text).toBe('end');
    await expect(part(upload, 3, large)).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });

  it('is refused with a small part, a wrong order, a wrong size or other bytes, or over an existing object', async () => {
    const upload = await begin();
    const [one, two, small] = [
      await part(upload, 1, large),
      await part(upload, 2, bytesOf('2')),
      await part(upload, 3, bytesOf('3')),
    ];
    await expect(finish(upload, [one, two, small])).rejects.toMatchObject({ name: 'EntityTooSmall' });
    await expect(finish(upload, [two, one])).rejects.toMatchObject({ name: 'InvalidPartOrder' });
    await expect(finish(upload, [one, { ...two, ETag: '"0"' }])).rejects.toMatchObject({ name: 'InvalidPart' });
    const other = { ...two, ChecksumSHA256: sha256(bytesOf('x')) };
    await expect(finish(upload, [one, other])).rejects.toMatchObject({ name: 'BadDigest' });
    await expect(finish(upload, [one, two], { MpuObjectSize: 5 })).rejects.toMatchObject({ name: 'InvalidRequest' });
    await put('parts', bytesOf('there'));
    await expect(finish(upload, [one, two], { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await expect(finish({ ...upload, Key: 'elsewhere' }, [one])).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });
});
