import { invalid } from '../dynamo-error.ts';
import { holds } from '../expression/condition.ts';
import { assertConditionTypes, assertUpdateTypes } from '../expression/operand-types.ts';
import { parseCondition, parseUpdate } from '../expression/parse.ts';
import { assertApart, assertPlaceholders, pathIn, type Scope, scopeOf } from '../expression/scope.ts';
import type { Condition, ParsedExpression, UpdateAction } from '../expression/syntax.ts';
import { applyUpdate } from '../expression/update.ts';
import type { WriteKind, WriteRequest } from '../request.ts';
import { assertIndexKeys, type EncodedKey, keyOfItem, keyOfRequest } from '../tables/keys.ts';
import type { StoredRow } from '../tables/rows.ts';
import type { StoredTable, Tables } from '../tables/tables.ts';
import type { AttributeMap } from '../values/attribute-value.ts';
import { checkItem, measureItem } from '../values/value-size.ts';

/** A write with a checked request, and the current row. */
export interface PlannedWrite {
  kind: WriteKind;
  request: WriteRequest;
  table: StoredTable;
  key: EncodedKey;
  scope: Scope;
  condition: ParsedExpression<Condition> | undefined;
  update: ParsedExpression<UpdateAction[]> | undefined;
  current: CurrentRow;
}

/**
 * The row before a write. Its JSON is only parsed if needed, because most writes only need to know whether the row
 * exists.
 */
export class CurrentRow {
  readonly body: string | undefined;
  readonly bytes: number;
  #item: AttributeMap | undefined;

  constructor({ body, bytes }: Partial<StoredRow> = {}) {
    this.body = body;
    this.bytes = bytes ?? 0;
  }

  get item(): AttributeMap | undefined {
    this.#item ??= this.copy();
    return this.#item;
  }

  /** A copy of the row that may be changed. */
  copy(): AttributeMap | undefined {
    return this.body === undefined ? undefined : JSON.parse(this.body);
  }
}

const mostBytes = 400 * 1_024;

/** Checks the members of a request. Updates and deletions have a `Key`. A put contains the whole `Item`. */
function assertShape(kind: WriteKind, { Item, Key, UpdateExpression, ConditionExpression }: WriteRequest): void {
  const isPut = kind === 'Put';
  if ((Item !== undefined) !== isPut || (Key !== undefined) === isPut)
    throw invalid(`A ${kind} takes ${isPut ? 'an Item and no Key' : 'a Key and no Item'}`);
  if (UpdateExpression !== undefined && kind !== 'Update') throw invalid(`A ${kind} takes no UpdateExpression`);
  if (ConditionExpression === undefined && kind === 'ConditionCheck')
    throw invalid('A ConditionCheck needs a ConditionExpression');
}

function parsedCondition({ ConditionExpression: text }: WriteRequest, scope: Scope) {
  const condition = text === undefined ? undefined : parseCondition('ConditionExpression', text);
  return { condition, check: () => condition && assertConditionTypes(condition, scope) };
}

function parsedUpdate({ UpdateExpression: text }: WriteRequest, scope: Scope) {
  const update = text === undefined ? undefined : parseUpdate('UpdateExpression', text);
  const check = () => {
    if (!update) return;
    assertUpdateTypes(update, scope);
    assertApart(
      update,
      update.root.map(({ path }) => pathIn(path, scope)),
    );
  };
  return { update, check };
}

function assertKeyUntouched({ definition }: StoredTable, actions: readonly UpdateAction[], scope: Scope): void {
  for (const { path } of actions) {
    const [name] = pathIn(path, scope);
    if (name === definition.partitionKey || name === definition.sortKey)
      throw invalid(
        `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
      );
  }
}

function checkedItem({ definition }: StoredTable, item: AttributeMap, message: string): void {
  checkItem(item);
  if (measureItem(item) > mostBytes) throw invalid(message);
  assertIndexKeys(definition, item);
}

/** The key of the row in a request. The item of a put is checked here too. */
function keyOf(table: StoredTable, { Item, Key }: WriteRequest): EncodedKey {
  if (!Item) return keyOfRequest(table.definition, Key);
  checkedItem(table, Item, 'Item size has exceeded the maximum allowed size');
  return keyOfItem(table.definition, Item);
}

/**
 * Checks a write before any condition is evaluated, like DynamoDB.
 * @throws DynamoError for a request that is invalid for every row
 */
export function planWrite(tables: Tables, kind: WriteKind, request: WriteRequest): PlannedWrite {
  assertShape(kind, request);
  const table = tables.get(request.TableName);
  const scope = scopeOf(request);
  const { condition, check: checkCondition } = parsedCondition(request, scope);
  const { update, check: checkUpdate } = parsedUpdate(request, scope);
  assertPlaceholders(scope, [update, condition]);
  checkUpdate();
  checkCondition();
  const key = keyOf(table, request);
  assertKeyUntouched(table, update?.root ?? [], scope);
  return { kind, request, table, key, scope, condition, update, current: new CurrentRow(table.rows.find(key)) };
}

/** Whether the row meets the condition of the request. */
export const isAllowed = ({ condition, current, scope }: PlannedWrite): boolean =>
  condition === undefined || holds(condition.root, current.item, scope);

/**
 * The row after the write; undefined if it is deleted.
 * @throws DynamoError if the row does not allow the update
 */
export function rowAfter({ kind, request, table, current, update, scope }: PlannedWrite): AttributeMap | undefined {
  if (kind === 'Put') return request.Item;
  if (kind === 'Delete') return undefined;
  if (kind === 'ConditionCheck') return current.item;
  const after = current.copy() ?? { ...request.Key };
  applyUpdate(update?.root ?? [], { before: current.item ?? { ...request.Key }, after, scope });
  checkedItem(table, after, 'Item size to update has exceeded the maximum allowed size');
  return after;
}

/** The row that a refused write returns, if the request wants it. */
export const rowIfWanted = ({ request, current }: PlannedWrite): { Item?: AttributeMap } =>
  request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && current.item ? { Item: current.item } : {};
