import { type Declaration, type Pattern, parseSync } from '@swc/core';
import type { Tree } from './tree.ts';

const bindingsOf = (pattern: Pattern): string[] => {
  if (pattern.type === 'Identifier') return [pattern.value];
  if (pattern.type === 'ArrayPattern')
    return pattern.elements.flatMap((element) => (element ? bindingsOf(element) : []));
  if (pattern.type !== 'ObjectPattern') return [];
  return pattern.properties.flatMap((property) => {
    if (property.type === 'KeyValuePatternProperty') return bindingsOf(property.value);
    return property.type === 'AssignmentPatternProperty' ? [property.key.value] : [];
  });
};

function wordsOf(declaration: Declaration): string[] {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => bindingsOf(id));
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration')
    return [declaration.identifier.value];
  if (declaration.type === 'TsModuleDeclaration') return [];
  return declaration.type.startsWith('Ts') ? [declaration.id.value] : [];
}

/**
 * The words that a module declares and exports. Each word counts once, so a schema and its type may have the same name.
 */
function exportsOf(source: string): Set<string> {
  const { body } = parseSync(source, { syntax: 'typescript', target: 'es2022' });
  const local = new Set(body.flatMap((item) => wordsOf(item as Declaration)));
  return new Set(
    body.flatMap((item) => {
      if (item.type === 'ExportDeclaration') return wordsOf(item.declaration);
      if (item.type !== 'ExportNamedDeclaration' || item.source) return [];
      return item.specifiers.flatMap((specifier) =>
        specifier.type === 'ExportSpecifier' && local.has(specifier.orig.value)
          ? [(specifier.exported ?? specifier.orig).value]
          : [],
      );
    }),
  );
}

/** The only word that many files may export. Lambda calls a function by this name. */
const sharedByAll = new Set(['handler']);

/** Every exported word, with the modules that declare it. */
export function placesOfWords(tree: Tree): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const [path, source] of Object.entries(tree))
    for (const word of exportsOf(source)) places.set(word, [...(places.get(word) ?? []), path]);
  return places;
}

/** The words that more than one module declares. */
export const doubles = (places: ReadonlyMap<string, readonly string[]>): string[] =>
  [...places]
    .filter(([word, paths]) => paths.length > 1 && !sharedByAll.has(word))
    .map(([word, paths]) => `${word}: ${paths.join(', ')}`);
