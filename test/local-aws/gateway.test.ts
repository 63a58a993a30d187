import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startLocalGateway } from '../../infra/local/local-gateway.ts';
import type { LoopbackServer } from '../../infra/local-aws/loopback-server.ts';
import { type RawRequest, sendRaw } from '../local/http.ts';
import { collectLog } from '../local/log.ts';

const log = collectLog();
const megabyte = 1024 * 1024;
let gateway: LoopbackServer;
let url: string;
let calls: { name: string; event: APIGatewayProxyEventV2 }[];
let result: (event: APIGatewayProxyEventV2) => unknown;

beforeAll(async () => {
  const invoke = async (name: string, event: unknown) => {
    calls.push({ name, event: event as APIGatewayProxyEventV2 });
    return result(event as APIGatewayProxyEventV2);
  };
  gateway = await startLocalGateway({ invoke, timeoutSeconds: 0.2 });
  url = `http://127.0.0.1:${gateway.port}`;
});
afterAll(() => gateway.close());
beforeEach(() => {
  calls = [];
  result = () => ({ statusCode: 200 });
});

/** The event that a function gets for a request. */
async function eventFor(request: RawRequest): Promise<APIGatewayProxyEventV2> {
  await sendRaw(url, request);
  return calls[0]!.event;
}

const post = (contentType: string, body: string | Buffer): RawRequest => ({
  method: 'POST',
  path: '/products',
  headers: { 'content-type': contentType },
  body,
});

describe('the event that the local gateway makes from a request', () => {
  it('has the shape of payload format 2.0', async () => {
    const headers = { host: 'shop.example:4000', 'user-agent': 'test/1', 'X-Custom': 'Yes' };
    const event = await eventFor({ path: '/payments/pay_1?expand=tax', headers });
    expect(calls[0]!.name).toBe('payments/get-payment');
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /payments/{payment_id}',
      rawPath: '/payments/pay_1',
      rawQueryString: 'expand=tax',
      queryStringParameters: { expand: 'tax' },
      pathParameters: { payment_id: 'pay_1' },
      headers: expect.objectContaining({
        host: 'shop.example:4000',
        'user-agent': 'test/1',
        'x-custom': 'Yes',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
      }),
      requestContext: {
        accountId: expect.any(String),
        apiId: expect.any(String),
        domainName: 'shop.example',
        domainPrefix: 'shop',
        http: {
          method: 'GET',
          path: '/payments/pay_1',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'test/1',
        },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        routeKey: 'GET /payments/{payment_id}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
  });

  it.each([
    ['/products/pdt%5F1', 'pdt_1'],
    ['/products/%C3%A9t%C3%A9', 'été'],
    ['/products/100%25', '100%'],
    ['/products/a%3Fb', 'a?b'],
    ['/products/a+b', 'a+b'],
  ])('has its path decoded: %s', async (path, id) => {
    const event = await eventFor({ path });
    expect(event.pathParameters).toEqual({ id });
    expect(event.rawPath).toBe(`/products/${id}`);
  });

  it('has no path parameter with a slash, because an encoded slash also separates segments', async () => {
    expect((await eventFor({ path: '/products/a%2Fb' })).routeKey).toBe('$default');
  });

  it('has repeated query values and headers joined by commas, and values decoded', async () => {
    const event = await eventFor({
      path: '/products?status=a&status=b&name=J%C3%B6rg+M&empty=',
      headers: { 'x-list': ['1', '2'] },
    });
    expect(event.queryStringParameters).toEqual({ status: 'a,b', name: 'Jörg M', empty: '' });
    expect(event.rawQueryString).toBe('status=a&status=b&name=J%C3%B6rg+M&empty=');
    expect(event.headers['x-list']).toBe('1,2');
  });

  it('has its cookies in a separate list', async () => {
    const event = await eventFor({ path: '/products', headers: { cookie: 'a=1; b=2' } });
    expect(event.cookies).toEqual(['a=1', 'b=2']);
    expect(event.headers).not.toHaveProperty('cookie');
  });

  it('omits fields that the request does not have', async () => {
    const event = await eventFor({ path: '/products' });
    for (const absent of ['cookies', 'queryStringParameters', 'pathParameters', 'body']) {
      expect(event).not.toHaveProperty(absent);
    }
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/xml'])(
    'has a body of type %s as text',
    async (type) => {
      expect(await eventFor(post(type, '{"é":1}'))).toMatchObject({ body: '{"é":1}', isBase64Encoded: false });
    },
  );

  it.each(['application/octet-stream', 'image/png', 'application/x-www-form-urlencoded'])(
    'has a body of type %s in base64',
    async (type) => {
      expect(await eventFor(post(type, 'a=1'))).toMatchObject({ body: 'YT0x', isBase64Encoded: true });
    },
  );

  it('keeps every byte of a body that is declared as text but is not UTF-8', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    const event = await eventFor(post('application/json', bytes));
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body ?? '', 'base64')).toEqual(bytes);
  });

  it.each(['OPTIONS', 'PUT', 'DELETE'])(
    'goes to the $default route for %s on a path that has other methods',
    async (method) => {
      expect((await eventFor({ method, path: '/products' })).routeKey).toBe('$default');
      expect(calls[0]!.name).toBe('routing/refuse-route');
    },
  );

  it('goes to the same function under an alias, with the route key of the alias', async () => {
    const event = await eventFor({ method: 'POST', path: '/checkouts' });
    expect(calls[0]!.name).toBe('checkout-sessions/create-checkout-session');
    expect(event.routeKey).toBe('POST /checkouts');
  });

  it('also reaches the gateway by the host name localhost', async () => {
    const response = await fetch(`http://localhost:${gateway.port}/products`);
    expect(response.status).toBe(200);
  });
});

