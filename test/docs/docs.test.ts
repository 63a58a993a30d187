import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorAdvice } from '../../infra/commands/integrator/advice.ts';
import { tillstack } from '../../infra/commands/integrator/tillstack.ts';
import { type Endpoint, endpoints } from '../../infra/endpoints.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { testCards } from '../../shared/outside/processor/sandbox/sandbox-cards.ts';

const path = new URL('../../docs/integrators.md', import.meta.url);
const page = readFileSync(path, 'utf8');

const root = new URL('../../', import.meta.url);
const pages = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md'],
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(new URL(folder, root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** The line of the table that describes an endpoint. */
function row({ method, paths, function: file, access }: Endpoint): string {
  const routes = paths.map((route) => `\`${route}\``).join(', ');
  return `| ${method} | ${routes} | ${access} | [${file}](../functions/${file}.ts) |`;
}

const table = [
  '| method | path | key | function |',
  '|---|---|---|---|',
  ...endpoints.filter(({ paths: [path = ''] }) => !/^(\$default|\/dashboard)/.test(path)).map(row),
].join('\n');

it('the docs list every endpoint outside the dashboard for integrators (UPDATE_DOCS=1 rewrites the list)', () => {
  const section = /<!-- endpoints -->\n([\s\S]*?)<!-- \/endpoints -->/;
  if (process.env['UPDATE_DOCS'])
    writeFileSync(path, page.replace(section, `<!-- endpoints -->\n${table}\n<!-- /endpoints -->`));
  else expect(section.exec(page)?.[1]).toBe(`${table}\n`);
});

const commandLine = new URL('../../docs/command-line.md', import.meta.url);

it('the docs list every command for integrators (UPDATE_DOCS=1 rewrites the list)', () => {
  const rows = tillstack.commands.map(
    ({ name, takes = [], summary }) => `| \`${[name, ...takes].join(' ')}\` | ${summary} |`,
  );
  const list = ['| command | what it does |', '|---|---|', ...rows, ''].join('\n');
  const section = /<!-- commands -->\n([\s\S]*?)<!-- \/commands -->/;
  const text = readFileSync(commandLine, 'utf8');
  if (process.env['UPDATE_DOCS'])
    writeFileSync(commandLine, text.replace(section, `<!-- commands -->\n${list}<!-- /commands -->`));
  else expect(section.exec(text)?.[1]).toBe(list);
});

it('the docs say for every error what to do (UPDATE_DOCS=1 rewrites the list)', () => {
  const file = new URL('docs/guides/errors.md', root);
  const rows = errorAdvice.map((one) => `| ${one.status} | \`${one.code}\` | ${one.when} | ${one.advice} |`);
  const list = ['| status | code | when | what to do |', '|---|---|---|---|', ...rows, ''].join('\n');
  const section = /<!-- errors -->\n([\s\S]*?)<!-- \/errors -->/;
  const text = readFileSync(file, 'utf8');
  if (process.env['UPDATE_DOCS'])
    writeFileSync(file, text.replace(section, `<!-- errors -->\n${list}<!-- /errors -->`));
  else expect(section.exec(text)?.[1]).toBe(list);
});

it('the docs write npm run tillstack, because another npm package has the name tillstack', () => {
  for (const name of pages) expect(readFileSync(new URL(name, root), 'utf8')).not.toMatch(/npx tillstack/);
});

it('the docs show the real key of the local sandbox', () => {
  expect(page).toContain(localKey);
  expect(readFileSync(commandLine, 'utf8')).toContain(localKey);
});

it('the docs list every test card with its outcome', () => {
  const lines = testCards.map(({ number, label }) => `| \`${number.slice(-4)}\` | ${label} |`);
  expect(page).toContain(lines.join('\n'));
});

/** The anchors that a page's headings have. */
const anchorsOf = (file: URL): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

it.each(pages)('%s links only to files and headings that exist', (name) => {
  const file = new URL(name, root);
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const dead = links.filter(([, target = '', anchor]) => {
    const linked = target === '' ? file : new URL(target, file);
    return !existsSync(linked) || (anchor !== undefined && !anchorsOf(linked).includes(anchor));
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});
