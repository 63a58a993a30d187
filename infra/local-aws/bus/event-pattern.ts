/**
 * The part of AWS's pattern language that the rules of the bus and the stream filters use. Every field of a pattern
 * must match. A list contains alternatives, which are exact values and `{ prefix }`.
 */
export type EventPattern = { readonly [field: string]: EventPattern | readonly Alternative[] };

type Alternative = string | number | boolean | null | { readonly prefix: string };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function meets(value: unknown, alternative: Alternative): boolean {
  if (typeof alternative !== 'object' || alternative === null) return value === alternative;
  return typeof value === 'string' && value.startsWith(alternative.prefix);
}

/** Whether a value matches one of the alternatives. A list matches if one of its items does. */
const meetsOne = (value: unknown, alternatives: readonly Alternative[]): boolean =>
  (Array.isArray(value) ? value : [value]).some((member) => alternatives.some((one) => meets(member, one)));

/** Whether an event matches the pattern. */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = isRecord(event) ? event[field] : undefined;
    return isAlternatives(expected) ? meetsOne(value, expected) : isRecord(value) && matchesPattern(expected, value);
  });
}

const isAlternatives = (expected: EventPattern | readonly Alternative[]): expected is readonly Alternative[] =>
  Array.isArray(expected);
