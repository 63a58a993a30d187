import { between, pickOne } from '../../support/seeded.ts';
import { hostileUnits, repeated } from '../../support/wire/hostile.ts';

type Random = () => number;

const oddTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udc00x',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e400',
  '9007199254740993',
  '0x10',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '..',
  '.',
  '%',
  '%00',
  '%2e%2e',
  '%E0%A4%A',
  '%c0%ae',
  '%ff',
  '{{7*7}}',
  '$\u007b7*7}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' OR 1=1 --",
  '=1+1',
  '\r\nset-cookie: a=b',
  '\u202eevil',
  '\ufeff',
  '4242 4242 4242 4242',
  '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
  '4242%204242%204242%204242',
  'javascript:alert(1)',
  'https://@evil.example/',
  'https://xn--a.example',
  'http://[::1',
  'a@b',
  'ada@example.com',
  'DE',
  'US',
  'XX',
  'EUR',
  'XXX',
  '2026-13-45',
  '0000-00-00',
  '2026-03-01',
  '+275760-09-13T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-03-01T00:00:00+24:00',
  '-000001-01-01T00:00:00Z',
  'payment.succeeded',
  'read',
  'write',
  'admin',
  'A'.repeat(101),
  'é'.repeat(255),
  '🐦'.repeat(300),
];

/** A text that is none of what anybody expects; long ones are rare, as they cost time. */
export function oddText(random: Random): string {
  if (random() < 0.12)
    return repeated(pickOne(random, Object.values(hostileUnits)), pickOne(random, [40, 300, 2_100, 9_000]));
  if (random() < 0.15)
    return Array.from({ length: between(random, 1, 30) }, () => String.fromCharCode(between(random, 0, 0xffff))).join(
      '',
    );
  return pickOne(random, oddTexts);
}

const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  0.1,
  1e-7,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53,
  1e300,
  [],
  {},
  [[]],
  [null],
  { a: null },
  [1, 'a', {}],
  { toString: 1 },
  { $ne: null },
  { valueOf: 'x' },
];

const nested = (random: Random): unknown => {
  let value: unknown = 'x';
  for (let depth = between(random, 2, 30); depth > 0; depth -= 1) value = random() < 0.5 ? [value] : { a: value };
  return value;
};

function oddValue(random: Random): unknown {
  const kind = random();
  if (kind < 0.5) return oddText(random);
  if (kind < 0.9) return pickOne(random, oddValues);
  if (kind < 0.95) return nested(random);
  return Array(between(random, 10, 200)).fill(pickOne(random, oddValues));
}

/** A copy with something else somewhere in it. */
function mutatedValue(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.1) return oddValue(random);
  if (Array.isArray(value)) return mutatedArray(random, value);
  return mutatedObject(random, value as Record<string, unknown>);
}

function mutatedArray(random: Random, value: readonly unknown[]): unknown[] {
  const at = between(random, 0, Math.max(0, value.length - 1));
  if (random() < 0.2) return [...value, ...value, oddValue(random)];
  return value.map((item, index) => (index === at ? mutatedValue(random, item) : item));
}

function mutatedObject(random: Random, value: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(value);
  const copy = { ...value };
  const name = names.length > 0 ? pickOne(random, names) : 'x';
  const kind = random();
  if (kind < 0.15) delete copy[name];
  else if (kind < 0.3) Object.defineProperty(copy, oddText(random), { value: oddValue(random), enumerable: true });
  else copy[name] = mutatedValue(random, copy[name]);
  return copy;
}

/** Bytes that are nearly the JSON they were. */
function mutatedBytes(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = between(random, 0, Math.max(0, copy.length - 1));
  const kind = random();
  if (kind < 0.3) return copy.subarray(0, at);
  if (kind < 0.6 && copy.length > 0) copy[at] = between(random, 0, 255);
  if (kind < 0.8) return Buffer.concat([copy.subarray(0, at), Buffer.from(oddText(random)), copy.subarray(at)]);
  return Buffer.concat([copy, copy]);
}

const jsonOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '');

/** A JSON body: mostly well formed with something odd in it, sometimes as it should be, sometimes no JSON at all. */
export function jsonBody(random: Random, body: object | undefined): Buffer | undefined {
  const kind = random();
  if (body === undefined) return kind < 0.7 ? undefined : jsonOf(oddValue(random));
  if (kind < 0.12) return jsonOf(body);
  if (kind < 0.75) return jsonOf(mutatedValue(random, body));
  if (kind < 0.85) return jsonOf(mutatedValue(random, mutatedValue(random, body)));
  if (kind < 0.95) return mutatedBytes(random, jsonOf(body));
  return random() < 0.5 ? Buffer.alloc(0) : Buffer.from('['.repeat(between(random, 10, 5_000)));
}

