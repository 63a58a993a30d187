import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { startBucket } from '../../infra/local-aws/bucket.ts';
import { localAws } from '../../infra/local-aws/local-aws.ts';

const clientOf = (url: string) => new S3Client({ endpoint: url, region: localAws.region, credentials: localAws });
const picture = { Bucket: 'images', Key: 'products/pdt_1/cover.png' };

it('the local bucket keeps what the real S3 client stores; in a data directory it survives a restart', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'bucket-'));
  const first = await startBucket({ bucketName: 'images', dataDirectory });
  const body = Buffer.from([137, 80, 78, 71]);
  await clientOf(first.url).send(new PutObjectCommand({ ...picture, Body: body, ContentType: 'image/png' }));
  await first.stop();
  const second = await startBucket({ bucketName: 'images', dataDirectory });
  const found = await clientOf(second.url).send(new GetObjectCommand(picture));
  expect(found.ContentType).toBe('image/png');
  expect(Buffer.from((await found.Body?.transformToByteArray()) ?? [])).toEqual(body);
  await second.stop();
  expect(existsSync(dataDirectory)).toBe(true);
  await rm(dataDirectory, { recursive: true });
});

it('the local bucket server refuses requests to other buckets', async () => {
  const bucket = await startBucket({ bucketName: 'images' });
  const elsewhere = clientOf(bucket.url).send(new PutObjectCommand({ ...picture, Bucket: 'other', Body: 'x' }));
  await expect(elsewhere).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await bucket.stop();
});
