import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { queryFieldsOf } from '../../../infra/contract/json-schema.ts';
import { operationOf } from '../../../infra/contract/operations.ts';
import { endpoints } from '../../../infra/endpoints.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import type { OfferedForm } from '../../soak/fuzz/forms.ts';
import { type FuzzShop, filled, openShop } from '../../soak/fuzz/shop.ts';
import { type Api, type ApiAnswer, type Call, startApi } from '../../support/shop/api.ts';
import { type Written, watchWrites } from '../../support/table/rows.ts';

let api: Api;
let shop: FuzzShop;
let writes: Written[];
beforeAll(async () => {
  api = await startApi();
  shop = await openShop(api);
  writes = watchWrites(table().client);
});
afterAll(() => api.stop());

/** A body has at most 256 KiB: a field that nearly fills it is looked at, one beyond is not. */
const longest = 'x'.repeat(250_000);
const tooLong = 'x'.repeat(300_000);
/** The CPU time that one request may take. Most take a hundredth of it. */
const mostCpuMs = 1_500;

interface Sent {
  what: string;
  status: number;
  cpuMs: number;
  written: number;
}

async function send(what: string, request: string, options: Call): Promise<Sent> {
  writes.length = 0;
  const before = process.cpuUsage();
  const { status }: ApiAnswer = await api.call(request, options);
  const { user, system } = process.cpuUsage(before);
  return { what, status, cpuMs: (user + system) / 1_000, written: writes.length };
}

/** What was not refused, or not cheaply. A refusal writes nothing. */
const dear = (sent: readonly Sent[]): Sent[] =>
  sent.filter(({ status, cpuMs, written }) => status < 400 || status >= 500 || cpuMs > mostCpuMs || written > 0);

/** Every member of a JSON body, at any depth, with a long text in its place. */
function swollen(value: unknown, text: string, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = `${path}.${key}`;
    const put = (part: unknown) => (Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part });
    const inner = swollen(member, text, place).map(([where, part]): [string, unknown] => [where, put(part)]);
    return [[place, put(text)] as [string, unknown], ...inner];
  });
}

/** Where an example of the shop is refused for another reason than its form: changed so that it is not. */
const fitting: Readonly<Record<string, object>> = {
  // another kind of price would take the product's prices of markets with it
  'PATCH /products/{id}': { price: { type: 'one_time_price', currency: 'EUR', price: 1_999, tax_inclusive: true } },
  'POST /checkout-sessions/create': { discount_codes: [] },
  'POST /checkouts/preview': { discount_codes: [] },
  'POST /webhooks': { idempotency_key: null },
  'PATCH /webhooks/{id}': { disabled: false },
  'POST /tax/overrides': { category: 'saas' },
};

/** Bodies that are answered 200, so that nothing is refused but the long field in them. A sandbox without a processor hears none. */
const bodies = (): [string, object][] =>
  Object.entries(shop.bodies)
    .filter(([route]) => route !== 'POST /processor/stripe')
    .map(([route, body]) => [route, { ...body, ...fitting[route] }]);

/** Commands about something that the shop does not have: a pool, a waiting grant, a licence key. */
const needsMore: readonly string[] = [
  'PATCH /entitlements/{id}',
  'POST /entitlements/{id}/codes',
  'POST /grants/{id}/license-key',
  'POST /licenses/activate',
  'POST /licenses/deactivate',
  'PATCH /license_keys/{id}',
  'POST /license_keys/{id}/reissue',
  'PATCH /license_key_instances/{id}',
];

const commands = endpoints.flatMap(({ method, paths: [path] }) =>
  method === 'GET' || method === 'ANY' ? [] : [`${method} ${path}`],
);
const requestOf = (route: string, ids = shop.ids): string => {
  const [method, path = ''] = route.split(' ');
  return `${method} ${filled(path, ids)}`;
};

