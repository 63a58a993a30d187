import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { endpoints } from '../../infra/endpoints.ts';
import { missingOperation } from '../../shared/routing/missing-operations.ts';

const page = new URL('../../docs/dialect.md', import.meta.url);
const sdk = fileURLToPath(new URL('../../node_modules/dodopayments/', import.meta.url));
const { version } = JSON.parse(readFileSync(`${sdk}package.json`, 'utf8')) as { version: string };

const calls = /this\._client\.(getAPIList|get|post|patch|put|delete)\(\s*(?:path\s*)?[`']([^`']+)[`']/g;

/** Every operation that the official library sends, as it stands in its code. */
const operations = globSync('resources/**/*.mjs', { cwd: sdk })
  .flatMap((file) => [...readFileSync(`${sdk}${file}`, 'utf8').matchAll(calls)])
  .map(([, verb = '', path = '']) => ({
    method: verb === 'getAPIList' ? 'GET' : verb.toUpperCase(),
    path: path.replace(/\$\{[^}]*\}/g, '{}'),
  }))
  .sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));

const answered = new Set(
  endpoints.flatMap(({ method, paths }) => paths.map((path) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)),
);

/** What an operation is answered: it works, or the reason that its 404 gives. */
const answerTo = ({ method, path }: (typeof operations)[number]): string | undefined =>
  answered.has(`${method} ${path}`) ? 'works' : missingOperation(method, path);

it('answers every operation of the official library, or says why not', () => {
  expect(operations.length).toBeGreaterThan(100);
  expect(operations.filter((one) => answerTo(one) === undefined)).toEqual([]);
});

it('lists them for integrators (UPDATE_DOCS=1 rewrites the list)', () => {
  const rows = operations.map((one) => `| ${one.method} | \`${one.path}\` | ${answerTo(one)} |`);
  const table = ['| method | path | answer |', '|---|---|---|', ...rows].join('\n');
  const text = `# The dialect's operations

What \`dodopayments\` ${version} can ask for, made from its code by \`test/docs/dialect.test.ts\` (\`UPDATE_DOCS=1 npx vitest run test/docs/dialect\` rewrites it). What is not here answers 404 with the
reason in its message.

${table}
`;
  if (process.env['UPDATE_DOCS']) writeFileSync(page, text);
  else expect(readFileSync(page, 'utf8')).toBe(text);
});
