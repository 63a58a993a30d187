import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { endpoints } from '../../infra/endpoints.ts';
import { findRouteIn } from '../../infra/local/local-gateway.ts';
import { missingOperation } from '../../shared/site/missing-operations.ts';
import { findDrifts } from '../drift/drifts.ts';
import { readLibrary } from '../drift/library.ts';
import { dialectDifferences, pythonOnly } from './dialect-differences.ts';
import { harmlessFields } from './harmless-fields.ts';

const page = new URL('../../docs/dialect.md', import.meta.url);
const sdk = fileURLToPath(new URL('../../node_modules/dodopayments/', import.meta.url));
const { version } = JSON.parse(readFileSync(`${sdk}package.json`, 'utf8')) as { version: string };

const calls = /this\._client\.(getAPIList|get|post|patch|put|delete)\(\s*(?:path\s*)?[`']([^`']+)[`']/g;

interface Asked {
  method: string;
  path: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the contract
type Loose = any;

/** Every operation that the official libraries send, as it stands in the code of the one for TypeScript. */
const operations: Asked[] = [
  ...globSync('resources/**/*.mjs', { cwd: sdk })
    .flatMap((file) => [...readFileSync(`${sdk}${file}`, 'utf8').matchAll(calls)])
    .map(([, verb = '', path = '']) => ({
      method: verb === 'getAPIList' ? 'GET' : verb.toUpperCase(),
      path: path.replace(/\$\{[^}]*\}/g, '{}'),
    })),
  ...pythonOnly.map(([method, path]) => ({ method, path })),
].sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));

const answered = new Set(
  endpoints.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)),
);
const nameOf = ({ method, path }: Asked): string => `${method} ${path}`;
const works = (one: Asked): boolean => answered.has(nameOf(one));

const contract = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
const additions = Map.groupBy(
  findDrifts(readLibrary(sdk), contract).drifts.filter(({ kind }) => kind === 'additional'),
  ({ where }) => where.replace(/^(\S+ [^.]+).*/, '$1'),
);

/** `items[].price_detail.maximum_price` is shown as `maximum_price`. What only pages of the library have is no field. */
const addedTo = (one: Asked): string[] => {
  const fields = (additions.get(nameOf(one)) ?? []).map(({ where }) => where.replace(/^.*\./, ''));
  return [...new Set(fields)].filter((field) => !['iterator', 'prev_iterator', 'done'].includes(field));
};

