import type { RequestListener } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { localAws } from '../../infra/local/aws/local-aws.ts';
import { listenOnLoopback } from '../../infra/local/loopback-server.ts';
import { imageBucket } from '../../shared/images/image-bucket.ts';

const upload = { ownerId: 'pdt_1', imageId: 'image' };

/** A bucket over a server that answers as it likes; notes what it is asked. */
async function bucketOver(answer: RequestListener) {
  const asked: string[] = [];
  const server = await listenOnLoopback((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]} ${request.headers['if-match'] ?? ''}`.trim());
    answer(request, response);
  });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${server.port}`);
  vi.stubEnv('AWS_REGION', localAws.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', localAws.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', localAws.secretAccessKey);
  return { bucket: imageBucket('images'), asked, close: () => server.close() };
}

afterEach(() => vi.unstubAllEnvs());

it('reads no byte of an upload of 5 GB', async () => {
  const { bucket, asked, close } = await bucketOver((_, response) =>
    response.writeHead(200, { 'content-length': 5_368_709_120, etag: '"e"' }).end(),
  );
  await expect(bucket.findUpload(upload)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  expect(asked).toEqual(['HEAD /images/uploads/pdt_1/image']);
  await close();
});

it('reads what it has measured, and nothing that was put there since', async () => {
  const { bucket, asked, close } = await bucketOver(({ method }, response) => {
    response.writeHead(200, { 'content-length': 3, etag: '"e"' }).end(method === 'HEAD' ? '' : 'abc');
  });
  expect(await bucket.findUpload(upload)).toEqual(Buffer.from('abc'));
  expect(asked).toEqual(['HEAD /images/uploads/pdt_1/image', 'GET /images/uploads/pdt_1/image "e"']);
  await close();
});

it.each([403, 404])('finds nothing where the bucket answers %d, as nobody may list it', async (status) => {
  const { bucket, close } = await bucketOver((_, response) => response.writeHead(status).end());
  expect(await bucket.findUpload(upload)).toBeUndefined();
  expect(await bucket.find('image.png')).toBeUndefined();
  await close();
});

it('says that it may be tried again where the bucket fails', async () => {
  const { bucket, close } = await bucketOver((_, response) => response.writeHead(500).end());
  await expect(bucket.findUpload(upload)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(bucket.removeUpload(upload)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await close();
});
