import { type JsonSchema, withNullAsType } from './json-schema.ts';

/** The parts of the contract that are compared. */
export interface ComparedContract {
  paths: Record<string, Record<string, ComparedOperation>>;
  webhooks?: Record<string, unknown>;
  components: { schemas: Record<string, JsonSchema> };
}

interface ComparedOperation {
  operationId: string;
  'x-aliases'?: string[];
  security?: { apiKey?: string[] }[];
  parameters?: ComparedParameter[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}

interface ComparedParameter {
  name?: string;
  required?: boolean;
  schema?: JsonSchema;
}

/** One difference. It is breaking if a working client may fail because of it. */
export interface ContractChange {
  isBreaking: boolean;
  what: string;
}

const breaking = (what: string): ContractChange => ({ isBreaking: true, what });
const additive = (what: string): ContractChange => ({ isBreaking: false, what });

/** Lists the differences between the old and the new contract, breaking changes first. */
export function changesBetween(before: ComparedContract, after: ComparedContract): ContractChange[] {
  const operations = [operationsOf(before), operationsOf(after)] as const;
  const changes = [
    ...lost(operations[0], operations[1], (name) => breaking(`${name} is gone`)),
    ...lost(operations[1], operations[0], (name) => additive(`${name} is new`)),
    ...lost(before.webhooks ?? {}, after.webhooks ?? {}, (name) => breaking(`the webhook ${name} is gone`)),
    ...lost(after.webhooks ?? {}, before.webhooks ?? {}, (name) => additive(`the webhook ${name} is new`)),
    ...Object.entries(operations[0]).flatMap(([name, operation]) => {
      const next = operations[1][name];
      return next ? operationChanges(name, { before, after }, [operation, next]) : [];
    }),
  ];
  return [...new Map(changes.map((change) => [change.what, change])).values()].sort(
    (a, b) => Number(b.isBreaking) - Number(a.isBreaking),
  );
}

/**
 * The operations by each of their paths. So an operation that is now shown under another of its paths does not count as
 * removed.
 */
const operationsOf = ({ paths }: ComparedContract): Record<string, ComparedOperation> =>
  Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        [path, ...(operation['x-aliases'] ?? [])].map(
          (name) => [`${method.toUpperCase()} ${name}`, operation] as const,
        ),
      ),
    ),
  );

const lost = <Value, Change>(
  before: Record<string, Value>,
  after: Record<string, unknown>,
  say: (name: string) => Change,
) =>
  Object.keys(before)
    .filter((name) => !(name in after))
    .map(say);

interface Contracts {
  before: ComparedContract;
  after: ComparedContract;
}

/** Two schemas to compare, each with the contract that contains the schemas to which it refers. */
interface Pair extends Contracts {
  place: string;
  schemas: readonly [JsonSchema, JsonSchema];
  /** Whether clients send the schema or read it. */
  side: 'request' | 'answer';
  /** The names of the components that contain this pair. A component that contains itself is compared only once. */
  within: readonly string[];
}

function operationChanges(
  name: string,
  contracts: Contracts,
  [before, after]: readonly [ComparedOperation, ComparedOperation],
): ContractChange[] {
  const renamed = before.operationId === after.operationId ? [] : [breaking(`${name} has another operationId`)];
  const access = [before, after].map(({ security = [] }) => JSON.stringify(security));
  const moved = access[0] === access[1] ? [] : [breaking(`${name} needs another access`)];
  return [
    ...renamed,
    ...moved,
    ...parameterChanges(name, contracts, [before, after]),
    ...contentChanges(`${name} request`, contracts, [before.requestBody, after.requestBody], 'request'),
    ...contentChanges(`${name} answer`, contracts, [before.responses['200'], after.responses['200']], 'answer'),
  ];
}

const parametersOf = ({ parameters = [] }: ComparedOperation): Record<string, ComparedParameter> =>
  Object.fromEntries(parameters.flatMap((one) => (one.name ? [[one.name, one] as const] : [])));

function parameterChanges(
  name: string,
  contracts: Contracts,
  [before, after]: readonly [ComparedOperation, ComparedOperation],
): ContractChange[] {
  const [old, next] = [parametersOf(before), parametersOf(after)];
  return [
    ...lost(old, next, (parameter) => breaking(`${name} lost the parameter ${parameter}`)),
    ...lost(next, old, (parameter) => {
      const what = `${name} got the parameter ${parameter}`;
      return next[parameter]?.required ? breaking(`${what}, which is required`) : additive(what);
    }),
    ...Object.entries(old).flatMap(([parameter, { schema = {}, required }]) => {
      const now = next[parameter];
      const place = `${name} ?${parameter}`;
      const demanded = now?.required && !required ? [breaking(`${place} is required now`)] : [];
      const schemas = [schema, now?.schema ?? schema] as const;
      return [...demanded, ...schemaChanges({ ...contracts, place, schemas, side: 'request', within: [] })];
    }),
  ];
}

interface Body {
  content?: Record<string, { schema: JsonSchema }>;
}

function contentChanges(
  place: string,
  contracts: Contracts,
  [before, after]: readonly [Body | undefined, Body | undefined],
  side: Pair['side'],
): ContractChange[] {
  const [old, next] = [before?.content ?? {}, after?.content ?? {}];
  const fresh = side === 'request' && Object.keys(old).length === 0 ? breaking : additive;
  return [
    ...lost(old, next, (type) => breaking(`${place}: ${type} is gone`)),
    ...lost(next, old, (type) => fresh(`${place}: ${type} is new`)),
    ...Object.entries(old).flatMap(([type, { schema }]) =>
      schemaChanges({ ...contracts, place, schemas: [schema, next[type]?.schema ?? schema], side, within: [] }),
    ),
  ];
}

