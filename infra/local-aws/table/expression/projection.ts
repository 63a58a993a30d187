import { type AttributeMap, type AttributeValue, attributeOf } from '../values/attribute-value.ts';
import { pathIn, type Scope } from './scope.ts';
import type { DocumentPath } from './syntax.ts';

/** The parts of a value to return: the whole value, or some of its members. */
type Wanted = 'all' | Map<string | number, Wanted>;

function wantedOf(paths: readonly DocumentPath[]): Wanted {
  const root: Wanted = new Map();
  for (const path of paths) {
    let branch: Map<string | number, Wanted> = root;
    for (const [index, part] of path.entries()) {
      const known = branch.get(part);
      const next: Wanted = known ?? (index === path.length - 1 ? 'all' : new Map());
      branch.set(part, next);
      if (next === 'all') break;
      branch = next;
    }
  }
  return root;
}

function pick(value: AttributeValue | undefined, wanted: Wanted): AttributeValue | undefined {
  if (!value || wanted === 'all') return value;
  if (value.M) {
    const map = pickFromMap(value.M, wanted);
    return Object.keys(map).length > 0 ? { M: map } : undefined;
  }
  if (!value.L) return undefined;
  const places = [...wanted.keys()].filter((part) => typeof part === 'number').sort((a, b) => a - b);
  const list = places.flatMap((place) => pick(value.L?.[place], wanted.get(place) ?? 'all') ?? []);
  return list.length > 0 ? { L: list } : undefined;
}

function pickFromMap(map: AttributeMap, wanted: Map<string | number, Wanted>): AttributeMap {
  const found: [string, AttributeValue][] = [];
  for (const [part, further] of wanted) {
    const value = typeof part === 'string' ? pick(attributeOf(map, part), further) : undefined;
    if (value) found.push([String(part), value]);
  }
  return Object.fromEntries(found);
}

/** The parts of a row at some paths. They are nested like in the row. */
export function project(item: AttributeMap, paths: readonly DocumentPath[], scope: Scope): AttributeMap {
  const wanted = wantedOf(paths.map((path) => pathIn(path, scope)));
  return wanted === 'all' ? item : pickFromMap(item, wanted);
}
