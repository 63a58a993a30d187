import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beyond } from '../../../infra/commands/integrator/contract/beyond.ts';
import { commandName } from '../../../infra/commands/integrator/contract/names.ts';
import { plainShape } from '../../../infra/commands/integrator/contract/shapes.ts';
import { tillstack } from '../../../infra/commands/integrator/tillstack.ts';
import { runWords } from './command-line.ts';

interface Content {
  schema: object;
  example?: unknown;
}

interface Operation {
  operationId: string;
  tags: [string];
  security: object[];
  parameters?: { name: string; in: string; schema: { type?: string; enum?: string[]; format?: string } }[];
  requestBody?: { content: { 'application/json': Content } };
  responses: { 200: { content: { 'application/json': Content } } };
}

const contract: { paths: Record<string, Record<string, Operation>> } = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
);

const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation,
    name: commandName(operation),
  })),
);

const key = `sk_test_${'k'.repeat(32)}`;

interface Request {
  method: string | undefined;
  url: URL;
  headers: IncomingMessage['headers'];
  body: unknown;
}

/** What was sent to the server, and what it answers. */
const requests: Request[] = [];
let answer: unknown;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(async (message, response) => {
    const chunks = await message.toArray();
    const text = Buffer.concat(chunks).toString();
    const { method, headers } = message;
    requests.push({ method, headers, url: new URL(message.url ?? '', url), body: text && JSON.parse(text) });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function call(args: string[], options: Parameters<typeof runWords>[1] = {}) {
  requests.length = 0;
  const run = await runWords(args, { environment: { url, key }, ...options });
  return { ...run, request: requests[0] };
}

/** The words of the example that the help of a command shows, without the shell's quotes. */
function exampleOf(name: string): string[] {
  const [example = ''] = tillstack.commands.find((command) => command.name === name)?.examples ?? [];
  const words = example.match(/('(?:[^']|'\\'')*'|[^\s'])+/g) ?? [];
  return words.map((word) => (word.startsWith("'") ? word.slice(1, -1).replaceAll(String.raw`'\''`, "'") : word));
}

const sampleOf = ({ type, enum: [choice] = [], format }: { type?: string; enum?: string[]; format?: string }): string =>
  choice ?? (format === 'date-time' ? '2026-03-01T12:00:00Z' : type === 'integer' ? '7' : 'text');

/** The example of an answer; of a list, its last page. */
function lastPageOf({ responses }: Operation): unknown {
  const { example } = responses[200].content['application/json'];
  return typeof example === 'object' && example && 'has_more' in example ? { ...example, has_more: false } : example;
}

/** The options that fill a query, and the query that they make. */
function queryOf({ parameters = [] }: Operation) {
  const fields = parameters.filter((one) => one.in === 'query');
  const isPaged = fields.some(({ name }) => name === 'page_size');
  const chosen = fields.filter(({ name }) => !isPaged || !['cursor', 'page_size', 'page_number'].includes(name));
  const words = chosen.flatMap(({ name, schema }) => {
    const option = { created_at_gte: 'since', created_at_lte: 'until' }[name] ?? name.replaceAll('_', '-');
    return schema.type === 'boolean' ? [`--${option}`] : [`--${option}`, sampleOf(schema)];
  });
  const pairs = chosen.map(({ name, schema }) => [name, schema.type === 'boolean' ? 'true' : sampleOf(schema)]);
  const paging = isPaged ? { cursor: 'start', page_size: '20' } : {};
  return { words, query: { ...Object.fromEntries(pairs), ...paging } };
}

describe('every operation of the contract', () => {
  it('has a command with a unique name', () => {
    const names = tillstack.commands.map((command) => command.name);
    for (const { name } of operations) expect(names).toContain(name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(operations)('explains its command $name in the help', async ({ name }) => {
    const { code, out, error } = await call([...name.split(' '), '--help']);
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain(`npm run tillstack -- ${name}`);
    expect(out).not.toMatch(/undefined|\[object|`/);
  });

  it.each(operations)('is called by the command $name with its method, path, query and body', async (one) => {
    const { path, method, operation, name } = one;
    answer = operation.responses[200].content['application/json'].example;
    const { words, query } = queryOf(operation);
    const { code, out, error, request } = await call([
      ...exampleOf(name),
      ...words,
      ...(beyond[operation.operationId]?.asks ? ['--yes'] : []),
    ]);
    expect([code, error]).toEqual([0, '']);
    expect(out).not.toMatch(/undefined|\[object/);
    expect(request?.method).toBe(method);
    expect(decodeURIComponent(request?.url.pathname ?? '')).toMatch(
      new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    );
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual(query);
    expect(request?.body).toEqual(operation.requestBody?.content['application/json'].example ?? '');
    expect(request?.headers.authorization).toBe(operation.security.length === 0 ? undefined : `Bearer ${key}`);
  });

  it.each(operations)('is printed as JSON for scripts by the command $name', async ({ operation, name }) => {
    answer = lastPageOf(operation);
    const asks = beyond[operation.operationId]?.asks ? ['--yes'] : [];
    const { out } = await call([...exampleOf(name), ...asks, '--json']);
    const { items } = answer as { items?: unknown };
    expect([items, answer]).toContainEqual(JSON.parse(out));
  });
});

it('Every column of a printed table is a field of the contract', () => {
  for (const { operation } of operations) {
    const { columns = [] } = beyond[operation.operationId] ?? {};
    const list = plainShape(operation.responses[200].content['application/json'].schema);
    for (const column of columns) {
      const found = column
        .split('.')
        .reduce(
          (schema, name) => plainShape(schema.properties?.[name] ?? {}),
          plainShape(plainShape(list.properties?.['items'] ?? {}).items ?? {}),
        );
      expect([column, found.type]).toEqual([column, expect.any(String)]);
    }
  }
});

it('Extra settings of commands refer only to operations of the contract', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(beyond)));
});

describe('the values of a request body', () => {
  const product = ['products', 'create', 'Atlas', '--category', 'e_book'];

  it('Amounts are typed with all decimals of their currency, and include the tax by default', async () => {
    answer = {};
    const { request } = await call([
      ...product,
      '--price',
      '24.00',
      '--currency',
      'eur',
      '--preset-amounts',
      '24.00',
      '--preset-amounts',
      '30.00',
    ]);
    expect(request?.body).toEqual({
      name: 'Atlas',
      description: 'Atlas',
      tax_category: 'e_book',
      tax_inclusive: true,
      price: { type: 'one_time_price', currency: 'EUR', price: 2_400, preset_amounts: [2_400, 3_000] },
    });
  });

  it.each([
    [['--price', '24'], '--price.price needs the currency'],
    [['--price', '24', '--currency', 'EUR'], '--price.price must be an amount of EUR'],
    [['--price', '24.00', '--currency', 'XYZ'], 'ISO 4217'],
    [['--data', '[]'], '--data must be a JSON object'],
    [['--adjustable-quantity.maximum', '1.5'], 'must be a whole number'],
    [['--metadata', 'shelf'], '--metadata must be JSON, or name=value'],
    [['--p', 'x'], "Unknown option '--p'"],
    [['--tax', 'x'], 'can be'],
  ])('The command refuses %j before it sends a request', async (words, message) => {
    const { code, error, request } = await call([...product, ...words]);
    expect([code, error, request]).toEqual([2, expect.stringContaining(message), undefined]);
  });

  it('Lists of objects are typed as pairs, and options override the fields of --data', async () => {
    answer = {};
    const { request } = await call([
      ...['checkouts', 'create', '--product-cart', 'product_id=pdt_1,quantity=2', '--country', 'de'],
      ...[
        '--data',
        '{"customer":{"email":"a@example.com"},"billing_address":{"city":"Bonn"}}',
        '--metadata',
        'order=7',
      ],
    ]);
    expect(request?.body).toEqual({
      product_cart: [{ product_id: 'pdt_1', quantity: 2 }],
      customer: { email: 'a@example.com' },
      billing_address: { city: 'Bonn', country: 'DE' },
      metadata: { order: '7' },
    });
  });
});

it('A command that cannot be undone asks for confirmation, and scripts must pass --yes', async () => {
  answer = {};
  const words = ['webhooks', 'delete', 'whk_1'];
  expect(await call(words, { environment: { url, key }, confirms: false })).toMatchObject({
    code: 1,
    request: undefined,
  });
  expect(await call(words)).toMatchObject({ code: 2, request: undefined });
  expect(await call([...words, '--yes'])).toMatchObject({ code: 0, request: { method: 'DELETE' } });
});

it('An id that contains a slash stays one segment of the path', async () => {
  answer = {};
  expect((await call(['payments', 'get', 'a/b?c'])).request?.url.pathname).toBe('/payments/a%2Fb%3Fc');
  expect(await call(['payments', 'get', '..'])).toMatchObject({ code: 2, request: undefined });
});