/** Follows the references of two schemas, and compares the schemas to which they refer. */
export function schemaChanges(pair: Pair): ContractChange[] {
  const [before, after] = pair.schemas;
  const [old, next] = [resolved(before, pair.before), resolved(after, pair.after)];
  const names = [before.$ref, after.$ref].flatMap((ref) => ref ?? []);
  if (names.some((name) => pair.within.includes(name))) return [];
  const within = [...pair.within, ...names];
  const inner = { ...pair, within, schemas: [old, next] as const };
  return [
    ...typeChanges(inner),
    ...limitChanges(inner),
    ...enumChanges(inner),
    ...fieldChanges(inner),
    ...partChanges(inner),
  ];
}

const resolved = (schema: JsonSchema, { components }: ComparedContract): JsonSchema =>
  withNullAsType(schema.$ref === undefined ? schema : (components.schemas[schema.$ref.replace(/.*\//, '')] ?? {}));

/** The types that a schema accepts. For a union, the types of its options. */
const kindsOf = (schema: JsonSchema, contract: ComparedContract): string[] => {
  const { type, anyOf = [] } = resolved(schema, contract);
  return [...[type ?? []].flat(), ...anyOf.flatMap((option) => kindsOf(option, contract))];
};

/** A new type in an answer is breaking, and so is a removed type in a request. */
function typeChanges({ place, schemas: [old, next], side, before, after }: Pair): ContractChange[] {
  const [had, has] = [new Set(kindsOf(old, before)), new Set(kindsOf(next, after))];
  const gone = [...had].filter((kind) => !has.has(kind) && !(kind === 'integer' && has.has('number')));
  const added = [...has].filter((kind) => !had.has(kind));
  const narrowed = gone.map((kind) => (side === 'request' ? breaking : additive)(`${place} is never ${kind} now`));
  const widened = added.map((kind) => (side === 'answer' ? breaking : additive)(`${place} can be ${kind} now`));
  return [...narrowed, ...widened];
}

const least = ['minimum', 'minLength', 'minItems'];
const most = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * Changes of limits. A stricter limit in a request is breaking. A changed limit in an answer is not, because no client
 * depends on it.
 */
function limitChanges({ place, schemas: [old, next], side }: Pair): ContractChange[] {
  if (side === 'answer') return [];
  const isTighter = (word: string): boolean => {
    const [was, is] = [old[word], next[word]] as [number | undefined, number | undefined];
    if (is === undefined) return false;
    return was === undefined || (least.includes(word) ? is > was : is < was);
  };
  const tighter = [...least, ...most].filter(isTighter).map((word) => breaking(`${place} has a tighter ${word}`));
  const patterns =
    next['pattern'] === old['pattern'] || next['pattern'] === undefined
      ? []
      : [breaking(`${place} has another pattern`)];
  return [...tighter, ...patterns];
}

/**
 * Changes of enum values. New values in answers are not breaking, because clients must accept them: states and types
 * are added over time.
 */
function enumChanges({ place, schemas: [old, next], side }: Pair): ContractChange[] {
  const [had, has] = [old, next].map((schema) => valuesOf(schema)) as [string[]?, string[]?];
  if (!has) return [];
  if (!had) return side === 'request' ? [breaking(`${place} takes only certain values now`)] : [];
  const gone = had.filter((value) => !has.includes(value));
  const added = has.filter((value) => !had.includes(value));
  return [
    ...gone.map((value) => (side === 'request' ? breaking : additive)(`${place} is never ${value} now`)),
    ...added.map((value) => additive(`${place} can be ${value} now`)),
  ];
}

const valuesOf = (schema: JsonSchema): string[] | undefined => {
  const values = 'const' in schema ? [schema['const']] : (schema['enum'] as unknown[] | undefined);
  return values?.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
};

function fieldChanges(pair: Pair): ContractChange[] {
  const { place, schemas, side } = pair;
  const [old, next] = schemas;
  const [had, has] = [old.properties ?? {}, next.properties ?? {}];
  const demanded = (next.required ?? []).filter((field) => !(old.required ?? []).includes(field));
  const optional = (old.required ?? []).filter((field) => field in has && !(next.required ?? []).includes(field));
  return [
    ...lost(had, has, (field) => breaking(`${place}.${field} is gone`)),
    ...lost(has, had, (field) => additive(`${place}.${field} is new`)),
    ...(side === 'request' ? demanded.map((field) => breaking(`${place}.${field} is required now`)) : []),
    ...(side === 'answer' ? optional.map((field) => breaking(`${place}.${field} may be absent now`)) : []),
    ...Object.entries(had).flatMap(([field, schema]) =>
      schemaChanges({ ...pair, place: `${place}.${field}`, schemas: [schema, has[field] ?? schema] }),
    ),
  ];
}

/** Changes inside a schema: in the items of a list, and in the objects of a union. */
function partChanges(pair: Pair): ContractChange[] {
  const [old, next] = pair.schemas;
  const items =
    old.items && next.items
      ? schemaChanges({ ...pair, place: `${pair.place}[]`, schemas: [old.items, next.items] })
      : [];
  const options = [old, next].map(({ anyOf = [] }) => anyOf.filter(({ type }) => type !== 'null'));
  const [[before, ...otherOld] = [], [after, ...otherNew] = []] = options;
  const isOne = before && after && otherOld.length === 0 && otherNew.length === 0;
  return isOne ? [...items, ...schemaChanges({ ...pair, schemas: [before, after] })] : items;
}
