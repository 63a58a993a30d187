import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../../infra/endpoints.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import type { FuzzRequest } from '../../soak/fuzz/request.ts';
import { invokeDirectly } from '../../soak/fuzz/send.ts';
import { type FuzzShop, filled, openShop } from '../../soak/fuzz/shop.ts';
import { growthOf, linear } from '../../support/cpu.ts';
import { campaign } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { repeated } from '../../support/wire/hostile.ts';

let api: Api;
let shop: FuzzShop;

beforeAll(async () => {
  api = await startApi();
  shop = await openShop(api);
});
afterAll(() => api.stop());

/** A request to a route that is in order but for one part of it, which has a size. */
type Shape = (size: number) => Partial<FuzzRequest>;

const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
const parts = { 'content-type': 'multipart/form-data; boundary=x', 'sec-fetch-site': 'same-origin' };

const header =
  (name: string, unit: string): Shape =>
  (size) => ({ headers: { [name]: repeated(unit, size) } });
const query =
  (unit: string): Shape =>
  (size) => ({ query: repeated(unit, size) });
const body =
  (headers: Record<string, string>, text: (size: number) => string): Shape =>
  (size) => ({ headers, body: Buffer.from(text(size)) });

/** What a gateway lets through is 10 kB; functions are held to ten times that. */
const headSize = 50_000;
const heads: Record<string, Shape> = {
  'many fields in the query': query('a=b&'),
  'many fields of one name': query('page_size=1&'),
  'nested escapes in the query': query('%25'),
  'digits in a cursor': (size) => ({ query: `cursor=${repeated('4', size)}` }),
  'a long language': (size) => ({ query: `lang=${repeated('de-', size)}` }),
  'combining marks for a customer': (size) => ({ query: `customer=${repeated('%CC%81%CC%A3', size)}` }),
  'many languages': header('accept-language', 'de;q=0.1,'),
  'many types': header('accept', 'text/html;q=0.1,'),
  'many encodings': header('accept-encoding', 'br;q=0,'),
  'a long key': header('authorization', 'Bearer \t'),
  'a long idempotency key': header('idempotency-key', '"x '),
  'a long retry count': header('x-stainless-retry-count', '1'),
  'a long origin': header('origin', 'http://a.'),
  'a long content type': header('content-type', 'application/json.'),
  'a long boundary': (size) => ({
    headers: { 'content-type': `multipart/form-data;${repeated(' boundary', size)}` },
    body: Buffer.from('x'),
  }),
  'a long cookie': (size) => ({ cookies: [`tillstack=${repeated('a.', size)}`] }),
  'many cookies': (size) => ({ cookies: Array(size / 10).fill('a=b') }),
  'a long path': (size) => ({ path: `/x${repeated('%2F', size)}` }),
};

/** The most that a JSON body may have is 256 KiB; a form of a buyer 64 KiB, one of the dashboard 3 MB. */
const bodySize = 30_000;
const bodies: Record<string, Shape> = {
  'JSON in deep arrays': body(json, (size) => '['.repeat(size)),
  'JSON in deep objects': body(json, (size) => repeated('{"a":', size)),
  'JSON of many keys': body(
    json,
    (size) => `{${Array.from({ length: size / 10 }, (_, at) => `"k${at}":1`).join(',')}}`,
  ),
  'JSON of one key, many times': body(json, (size) => `{${repeated('"a":1,', size)}"a":1}`),
  'JSON of many elements': body(json, (size) => `[${repeated('1,', size)}1]`),
  'JSON of quotes': body(json, (size) => repeated('"\\', size)),
  'JSON of a number': body(json, (size) => '1'.repeat(size)),
  'JSON of white space': body(json, (size) => ' '.repeat(size)),
  'a form of many fields': body(form, (size) => repeated('a=b&', size)),
  'a form of many amounts': body(form, (size) => repeated('amount.x=1&', size)),
  'a form of escapes': body(form, (size) => repeated('%25', size)),
  'a form of marks': body(form, (size) => `country=US&region=Q${'\u0301\u0323'.repeat(size / 4)}`),
  'many parts': body(parts, (size) => repeated('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n', size)),
  'a part with a long head': body(
    parts,
    (size) => `--x\r\n${repeated('content-disposition: form-data; name="', size)}\r\n\r\nb\r\n--x--`,
  ),
  'a part of line breaks': body(
    parts,
    (size) => `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${repeated('\r\n--', size)}`,
  ),
};

