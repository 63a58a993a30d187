import { type DynamoError, invalid } from '../dynamo-error.ts';
import { type AttributeMap, type AttributeValue, attributeOf, attributeTypeOf } from '../values/attribute-value.ts';
import { addNumbers } from '../values/decimal.ts';
import { evaluate, incorrectType } from './operand.ts';
import { pathIn, type Scope } from './scope.ts';
import type { DocumentPath, UpdateAction } from './syntax.ts';

const invalidPath = (): DynamoError =>
  invalid('The document path provided in the update expression is invalid for update');

/** A place in a row that can be read, set and removed. */
interface Slot {
  get(): AttributeValue | undefined;
  set(value: AttributeValue): void;
  remove(): void;
}

const slotInMap = (map: AttributeMap, name: string): Slot => ({
  get: () => attributeOf(map, name),
  set: (value) =>
    void Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true }),
  remove: () => void delete map[name],
});

const slotInList = (list: AttributeValue[], place: number): Slot => ({
  get: () => list[place],
  set: (value) => void list.splice(place, 1, value),
  remove: () => void (place < list.length && list.splice(place, 1)),
});

/**
 * The place in a row at a path.
 * @throws DynamoError if the parent of the place is missing, or is neither a map nor a list
 */
function slotAt(item: AttributeMap, path: DocumentPath): Slot {
  let parent: AttributeValue | undefined = { M: item };
  for (const part of path.slice(0, -1))
    parent = typeof part === 'number' ? parent?.L?.[part] : attributeOf(parent?.M, part);
  const last = path.at(-1) as string | number;
  if (typeof last === 'number' && parent?.L) return slotInList(parent.L, last);
  if (typeof last === 'string' && parent?.M) return slotInMap(parent.M, last);
  throw invalidPath();
}

type SetType = 'SS' | 'NS' | 'BS';

function added(current: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (!current) return value;
  const type = attributeTypeOf(value);
  if (attributeTypeOf(current) !== type) throw incorrectType();
  if (current.N !== undefined && value.N !== undefined) return { N: addNumbers(current.N, value.N, 1) };
  return { [type]: [...new Set([...(current[type as SetType] ?? []), ...(value[type as SetType] ?? [])])] };
}

/** Removes elements from a set. If the set becomes empty, the attribute is removed. */
function subtract(slot: Slot, value: AttributeValue): void {
  const current = slot.get();
  if (!current) return;
  const type = attributeTypeOf(value) as SetType;
  if (attributeTypeOf(current) !== type) throw incorrectType();
  const left = (current[type] ?? []).filter((element) => !value[type]?.includes(element));
  if (left.length > 0) slot.set({ [type]: left });
  else slot.remove();
}

function newValue(action: UpdateAction, before: AttributeMap, scope: Scope): AttributeValue | undefined {
  if (action.is === 'REMOVE') return undefined;
  const value = evaluate(action.operand, before, scope);
  if (value) return structuredClone(value);
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
}

/** Sorts positions in lists from the last to the first, so that a removal does not move the others. */
const byPlaceDescending = (left: DocumentPath, right: DocumentPath): number => {
  const [one, other] = [left.at(-1), right.at(-1)];
  return typeof one === 'number' && typeof other === 'number' ? other - one : 0;
};

/**
 * Applies an update to `after`, which is a copy of the row. Every value is computed from the row before the update.
 * @throws DynamoError if the row does not allow it
 */
export function applyUpdate(
  actions: readonly UpdateAction[],
  { before, after, scope }: { before: AttributeMap; after: AttributeMap; scope: Scope },
): void {
  const removed: DocumentPath[] = [];
  const changes = actions.map((action) => ({ action, value: newValue(action, before, scope) }));
  for (const { action, value } of changes) {
    const path = pathIn(action.path, scope);
    const slot = slotAt(after, path);
    if (!value) removed.push(path);
    else if (action.is === 'SET') slot.set(value);
    else if (action.is === 'ADD') slot.set(added(slot.get(), value));
    else subtract(slot, value);
  }
  for (const path of removed.toSorted(byPlaceDescending)) slotAt(after, path).remove();
}
