import { type Endpoint, endpoints } from '../../../infra/endpoints.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { between, pickOne } from '../../support/seeded.ts';
import type { OfferedForm } from './forms.ts';
import {
  jsonBody,
  multipart,
  mutatedFields,
  oddCookie,
  oddHeaders,
  oddSegment,
  oddText,
  query,
  urlEncoded,
} from './mutations.ts';
import type { FuzzRequest } from './request.ts';
import { type FuzzShop, filled } from './shop.ts';

type Random = () => number;

/** Every path of every line of the route table, each with a method that it takes; `$default` gets what is in no line. */
const routes = endpoints.flatMap((endpoint) => endpoint.paths.map((path) => ({ endpoint, path })));

const pathOf = (random: Random, path: string, shop: FuzzShop): string => {
  if (path === '$default') return `/${oddSegment(random)}${random() < 0.3 ? `/${oddSegment(random)}` : ''}`;
  if (!path.includes('{')) return path;
  const kind = random();
  if (kind < 0.7) return filled(path, shop.ids, (of) => pickOne(random, of));
  if (kind < 0.8) return filled(path, shop.ids, () => pickOne(random, Object.values(shop.ids).flat()));
  return path.replace(/\{\w+\}/, () => oddSegment(random));
};

const methodOf = (random: Random, { method }: Endpoint): string =>
  method === 'ANY' ? pickOne(random, ['GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) : method;

function credentials(random: Random, { access }: Endpoint, shop: FuzzShop): Pick<FuzzRequest, 'headers' | 'cookies'> {
  const kind = random();
  const cookies = random() < 0.85 ? [...shop.cookies] : [];
  if (random() < 0.08) cookies.push(oddCookie(random));
  if (access === 'public') return { headers: {}, cookies };
  if (kind < 0.9) return { headers: { authorization: `Bearer ${localKey}` }, cookies: [] };
  if (kind < 0.95) return { headers: { authorization: `Bearer ${shop.readKey}` }, cookies: [] };
  return {
    headers: kind < 0.98 ? { authorization: `Bearer ${oddText(random).replaceAll(/[^\x20-\x7e]/g, '')}` } : {},
    cookies: [],
  };
}

/** A request that an endpoint is there for, with something odd about it: every line of the table has its turn. */
function ordinary(random: Random, shop: FuzzShop, number: number): FuzzRequest {
  const { endpoint, path } = routes[number % routes.length] ?? pickOne(random, routes);
  const method = methodOf(random, endpoint);
  const { headers, cookies } = credentials(random, endpoint, shop);
  const example = shop.bodies[`${method} ${endpoint.paths[0]}`];
  const body = method === 'GET' || method === 'HEAD' ? undefined : jsonBody(random, example);
  return {
    endpoint,
    method,
    path: pathOf(random, path, shop),
    query: query(random),
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(random() < 0.3 && { 'idempotency-key': `fuzz-${between(random, 1, 50)}` }),
      ...headers,
      ...oddHeaders(random),
    },
    cookies,
    body,
  };
}

const endpointAt = (method: string, path: string): Endpoint | undefined => {
  const [address = ''] = path.split('?');
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address);
  return endpoints.find((endpoint) => ['ANY', method].includes(endpoint.method) && endpoint.paths.some(fits));
};

/** A form of a page, sent from its page with something odd in it. */
function submitted(random: Random, shop: FuzzShop, form: OfferedForm): FuzzRequest {
  const [offered = '', addressQuery = ''] = form.action.split('?');
  const other = offered.replace(/\/pay$/, '/quote');
  const path = random() < 0.5 ? offered : other;
  const endpoint = endpointAt(form.method, path);
  if (!endpoint) throw new Error(`No route for the form ${form.method} ${form.action}.`);
  const fields = mutatedFields(random, form.fields);
  const boundary = 'fuzz-boundary';
  const isMultipart = form.isMultipart ? random() < 0.8 : path.startsWith('/dashboard') && random() < 0.1;
  const isGet = form.method === 'GET';
  return {
    endpoint,
    method: form.method,
    path: random() < 0.9 ? path : path.replace(/[^/]+$/, () => oddSegment(random)),
    query: isGet
      ? urlEncoded(random, fields)
          .toString('latin1')
          .replaceAll(/[^\x21-\x7e]/g, '')
      : random() < 0.5
        ? addressQuery
        : query(random),
    headers: {
      ...(!isGet && {
        'content-type': isMultipart ? `multipart/form-data; boundary=${boundary}` : 'application/x-www-form-urlencoded',
      }),
      'sec-fetch-site': 'same-origin',
      ...(random() < 0.5 ? oddHeaders(random) : {}),
    },
    cookies: random() < 0.95 ? [...shop.cookies] : [oddCookie(random)],
    body: isGet ? undefined : isMultipart ? multipart(random, fields, boundary) : urlEncoded(random, fields),
  };
}

/** What would end the campaign's own session, or take its key: left to the tests that are about it. */
const endsSession = ({ action, fields }: OfferedForm): boolean =>
  action.endsWith('/sign-out') ||
  fields.some(([name, value]) => name === 'action' && /revoke|end|sign_out/.test(value));

/** The next request of a campaign: a form of a page in two of five. A path that was changed may be one of `$default`, or of no page. */
export function makeRequest(random: Random, shop: FuzzShop, number: number): FuzzRequest {
  const forms = shop.forms.filter((form) => !endsSession(form) || random() < 0.02);
  const made =
    random() < 0.4 && forms.length > 0
      ? submitted(random, shop, pickOne(random, forms))
      : ordinary(random, shop, number);
  return random() < 0.02 ? { ...made, path: made.path.replace(/.$/, '%') } : made;
}