/** The fields of a form with some missing, doubled, renamed or filled with something odd. */
export function mutatedFields(random: Random, fields: readonly [string, string][]): [string, string][] {
  const changes = random() < 0.15 ? 0 : between(random, 1, 3);
  let copy = [...fields];
  for (let change = 0; change < changes; change += 1) {
    const at = between(random, 0, Math.max(0, copy.length - 1));
    const [name = 'x', value = ''] = copy[at] ?? [];
    const kind = random();
    if (kind < 0.65) copy[at] = [name, oddText(random)];
    else if (kind < 0.75) copy.splice(at, 1);
    else if (kind < 0.85) copy.push([name, value]);
    else if (kind < 0.95) copy.push([oddText(random), oddText(random)]);
    else copy = Array(between(random, 2, 300)).fill([name, value]);
  }
  return copy;
}

/** As browsers encode it, or nearly. */
export function urlEncoded(random: Random, fields: readonly [string, string][]): Buffer {
  const text = new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()]),
  ).toString();
  return random() < 0.05 ? mutatedBytes(random, Buffer.from(text)) : Buffer.from(text);
}

/** The same in parts, with a file that is none. */
export function multipart(random: Random, fields: readonly [string, string][], boundary: string): Buffer {
  const part = (head: string, data: Buffer) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
      data,
      Buffer.from('\r\n'),
    ]);
  const parts = fields.map(([name, value]) =>
    name === 'image'
      ? part('name="image"; filename="a.png"', random() < 0.5 ? Buffer.alloc(0) : Buffer.from(oddText(random)))
      : part(`name="${name.replaceAll(/["\r\n]/g, '')}"`, Buffer.from(value)),
  );
  const whole = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return random() < 0.1 ? mutatedBytes(random, whole) : whole;
}

/** A part of a path: encoded well, not at all, or wrongly. */
export function oddSegment(random: Random): string {
  const text = oddText(random);
  if (random() < 0.15) return 'x'.repeat(between(random, 90, 2_500));
  if (random() < 0.6) return encodeURIComponent(text.toWellFormed()).slice(0, 6_000);
  return text.replaceAll(/[^\x21-\x7e]|[?#/]/g, '').slice(0, 4_000) || '%';
}

const queryNames = [
  'page_number',
  'page_size',
  'cursor',
  'created_at_gte',
  'created_at_lte',
  'status',
  'customer_id',
  'brand_id',
  'product_id',
  'currency',
  'subscription_id',
  'archived',
  'include_archived',
  'limit',
  'iterator',
  'series',
  'force_update',
  'lang',
  'format',
  'next',
  'after',
  'from',
  'to',
  'customer',
  'done',
  'type',
  'token',
  'x',
];
const queryValues = [
  '1',
  '100',
  '2',
  'true',
  'de',
  'pdf',
  'html',
  'json',
  'INV-2026',
  '2026-01-01',
  '2026-12-31',
  'succeeded',
  'EUR',
  '/dashboard/keys',
  'https://evil.example',
  '2026-01-01T00:00:00Z',
  'AAAA.AAAA',
];

export function query(random: Random): string {
  if (random() < 0.45) return '';
  const count = random() < 0.05 ? between(random, 20, 600) : between(random, 1, 3);
  const one = () => {
    const name = random() < 0.9 ? pickOne(random, queryNames) : oddSegment(random);
    return `${name}=${random() < 0.5 ? encodeURIComponent(pickOne(random, queryValues)) : oddSegment(random)}`;
  };
  return Array.from({ length: count }, one).join('&').slice(0, 8_000);
}

/** What a header may hold on the wire. */
const headerText = (random: Random): string =>
  oddText(random)
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, 4_000);

const headerValues: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    '',
    'application/json',
    'application/json; charset=utf-16',
    'application/problem+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="x"',
    'application/jsonp',
  ],
  accept: ['*/*', 'text/html', 'application/json', 'application/pdf;q=0', 'text/html;q=a,*/*;q=-1', ','],
  'accept-encoding': ['br', 'gzip', 'br;q=0, *', 'identity'],
  'accept-language': ['de-AT,de;q=0.9', '*', 'xx', ';q=', 'de;q=1e999'],
  'idempotency-key': ['a', '"a"', '""', 'x'.repeat(256), 'ünique', ' a'],
  'x-stainless-retry-count': ['1', '-1', '1e9', 'NaN', '0x1'],
  'sec-fetch-site': ['same-origin', 'cross-site', 'none'],
  origin: ['null', 'http://localhost:4000', 'https://evil.example'],
  'hx-request': ['true', 'false'],
  range: ['bytes=0-1'],
  'if-none-match': ['*'],
};

/** Some headers beside those that the request needs. */
export function oddHeaders(random: Random): Record<string, string> {
  const names = Object.keys(headerValues).filter(() => random() < 0.12);
  return Object.fromEntries(
    names.map((name) => [name, random() < 0.6 ? pickOne(random, headerValues[name] ?? ['']) : headerText(random)]),
  );
}

export const oddCookie = (random: Random): string =>
  `${pickOne(random, ['tillstack', '__Host-tillstack', 'buyer', 'x', ''])}=${headerText(random).replaceAll(/[;,]/g, '')}`;
