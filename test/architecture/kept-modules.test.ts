import { dirname, join } from 'node:path/posix';
import { describe, expect, it } from 'vitest';
import { keptModules, replacedModules } from '../support/vitest/kept-modules.ts';
import { type Tree, treeOf } from './tree.ts';

const kept = new Set(keptModules());
const tests = treeOf('test');

/** The modules that tests replace. */
const mocked = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([path, source]) =>
    [...source.matchAll(/\bvi\.(?:do)?[mM]ock\(\s*'(\.[^']+)'/g)].map(([, module = '']) => join(dirname(path), module)),
  );

/** The values that a test file imports from modules that are kept. */
const keptNames = (path: string, source: string): string[] =>
  [...source.matchAll(/^import (?!type\s)(?:\* as )?([^;]*?) from '(\.[^']+)';/gm)]
    .filter(([, , module = '']) => kept.has(join(dirname(path), module)))
    .flatMap(([, names = '']) => names.replace(/[{}]/g, '').split(','))
    .filter((name) => !/^\s*type\s/.test(name))
    .map((name) => name.split(' as ').at(-1)?.trim() ?? '')
    .filter((name) => name !== '');

const changes = (name: string): RegExp =>
  new RegExp(
    [
      String.raw`\bObject\.(?:assign|definePropert(?:y|ies)|setPrototypeOf)\(${name}\b`,
      String.raw`\bdelete ${name}\b`,
      String.raw`(?<![\w.'])${name}(?:(?:\.\w+|\[[^\]]+\])+ (?:[-+*/|&?]*)= |(?:\.\w+)*\.(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|delete|clear|add)\()`,
    ].join('|'),
  );

/** What tests set in modules that are kept: `shop.test.ts sets logSink`. Spies are put back by Vitest after each file. */
const settings = (tree: Tree): string[] =>
  Object.entries(tree).flatMap(([path, source]) =>
    keptNames(path, source)
      .filter((name) => changes(name).test(source))
      .map((name) => `${path} sets ${name}`),
  );

describe('the modules that stay loaded between test files', () => {
  it('are most of our modules', () => expect(kept.size).toBeGreaterThan(800));

  it('include no module that tests mock, and import no value from such a module', () => {
    const modules = mocked(tests);
    expect(modules.length).toBeGreaterThan(2);
    expect(modules.filter((module) => !replacedModules.includes(module))).toEqual([]);
    expect(
      keptModules({ 'shared/a.ts': "import './b.ts';", 'shared/b.ts': "import { env } from './env.ts';" }),
    ).toEqual([]);
    const [types, later] = ["import type { A } from './env.ts';", "await import('./env.ts')"];
    expect(keptModules({ 'shared/a.ts': types, 'shared/b.ts': later })).toEqual(['shared/a.ts']);
  });

  it('do not read environment variables when they are loaded', () => {
    const reads = /^(?:export )?(?:const|let) [^=\n]+ = (?!\(|async\b).*\bprocess\.env\b/m;
    const sources = Object.entries(treeOf('shared', 'functions', 'infra'));
    const found = sources.filter(([, source]) => reads.test(source)).map(([path]) => path);
    expect(found.filter((path) => kept.has(path))).toEqual([]);
    expect(reads.test('export const region = process.env.AWS_REGION;')).toBe(true);
  });

  it('stay unchanged: tests set only those of their values that `put-back.ts` restores', () => {
    const found = settings(tests).filter((setting) => !/ sets (?:logSink|partsLog|realPace|superseded)$/.test(setting));
    expect(found).toEqual([]);
    const importing = (code: string) => ({
      'test/a.test.ts': `import { logSink } from '../shared/log.ts';\n${code}`,
    });
    const sentences = ['logSink.write = () => {};', 'Object.assign(logSink, {});', 'logSink.lines.push(1);'];
    for (const code of sentences) expect(settings(importing(code))).toEqual(['test/a.test.ts sets logSink']);
    expect(settings(importing('expect(logSink.write === write);'))).toEqual([]);
  });
});
