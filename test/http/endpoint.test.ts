import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatApiKey } from '../../shared/http/api-key.ts';
import { testMerchant } from '../support/shop/api.ts';

const log: string[] = [];
let handler: (event: APIGatewayProxyEventV2, context: Context) => Promise<{ statusCode: number; body: string }>;

/** Nothing answers where the table should be: what is answered all the same was decided without it. */
beforeEach(async () => {
  log.length = 0;
  const environment = {
    STAGE: 'sandbox',
    MERCHANT: JSON.stringify(testMerchant),
    PUBLIC_URL: 'http://localhost:4000',
    TABLE_NAME: 'nowhere',
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.resetModules(); // a module that another file has loaded can hold the client of that file's table
  const { endpoint } = await import('../../shared/wiring/endpoint.ts');
  const { logSink } = await import('../../shared/log.ts');
  logSink.write = (line) => void log.push(line);
  handler = endpoint({ access: 'read', present: () => ({}) }, async () => undefined);
});
afterEach(() => void vi.unstubAllEnvs());

async function call(key?: string) {
  const event = {
    routeKey: 'GET /things',
    rawPath: '/things',
    rawQueryString: '',
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    requestContext: { requestId: 'request-1' },
  } as unknown as APIGatewayProxyEventV2;
  const { statusCode, body } = await handler(event, {} as Context);
  return { status: statusCode, ...JSON.parse(body) };
}

describe('an endpoint', () => {
  it('401: requires a key before any other step', async () => {
    expect(await call()).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  it('401: names the mode of the stack to a caller with a key of the other mode', async () => {
    expect(await call(formatApiKey('live', 'x'.repeat(32)))).toMatchObject({ status: 401, code: 'WRONG_MODE' });
  });

  it('403: of a live stack refuses every key while the merchant is not live', async () => {
    vi.stubEnv('STAGE', 'live');
    for (const key of [formatApiKey('live', 'x'.repeat(32)), formatApiKey('sandbox', 'x'.repeat(32)), undefined])
      expect(await call(key)).toMatchObject({ status: 403, code: 'MERCHANT_NOT_LIVE' });
  });

  it('503: refuses every caller while the table cannot be read, and does not mention the table', async () => {
    const answer = await call(formatApiKey('sandbox', 'x'.repeat(32)));
    expect(answer).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
    expect(JSON.stringify(answer)).not.toMatch(/127\.0\.0\.1|ECONN/);
    expect(log.join()).toMatch(/ECONN|refused/i);
  });

  it('logs every answer with its route, status and request id, and never logs the key', async () => {
    const key = formatApiKey('live', 'y'.repeat(32));
    await call(key);
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', route: 'GET /things', status: 401, request_id: 'request-1', code: 'WRONG_MODE' },
    ]);
    expect(log.join()).not.toContain(key);
  });
});