const isSignedIn = ({ access, paths: [path] }: Endpoint): boolean =>
  access === 'public' && path.startsWith('/dashboard');

const requestOf = (endpoint: Endpoint, method: string, part: Partial<FuzzRequest>): FuzzRequest => ({
  endpoint,
  method,
  path: endpoint.paths[0] === '$default' ? '/x' : filled(endpoint.paths[0], shop.ids),
  query: '',
  body: undefined,
  ...part,
  headers: {
    ...(endpoint.access === 'public' ? { accept: 'application/json' } : { authorization: `Bearer ${localKey}` }),
    ...part.headers,
  },
  cookies: [...(isSignedIn(endpoint) ? shop.cookies : []), ...(part.cookies ?? [])],
});

const routes = endpoints.flatMap((endpoint) =>
  (endpoint.method === 'ANY' ? ['GET', 'POST'] : [endpoint.method]).map((method) => ({
    endpoint,
    method,
    route: `${method} ${endpoint.paths[0]}`,
  })),
);

const isAnonymous = ({ access, paths: [path] }: Endpoint): boolean =>
  access === 'public' && !path.startsWith('/dashboard');

/**
 * Routes share their code, and the shapes among them: those that anybody may call in fours, those with a key or a session
 * in eights. `npm run guards` sends every shape to what anybody may call.
 */
function shapesOf(method: string, endpoint: Endpoint): [string, Shape, number][] {
  const all = [
    ...Object.entries(heads).map(([name, shape]): [string, Shape, number] => [name, shape, headSize]),
    ...(method === 'GET' ? [] : Object.entries(bodies)).map(([name, shape]): [string, Shape, number] => [
      name,
      shape,
      bodySize,
    ]),
  ];
  const share = isAnonymous(endpoint) ? campaign(1, 1, 4) : campaign(1, 8);
  return all.filter((_, at) => (at + endpoints.indexOf(endpoint)) % share === 0);
}

const units = ['\u0301\u0323', '4 ', 'a.'];

/** What a field is filled with: each field with one of them, and with all of them in `npm run guards`. */
const unitsOf = (place: number): string[] => units.filter((_, at) => campaign(true, true, at === place % units.length));

async function steepOf(name: string, shape: Shape, request: (part: Partial<FuzzRequest>) => FuzzRequest, size: number) {
  const growth = await growthOf(shape, (part) => invokeDirectly(request(part)), size);
  return growth >= linear ? [`${name}: × ${growth.toFixed(1)}`] : [];
}

describe('the CPU time of a request', () => {
  it.each(routes)('to $route grows no faster than the length of the request', async ({ endpoint, method }) => {
    const steep: string[] = [];
    for (const [name, shape, size] of shapesOf(method, endpoint))
      steep.push(...(await steepOf(name, shape, (part) => requestOf(endpoint, method, part), size)));
    expect(steep).toEqual([]);
  });

  it('grows no faster than the length of any form field of any page', async () => {
    const steep: string[] = [];
    const posted = shop.forms.filter(({ method, action }) => method === 'POST' && !/sign-(in|out)/.test(action));
    const seen = new Set<string>();
    for (const { action, fields } of posted) {
      const path = (action.split('?')[0] ?? '').replace(/\/pay$/, '/quote');
      const endpoint = endpoints.find(({ paths }) => paths.some((pattern) => fits(pattern, path)));
      if (!endpoint) throw new Error(`No route for a form to ${path}.`);
      for (const [name] of fields.filter(([field]) => !isOfForm.includes(field))) {
        if (seen.has(`${endpoint.function} ${name}`)) continue;
        seen.add(`${endpoint.function} ${name}`);
        for (const unit of unitsOf(seen.size)) {
          const shape: Shape = (size) => ({
            path,
            headers: form,
            body: Buffer.from(
              new URLSearchParams([
                ...fields.filter(([field]) => field !== name),
                [name, `Q${repeated(unit, size)}`],
              ]).toString(),
            ),
          });
          const known = await steepOf(
            `${path} ${name} of ${JSON.stringify(unit)}`,
            shape,
            (part) => ({ ...requestOf(endpoint, 'POST', part), path }),
            8_000,
          );
          steep.push(...known);
        }
      }
    }
    expect(seen.size).toBeGreaterThan(40);
    expect(steep).toEqual([]);
  });
});

/** What makes a form one of its page. */
const isOfForm = ['token', 'form_id', 'action'];

const fits = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