describe('JSON', () => {
  it('with 250 kB in any field is refused fast, and writes nothing to the table', async () => {
    const sent: Sent[] = [];
    for (const [route, body] of bodies())
      for (const [place, big] of swollen(body, longest))
        sent.push(await send(`${route} ${place}`, requestOf(route), { body: big }));
    expect(sent.length).toBeGreaterThan(150);
    expect(dear(sent)).toEqual([]);
    const plain: Sent[] = [];
    for (const [route, body] of bodies()) plain.push(await send(route, requestOf(route), { body }));
    expect(plain.filter(({ what, status }) => status !== 200 && !needsMore.includes(what))).toEqual([]);
  });

  it('of 300 kB is refused by every command that has a body, and left unread by the others', async () => {
    const taking: Sent[] = [];
    const ignoring: Sent[] = [];
    for (const route of commands) {
      const example = shop.bodies[route];
      for (const key of [undefined, null, shop.readKey]) {
        const options = { body: { ...example, more: tooLong }, ...(key !== undefined && { key }) };
        // what ignores its body is carried out, so it gets an id that does not exist
        const request = example ? requestOf(route) : requestOf(route, {});
        (example ? taking : ignoring).push(await send(`${route} ${key}`, request, options));
      }
    }
    expect(taking.length).toBeGreaterThan(60);
    expect(dear(taking)).toEqual([]);
    expect(ignoring.filter(({ status, cpuMs }) => status >= 500 || cpuMs > mostCpuMs)).toEqual([]);
  });
});

describe('a query', () => {
  /** What API Gateway lets through has 10 kB of path, query and headers. */
  const long = 'x'.repeat(9_000);
  const queries = endpoints.flatMap(({ method, paths: [path], function: name }) =>
    queryFieldsOf(operationOf(name)?.query ?? z.object({})).map((field) => ({
      route: `${method} ${path}`,
      field: field.name,
    })),
  );

  it('with 9 kB in any parameter is refused fast, and writes nothing to the table', async () => {
    const sent: Sent[] = [];
    for (const { route, field } of queries) {
      const body = shop.bodies[route];
      sent.push(
        await send(`${route} ${field}`, requestOf(route), { query: `${field}=${long}`, ...(body && { body }) }),
      );
    }
    expect(sent.length).toBeGreaterThan(60);
    expect(dear(sent)).toEqual([]);
  });
});

const asForm = (
  fields: readonly (readonly [string, string])[],
  isMultipart: boolean,
): Pick<Call, 'raw' | 'headers'> => {
  const head = { 'sec-fetch-site': 'same-origin' };
  if (!isMultipart)
    return {
      raw: Buffer.from(new URLSearchParams(fields as [string, string][]).toString()),
      headers: { ...head, 'content-type': 'application/x-www-form-urlencoded' },
    };
  const parts = fields.map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    raw: Buffer.from(`${parts.join('')}--b--\r\n`),
    headers: { ...head, 'content-type': 'multipart/form-data; boundary=b' },
  };
};

const nameOf = ({ action, fields }: OfferedForm): string =>
  `${action} ${fields.find(([name]) => name === 'action')?.[1] ?? ''}`;

describe('a form', () => {
  it('with 300 kB in any field is refused fast, and writes nothing to the table', async () => {
    const forms = new Map(shop.forms.filter(({ method }) => method === 'POST').map((form) => [nameOf(form), form]));
    const sent: Sent[] = [];
    for (const [name, { action, fields, isMultipart }] of forms)
      for (const [index, [field]] of fields.entries()) {
        const big = fields.with(index, [field, tooLong]);
        const [path = '', query = ''] = action.split('?');
        const options = { ...asForm(big, isMultipart), cookies: shop.cookies, key: null, query };
        sent.push(await send(`${name} ${field}`, `POST ${path}`, options));
      }
    expect(sent.length).toBeGreaterThan(100);
    expect(dear(sent)).toEqual([]);
  });
});
