import type { RequestListener } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { localAws } from '../../../infra/local-aws/local-aws.ts';
import { listenOnLoopback } from '../../../infra/local-aws/loopback-server.ts';
import { imageBucket } from '../../../shared/outside/images/image-bucket.ts';

const upload = { ownerId: 'pdt_1', imageId: 'image' };

/** A bucket over a server that answers as it likes; notes what it is asked. */
async function bucketOver(answer: RequestListener) {
  const asked: string[] = [];
  const server = await listenOnLoopback((request, response) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`);
    answer(request, response);
  });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${server.port}`);
  vi.stubEnv('AWS_REGION', localAws.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', localAws.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', localAws.secretAccessKey);
  return { bucket: imageBucket('images'), asked, close: () => server.close() };
}

afterEach(() => vi.unstubAllEnvs());

it('the reader stops when an upload announces 5 GB, after one request', async () => {
  const piece = Buffer.alloc(1_048_576);
  const most = 100;
  let sent = 0;
  const { bucket, asked, close } = await bucketOver((_, response) => {
    response.writeHead(200, { 'content-length': 5_368_709_120 });
    const send = () => {
      sent += 1;
      if (sent === most) response.destroy();
      else if (response.write(piece)) send();
    };
    response.on('drain', send);
    send();
  });
  await expect(bucket.findUpload(upload)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  await close();
  expect(asked).toEqual(['GET /images/uploads/pdt_1/image']);
  expect(sent).toBeLessThan(most);
});

it('the reader refuses an upload without an announced size', async () => {
  const { bucket, close } = await bucketOver((_, response) => response.writeHead(200).end('abc'));
  await expect(bucket.findUpload(upload)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  await close();
});

it('the reader gets an upload within the limit in one request', async () => {
  const { bucket, asked, close } = await bucketOver((_, response) => {
    response.writeHead(200, { 'content-length': 3 }).end('abc');
  });
  expect(await bucket.findUpload(upload)).toEqual(Buffer.from('abc'));
  expect(asked).toEqual(['GET /images/uploads/pdt_1/image']);
  await close();
});

it.each([403, 404])(
  'the reader treats the status %d as a missing upload, because it may not list the bucket',
  async (status) => {
    const { bucket, close } = await bucketOver((_, response) => response.writeHead(status).end());
    expect(await bucket.findUpload(upload)).toBeUndefined();
    expect(await bucket.find('image.png')).toBeUndefined();
    await close();
  },
);

it('the reader reports a temporary error when the bucket fails', async () => {
  const { bucket, close } = await bucketOver((_, response) => response.writeHead(500).end());
  await expect(bucket.findUpload(upload)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(bucket.removeUpload(upload)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await close();
});

it.each([
  ['of which a role may not use the key', 403, 'AccessDenied', 'User: x is not authorized to perform: kms:Decrypt'],
  ['whose key is disabled', 400, 'KMS.DisabledException', 'The key is disabled.'],
  ['whose key is throttled', 400, 'ThrottlingException', 'You have exceeded the rate at which you may call KMS.'],
])('the reader reports a temporary error for an object %s', async (_, status, code, message) => {
  const { bucket, close } = await bucketOver((__, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
  });
  const expected = { code: 'SERVICE_UNAVAILABLE', details: { cause: { message } } };
  await expect(bucket.findUpload(upload)).rejects.toMatchObject(expected);
  await expect(bucket.find('image.png')).rejects.toMatchObject(expected);
  await close();
});