/** The fields of the dialect that are accepted in its body without effect. */
function ignoredBy({ method, path }: Asked): string[] {
  const found = Object.entries<Loose>(contract.paths).find(([template]) => template.replace(/\{\w+\}/g, '{}') === path);
  const { $ref = '' } = found?.[1][method.toLowerCase()]?.requestBody?.content['application/json'].schema ?? {};
  return contract.components.schemas[$ref.replace(/.*\//, '')]?.['x-ignored-fields'] ?? [];
}

const listed = (title: string, fields: readonly string[]): string[] =>
  fields.length === 0 ? [] : [`${title}: ${fields.map((field) => `\`${field}\``).join(', ')}.`];

/** How an operation that works differs; empty where nothing is known. */
const differencesOf = (one: Asked): string =>
  [
    ...(dialectDifferences[nameOf(one)] ? [dialectDifferences[nameOf(one)]] : []),
    ...listed('Answers more', addedTo(one)),
    ...listed('Ignores', ignoredBy(one)),
  ].join(' ');

it('the API answers every operation of the official library, or the docs say why not', () => {
  expect(operations.length).toBeGreaterThan(100);
  expect(operations.filter((one) => !works(one) && missingOperation(one.method, one.path) === undefined)).toEqual([]);
});

it('no operation that is missing has a route, but for one, whose function says why it is missing', () => {
  const match = findRouteIn(endpoints);
  const found = operations.filter(
    (one) => !works(one) && match(one.method, one.path.replaceAll('{}', 'x'))?.function !== 'routing/refuse-route',
  );
  expect(found.map(nameOf)).toEqual(['GET /products/short_links']);
});

it('the docs list differences only for operations that the API answers', () => {
  const working = operations.filter(works).map(nameOf);
  expect(Object.keys(dialectDifferences).filter((name) => !working.includes(name))).toEqual([]);
});

it('the docs say of each ignored field why ignoring it does no harm', () => {
  const explained = new Set(harmlessFields.flatMap(({ fields }) => fields));
  const ignored = operations.flatMap(ignoredBy);
  expect(ignored).toContain('short_link');
  expect(ignored.filter((field) => !explained.has(field))).toEqual([]);
});

it('the docs list the operations for integrators (UPDATE_DOCS=1 rewrites the list)', () => {
  const rows = operations.map((one) =>
    works(one)
      ? `| ${one.method} | \`${one.path}\` | yes | ${differencesOf(one)} |`
      : `| ${one.method} | \`${one.path}\` | no | ${missingOperation(one.method, one.path)} |`,
  );
  const table = ['| method | path | works | differs how, or why it is not here |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
  const harmlessTable = [
    '| where | fields | why nobody is misled |',
    '|---|---|---|',
    ...harmlessFields.map(
      ({ where, fields, because }) => `| ${where} | ${fields.map((field) => `\`${field}\``).join(', ')} | ${because} |`,
    ),
  ].join('\n');
  const text = `# The dialect's operations

What \`dodopayments\` ${version} for TypeScript can ask for, and 1.123 for Python, made from the library's code and types by \`test/docs/dialect.test.ts\` (\`UPDATE_DOCS=1 npx vitest run test/docs/dialect\` rewrites it).
What is not here answers 404 with the reason in its message. "Answers more" are fields that the library for TypeScript does not know, "Ignores" are [harmless fields](#harmless-fields) of a body that change nothing.

The [libraries themselves](#the-libraries) drive what works.

Everywhere: unknown fields are refused by name, every success is 200, and a key of the wrong access gets 403.
A field that is not supported is refused by name, with 422 and what to do instead, when it asks for something. It passes when it asks for nothing: \`force_3ds: false\`, \`custom_fields: []\`, \`addons: null\`.

Version 0.2.0 ignored some of these fields. So that an upgrade stops no checkout, a stack leaves them out of requests until its merchant's file says [\`strictFields\`](configuration.md#merchant).
Each use is in the log, and the dashboard's overview names the field. New merchants' files have \`strictFields\`.

${table}

## The libraries

| library | how it is tried | what it said |
|---|---|---|
| TypeScript ${version} | in every test run | all of the operations above that work |
| Python 1.123 | \`npm run drift -- --python\`, which parses every answer strictly | no answer breaks its models |
| Go 1.113 | by hand on 27 November 2026, from the source in its repository, because the public module proxy does not serve it. The guides' code in Go and curl is run by the tests | a purchase, lists, a refund, an invoice, a code and signed webhooks: 46 checks, none failed |
| Java 1.106.1 | by hand in November 2026, built from source, with strict validation of each answer | 209 checks passed. What failed is in the next table |

What a library with strict types meets here:

| where | what | why, and what to do |
|---|---|---|
| countries in answers | \`XK\` | Kosovo buys here, and ISO 3166-1, which the libraries list, has no code for it. Read the country as text. |
| currencies in answers | \`XCG\` | The Caribbean guilder replaced \`ANG\` on 31 March 2025, and the libraries list \`ANG\` alone. Read the currency as text. |
| webhooks | event types that only Tillstack has | No library knows them. Endpoints get them only if they [name them](integrators.md#own-event-types), so leave them out where a typed receiver listens. |
| \`POST /products\` | \`description\` is required | The libraries let it be left out, and it is then refused with 422. Send it: checkout and documents show it. |

## Harmless fields

These are accepted with every value and change nothing.

${harmlessTable}
`;
  if (process.env['UPDATE_DOCS']) writeFileSync(page, text);
  else expect(readFileSync(page, 'utf8')).toBe(text);
});
