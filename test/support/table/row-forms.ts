import { convertToNative } from '@aws-sdk/util-dynamodb';
import type { AttributeMap, AttributeValue } from '../../../infra/local-aws/table/values/attribute-value.ts';

/** A row as the stores write and read it. */
export type PlainRow = Record<string, unknown>;

/**
 * Says whether the SDK treats a value as a map. With an attribute named `constructor` the SDK refuses the map, and with
 * `__proto__` it writes a different one.
 */
const isPlain = (value: object): boolean =>
  !Object.hasOwn(value, '__proto__') &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value)) &&
  [Object, undefined].includes(value.constructor as ObjectConstructor);

const bytesOf = (base64: string): Uint8Array => {
  const { buffer, byteOffset, length } = Buffer.from(base64, 'base64');
  return new Uint8Array(buffer, byteOffset, length);
};

/** @throws TypeError for what only the SDK can translate, or refuse: sets, large numbers, instances of classes. */
function wireValue(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (typeof value === 'object') return wireObject(value);
  throw new TypeError(`The SDK translates a ${typeof value} otherwise.`);
}

function wireObject(value: object): AttributeValue {
  if (Array.isArray(value)) return { L: value.filter((element) => element !== undefined).map(wireValue) };
  if (isPlain(value)) return { M: rowToWire(value as PlainRow) };
  if (value instanceof Uint8Array)
    return { B: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') };
  throw new TypeError(`The SDK translates a ${value.constructor.name} otherwise.`);
}

/** Returns a row in the form for the network. Undefined attributes are omitted, as in the stores' SDK settings. */
export function rowToWire(row: PlainRow): AttributeMap {
  if (!isPlain(row)) throw new TypeError('The SDK translates this row otherwise.');
  const wire: AttributeMap = {};
  for (const [name, value] of Object.entries(row)) if (value !== undefined) wire[name] = wireValue(value);
  return wire;
}

const isSafe = (number: number): boolean => Math.abs(number) <= Number.MAX_SAFE_INTEGER;

function plainValue(value: AttributeValue): unknown {
  const { S, N, B, BOOL, L, M } = value;
  if (S !== undefined) return S;
  if (M) return rowFromWire(M);
  if (N !== undefined && isSafe(Number(N))) return Number(N);
  if (L) return L.map(plainValue);
  if (B !== undefined) return bytesOf(B);
  return BOOL ?? convertToNative(withBytes(value) as Parameters<typeof convertToNative>[0]);
}

/** Returns a row from the network in the form that the stores read. */
export function rowFromWire(wire: AttributeMap): PlainRow {
  const row: PlainRow = {};
  for (const [name, value] of Object.entries(wire)) row[name] = plainValue(value);
  return row;
}

/** Returns the SDK's form of a value from the network, which has bytes as base64. */
export function withBytes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withBytes);
  if ('B' in value && typeof value.B === 'string') return { B: bytesOf(value.B) };
  if ('BS' in value && Array.isArray(value.BS)) return { BS: value.BS.map(bytesOf) };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withBytes(member)]));
}