describe('the answer of the local gateway', () => {
  it('has the status, headers, cookies and body from the function', async () => {
    result = () => ({
      statusCode: 201,
      headers: { 'Content-Type': 'text/html', 'x-count': 3, 'content-length': 999 },
      cookies: ['a=1; Secure', 'b=2'],
      body: '<p>ü</p>',
    });
    const { status, headers, body } = await sendRaw(url, { path: '/products' });
    expect(status).toBe(201);
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'x-count': '3',
      'content-length': '9', // seven characters of one byte and ü of two
      'set-cookie': ['a=1; Secure', 'b=2'],
    });
    expect(body.toString()).toBe('<p>ü</p>');
  });

  it('has the decoded bytes of a base64 body', async () => {
    result = () => ({ statusCode: 200, body: Buffer.from([1, 255]).toString('base64'), isBase64Encoded: true });
    expect((await sendRaw(url, { path: '/products' })).body).toEqual(Buffer.from([1, 255]));
  });

  it('is 200 and JSON for a result without a status', async () => {
    result = () => ({ items: [] });
    const { status, headers, body } = await sendRaw(url, { path: '/products' });
    expect([status, headers['content-type'], body.toString()]).toEqual([200, 'application/json', '{"items":[]}']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('secret detail');
      },
    ],
    ['answers with no proper status', () => ({ statusCode: 'OK' })],
    ['answers with a body that is no text', () => ({ statusCode: 200, body: { a: 1 } })],
    ['answers with an impossible header', () => ({ statusCode: 200, headers: { 'x-a': 'a\nb' } })],
  ])('is 500, and a line in the log, when the function %s', async (_, act) => {
    result = act;
    const { status, body } = await sendRaw(url, { path: '/products' });
    expect([status, body.toString()]).toEqual([500, '{"message":"Internal Server Error"}']);
    expect(log).toHaveLength(1);
  });

  it('is 503 when the function takes too long', async () => {
    result = () => new Promise(() => {});
    const { status, body } = await sendRaw(url, { path: '/products' });
    expect([status, body.toString()]).toEqual([503, '{"message":"Service Unavailable"}']);
  });

  it('is 413 for a body over 10 MB, without a function call; exactly 10 MB is accepted', async () => {
    const { status, body } = await sendRaw(url, post('image/png', Buffer.alloc(10 * megabyte + 1)));
    expect([status, body.toString()]).toEqual([413, '{"message":"Request Entity Too Large"}']);
    expect(calls).toEqual([]);
    expect((await sendRaw(url, post('image/png', Buffer.alloc(10 * megabyte)))).status).toBe(200);
  });

  it('is that of the function for a path that cannot be decoded, which it gets as it is', async () => {
    expect((await eventFor({ path: '/products/%E9' })).rawPath).toBe('/products/%E9');
  });

  it.each([
    ['an unknown method', 'FOO /products HTTP/1.1', 400],
    ['a path without a slash', 'GET products HTTP/1.1', 400],
    ['a head of more than 16 kB', `GET /${'a'.repeat(17_000)} HTTP/1.1`, 431],
  ])('is a problem document for %s', async (_, line, status) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).end(`${line}\r\nhost: localhost\r\n\r\n`);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toContain('content-type: application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status });
  });
});
