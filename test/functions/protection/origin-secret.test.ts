import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endpoints, originSecretProvider } from '../../../infra/endpoints.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { listenOnLoopback, readBody } from '../../../infra/local-aws/loopback-server.ts';
import { originSecret } from '../../../shared/http/origin.ts';
import { type Api, startApi } from '../../support/shop/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => {
  delete process.env['ORIGIN_SECRET_HASHES'];
});
afterAll(() => api.stop());

const master = 'a'.repeat(43);

/** Every route of the table, asked as a stranger asks. */
const routes = endpoints.flatMap(({ method, paths }) =>
  paths
    .filter((path) => path !== '$default')
    .map((path) => ({
      request: `${method === 'ANY' ? 'GET' : method} ${path.replace(/\{\w+\}/, 'pdt_000000000000000000000')}`,
    })),
);

describe('an API behind a distribution', () => {
  it.each([...routes, { request: 'GET /nowhere' }])(
    '403: refuses $request that did not come through the distribution, with and without a key',
    async ({ request }) => {
      process.env['ORIGIN_SECRET_HASHES'] = originSecret(master, 1).hashes.join(',');
      for (const headers of [{}, { 'x-origin-secret': '' }, { 'x-origin-secret': originSecret(master, 3).value }]) {
        const answer = await api.call(request, { headers: headers as Record<string, string> });
        expect([answer.status, answer.headers['content-type']]).toEqual([403, 'application/problem+json']);
        expect(answer.body).toMatchObject({ status: 403, message: expect.stringContaining('http://localhost:4000') });
      }
    },
  );

  it('200: accepts the secret of the current, the previous and the next version number', async () => {
    process.env['ORIGIN_SECRET_HASHES'] = originSecret(master, 5).hashes.join(',');
    for (const version of [4, 5, 6]) {
      const headers = { 'x-origin-secret': originSecret(master, version).value };
      expect((await api.call('GET /products', { headers })).status).toBe(200);
    }
    for (const version of [3, 7]) {
      const headers = { 'x-origin-secret': originSecret(master, version).value };
      expect((await api.call('GET /products', { headers })).status).toBe(403);
    }
  });

  it('403: refuses a hash in place of the secret', async () => {
    const { hashes } = originSecret(master, 1);
    process.env['ORIGIN_SECRET_HASHES'] = hashes.join(',');
    const headers = { 'x-origin-secret': hashes[1] ?? '' };
    expect((await api.call('GET /products', { headers })).status).toBe(403);
  });
});

it('An API without a distribution ignores the secret’s header', async () => {
  expect((await api.call('GET /products', { headers: { 'x-origin-secret': 'x' } })).status).toBe(200);
});

describe('the function that creates the origin secret', () => {
  interface Told {
    Status: string;
    Reason?: string;
    PhysicalResourceId: string;
    NoEcho?: boolean;
    Data?: { Value: string; Hashes: string };
  }

  /** Calls the function as CloudFormation does, and returns the answers that it sent, with their content types. */
  async function deploy(RequestType: string, Version: unknown) {
    const told: { body: Told; type: string | undefined }[] = [];
    const server = await listenOnLoopback(async (message, response) => {
      const body = JSON.parse(String(await readBody(message, 10_000)));
      told.push({ body, type: message.headers['content-type'] });
      response.end();
    });
    const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'FrontOriginSecret', ServiceToken: 'arn' };
    const ResponseURL = `http://127.0.0.1:${server.port}/answer?X-Amz-Signature=1`;
    const event = { RequestType, ResponseURL, ResourceProperties: { Version }, ...ids };
    await invokeFunction(originSecretProvider.function, event as unknown as CloudFormationCustomResourceEvent);
    await server.close();
    expect(told).toHaveLength(1);
    return told[0]!;
  }

  it('answers with a secret that is hidden in every console, and with its hashes', async () => {
    const { body, type } = await deploy('Create', '1');
    expect(body).toMatchObject({ Status: 'SUCCESS', NoEcho: true, PhysicalResourceId: 'origin-secret' });
    expect(type).toBeUndefined();
    const { Value = '', Hashes = '' } = body.Data ?? {};
    expect(Value).toMatch(/^[\w-]{43}$/);
    process.env['ORIGIN_SECRET_HASHES'] = Hashes;
    expect((await api.call('GET /products', { headers: { 'x-origin-secret': Value } })).status).toBe(200);
    expect((await api.call('GET /products')).status).toBe(403);
  });

  it('creates the same secret for the same version number, and an accepted one for the next number', async () => {
    const first = (await deploy('Create', '1')).body.Data;
    expect((await deploy('Update', '1')).body.Data).toEqual(first);
    const next = (await deploy('Update', '2')).body.Data;
    expect(next?.Value).not.toBe(first?.Value);
    process.env['ORIGIN_SECRET_HASHES'] = first?.Hashes ?? '';
    expect((await api.call('GET /products', { headers: { 'x-origin-secret': next?.Value ?? '' } })).status).toBe(200);
    process.env['ORIGIN_SECRET_HASHES'] = next?.Hashes ?? '';
    expect((await api.call('GET /products', { headers: { 'x-origin-secret': first?.Value ?? '' } })).status).toBe(200);
  });

  it('succeeds when CloudFormation deletes its resource', async () => {
    expect((await deploy('Delete', '1')).body).toMatchObject({ Status: 'SUCCESS' });
  });

  it('reports a failure, so the deployment does not wait', async () => {
    const { body } = await deploy('Create', 'many');
    expect(body.Status).toBe('FAILED');
    expect(body).not.toHaveProperty('Data');
  });

  it('does not log the secret', async () => {
    const { Value = '' } = (await deploy('Update', '1')).body.Data ?? {};
    expect(api.log.join('\n')).not.toContain(Value);
  });
});
