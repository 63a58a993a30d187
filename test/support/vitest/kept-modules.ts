import { dirname, join } from 'node:path/posix';
import { type Tree, treeOf } from '../../architecture/tree.ts';

/** The modules that read the environment when they are loaded, and the modules that tests replace. */
export const replacedModules: readonly string[] = [
  'shared/env.ts',
  'shared/outside/parameters/secret.ts',
  'shared/use-cases/sweep-due.ts',
  'shared/use-cases/webhooks/dispatch-events.ts',
  'infra/local/invoke.ts',
];

const valueImports = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** Returns our modules from which a module imports values. */
const importsOf = (path: string, source: string): string[] =>
  [...source.matchAll(valueImports)].map(([, named, later]) => join(dirname(path), named ?? later ?? ''));

/**
 * Our modules that can stay loaded for all test files of a worker. No test replaces them, and they import no value from
 * a replaced module, directly or indirectly. The state that they keep is the same for every test.
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

/** A module, and our modules from which it imports values, directly or indirectly. */
export function modulesBehind(entry: string, tree: Tree = treeOf('shared', 'functions', 'infra')): string[] {
  const modules = new Set([entry]);
  for (const module of modules) for (const imported of importsOf(module, tree[module] ?? '')) modules.add(imported);
  return [...modules];
}
