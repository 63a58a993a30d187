import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { env } from '../../../shared/env.ts';
import { methodsAt } from '../../../shared/site/known-routes.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const browser = { headers: { accept: 'text/html,application/xhtml+xml' }, key: null };
const program = { key: null };

describe('the address of the API without a path', () => {
  it('redirects a browser to the dashboard', async () => {
    const { status, headers } = await api.call('GET /', browser);
    expect([status, headers['location']]).toEqual([303, '/dashboard']);
  });

  it('answers a program with the service’s name, its mode and its links', async () => {
    const { status, body } = await api.call('GET /', program);
    expect(status).toBe(200);
    expect(body).toEqual({
      service: 'Tillstack',
      merchant: 'Example Books',
      mode: 'test',
      dashboard: 'http://localhost:4000/dashboard',
      docs: 'http://localhost:4000/docs',
    });
  });
});

describe('the files that browsers and search engines expect at the root', () => {
  it('include an icon, which browsers keep', async () => {
    const { status, headers } = await api.call('GET /favicon.ico', browser);
    expect([status, headers['content-type'], headers['cache-control'], headers['content-encoding']]).toEqual([
      ...[200, 'image/x-icon', 'public, max-age=2592000'],
      undefined,
    ]);
  });

  it('let search engines fetch every page, where they find whether they may list it', async () => {
    const { status, headers, text } = await api.call('GET /robots.txt', program);
    expect([status, headers['content-type'], text]).toEqual([
      ...[200, 'text/plain; charset=utf-8'],
      'User-agent: *\nDisallow:\n',
    ]);
  });
});

describe('a path that is called with a wrong method', () => {
  it.each([
    ['DELETE /payments', 'GET, HEAD'],
    ['PUT /products/pdt_000000000000000000001', 'GET, HEAD, PATCH, DELETE'],
    ['HEAD /checkouts', 'POST'],
    ['PATCH /checkouts', 'POST'],
  ])('405: %s is answered with the methods that the path allows', async (request, allow) => {
    const answer = await api.call(request, program);
    expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers['allow']).toBe(allow);
    expect(answer.body.message).toContain(`It takes ${allow}.`);
  });

  it('204: is answered with the allowed methods for OPTIONS', async () => {
    const { status, headers } = await api.call('OPTIONS /webhooks/ep_1', program);
    expect([status, headers['allow']]).toEqual([204, 'GET, HEAD, PATCH, DELETE']);
  });

  const pages = endpoints.filter(({ method, paths }) => method === 'ANY' && !paths.includes('$default'));

  it.each(pages.flatMap(({ paths }) => paths))('405: is answered to a program if %s is a page', async (path) => {
    for (const method of ['PATCH', 'OPTIONS', 'PROPFIND']) {
      const answer = await api.call(`${method} ${path.replace(/\{\w+\}/g, 'some-id')}`, browser);
      expectProblem(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers['allow']).toBe('GET, HEAD, POST');
    }
  });

  it('is recognized for every path of every endpoint', () => {
    const routes = env.routes();
    const named = endpoints.filter(({ method }) => method !== 'ANY');
    for (const { method, paths } of named)
      for (const path of paths) expect(methodsAt(routes, path.replace(/\{\w+\}/g, 'some-id'))).toContain(method);
  });
});

describe('a HEAD request', () => {
  it('gets the status and headers of GET on every GET route, from the same function with the same access', async () => {
    const withKey = { headers: { accept: 'application/json' } };
    for (const { paths } of endpoints.filter(({ method }) => method === 'GET'))
      for (const path of paths.map((named) => named.replace(/\{\w+\}/g, 'some-id')))
        for (const options of [withKey, program]) {
          const [head, get] = [await api.call(`HEAD ${path}`, options), await api.call(`GET ${path}`, options)];
          expect([path, head.status, head.headers]).toEqual([path, get.status, get.headers]);
        }
  });

  it('gets the same answer as GET at the address without a path', async () => {
    expect((await api.call('HEAD /', program)).status).toBe(200);
  });
});

describe('an address with a slash at its end', () => {
  it.each(['/dashboard', '/docs'])('303: leads to %s', async (path) => {
    const { status, headers } = await api.call(`GET ${path}/`, browser);
    expect([status, headers['location']]).toEqual([303, path]);
  });
});

describe('an address that no route has', () => {
  it.each([
    ['POST /subscriptions', 'Tillstack has no subscriptions.'],
    ['GET /invoices/payouts/po_1', 'Tillstack has no documents of payouts: your processor has them.'],
    ['POST /events/ingest', 'Tillstack has no usage events.'],
    ['GET /events', 'Tillstack has no usage events. Its webhook events are at /webhook-events.'],
    ['POST /nothing', 'There is no POST /nothing.'],
  ])('404: %s is answered as not found', async (request, message) => {
    const answer = await api.call(request, program);
    expectProblem(answer, 404, 'NOT_FOUND');
    expect(answer.body.message).toBe(message);
  });

  it('404: is answered with the reason where the path of another operation fits, as for short links', async () => {
    const answer = await api.call('GET /products/short_links');
    expectProblem(answer, 404, 'NOT_FOUND');
    expect(answer.body.message).toBe('Tillstack has no short links. The link to buy a product is /buy/{product_id}.');
  });

  it('404: is answered to a browser with a page of the dashboard or a page in the buyer’s language', async () => {
    const dashboard = await api.call('GET /dashboard/nowhere', browser);
    expect([dashboard.status, dashboard.text]).toEqual([404, expect.stringContaining('href="/dashboard/payments"')]);
    const german = { ...browser, headers: { ...browser.headers, 'accept-language': 'de' } };
    const { status, text } = await api.call('GET /nowhere', german);
    expect([status, text]).toEqual([404, expect.stringContaining('lang="de"')]);
  });
});
