import { dirname, join } from 'node:path/posix';
import { type Tree, treeOf } from '../../architecture/tree.ts';

/** What reads the environment when it is loaded, and what tests replace. */
export const replacedModules: readonly string[] = [
  'shared/env.ts',
  'shared/outside/parameters/secret.ts',
  'shared/use-cases/sweep-due.ts',
  'shared/use-cases/webhooks/dispatch-events.ts',
  'infra/local/invoke.ts',
];

const valueImports = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** The modules of ours that a module takes values from. */
const importsOf = (path: string, source: string): string[] =>
  [...source.matchAll(valueImports)].map(([, named, later]) => join(dirname(path), named ?? later ?? ''));

/**
 * Modules of ours that can serve all test files of a worker: they are not replaced, and take no value from one that is, however far
 * away. What they remember is the same for every test.
 */
export function keptModules(tree: Tree = treeOf('shared', 'functions', 'infra')): string[] {
  const importers = Map.groupBy(
    Object.entries(tree).flatMap(([path, source]) => importsOf(path, source).map((imported) => ({ path, imported }))),
    ({ imported }) => imported,
  );
  const fresh = new Set(replacedModules);
  for (const path of fresh) for (const importer of importers.get(path) ?? []) fresh.add(importer.path);
  return Object.keys(tree).filter((path) => !fresh.has(path));
}
