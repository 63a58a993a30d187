import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Endpoint, endpoints } from '../../infra/endpoints.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { testCards } from '../../shared/processor/sandbox.ts';

const path = new URL('../../README.md', import.meta.url);
const readme = readFileSync(path, 'utf8');

/** What the handler says of itself: the paths in its comment are checked as well. */
function row({ method, paths, function: file, access }: Endpoint): string {
  const routes = paths.map((route) => `\`${route}\``).join(', ');
  return `| ${method} | ${routes} | ${access} | [${file}](functions/${file}.ts) |`;
}

const table = [
  '| method | path | key | function |',
  '|---|---|---|---|',
  ...endpoints.filter(({ paths }) => paths[0] !== '$default').map(row),
].join('\n');

it('lists every endpoint of the route table in the README (UPDATE_README=1 writes it anew)', () => {
  const section = /<!-- endpoints -->\n([\s\S]*?)<!-- \/endpoints -->/;
  if (process.env['UPDATE_README'])
    writeFileSync(path, readme.replace(section, `<!-- endpoints -->\n${table}\n<!-- /endpoints -->`));
  else expect(section.exec(readme)?.[1]).toBe(`${table}\n`);
});

it('names the key of the local sandbox as it is', () => expect(readme).toContain(localKey));

it('lists every test card with its outcome', () => {
  const lines = testCards.map(({ number, label }) => `| \`${number.slice(-4)}\` | ${label} |`);
  expect(readme).toContain(lines.join('\n'));
});
