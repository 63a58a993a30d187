import type * as z from 'zod';
import { DomainError, type ErrorCode, type Fault, faultAt } from '../domain/errors.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../domain/rules/rules.ts';
import { faultMessage } from './fault-message.ts';
import { keptRule } from './says.ts';

const maxFaults = 20;

/** Parses data from outside. If it is invalid, it is refused with all faults and their paths. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, code: ErrorCode = 'INVALID_REQUEST_BODY'): T {
  const result = schema.safeParse(value, { error: faultMessage });
  if (result.success) return result.data;
  const issues = result.error.issues;
  const faults = issues.flatMap((issue) => faultsOf(issue, value)).slice(0, maxFaults);
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const where = first?.path ? `${first.path}: ` : '';
  throw new DomainError(codeOf(issues) ?? code, `${where}${first?.message ?? 'The request is not valid.'}${more}`, {
    faults,
  });
}

/** A request without the unsupported fields, which a stack without `strictFields` removes. */
export interface LenientInput<T> {
  data: T;
  /** The names of the removed fields. */
  leftOut: readonly string[];
}

/**
 * Parses a request like version 0.2.0. Fields that 0.2.0 ignored and that are refused now are removed and named. A
 * request without such fields is parsed only once.
 */
export function parseLeniently<T>(schema: z.ZodType<T>, value: unknown): LenientInput<T> {
  const result = schema.safeParse(value);
  if (result.success) return { data: result.data, leftOut: [] };
  const refused = result.error.issues.filter(wasIgnored);
  const rest = refused.reduce((left, { path }) => without(left, path), value);
  return { data: parseInput(schema, rest), leftOut: [...new Set(refused.map(nameOf))] };
}

const wasIgnored = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'custom' && issue.params?.['wasIgnored'] === true;

const nameOf = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'custom' && (issue.params?.['name'] as string | undefined)) || pathOf(issue.path);

/** A copy of an object without the field at a path. */
function without(value: unknown, [first, ...rest]: readonly PropertyKey[]): unknown {
  const members = value as Record<PropertyKey, unknown>;
  const { [first as PropertyKey]: found, ...others } = members;
  return rest.length === 0 ? others : { ...others, [first as PropertyKey]: without(found, rest) };
}

/** The API's own code for the error, if the schema of the first fault has one. */
function codeOf([issue]: readonly z.core.$ZodIssue[]): ErrorCode | undefined {
  if (issue?.code !== 'custom') return undefined;
  return issue.params?.['code'] as ErrorCode | undefined;
}

/** The codes of zod for a value that is missing or has the wrong type. Our own checks have separate messages. */
const shapeCodes: readonly string[] = ['invalid_type', 'invalid_value', 'invalid_union'];

const isMissing = ({ code, path }: z.core.$ZodIssue, value: unknown): boolean =>
  shapeCodes.includes(code) &&
  path.reduce<unknown>((found, step) => (found as Record<PropertyKey, unknown> | null | undefined)?.[step], value) ===
    undefined;

function faultsOf(issue: z.core.$ZodIssue, value: unknown): Fault[] {
  if (isMissing(issue, value)) return [faultAt(pathOf(issue.path), brokenRule(sentences.required))];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => faultAt(pathOf([...issue.path, key]), unknownField(key)));
  const inner = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
  return [faultAt(pathOf(issue.path), keptRule(inner) ?? inner.message)];
}

/** Field names of other systems, with the names that this API uses. */
const knownElsewhere: Readonly<Record<string, string>> = {
  limit: 'page_size',
  per_page: 'page_size',
  page: 'page_number',
  offset: 'page_number',
  starting_after: 'cursor',
  ending_before: 'cursor',
  line_items: 'product_cart',
  cart: 'product_cart',
  success_url: 'return_url',
  customer_email: 'customer.email',
  unit_amount: 'price.price',
  charge: 'payment_id',
  payment_intent: 'payment_id',
};

const unknownField = (field: string): BrokenRule =>
  Object.hasOwn(knownElsewhere, field)
    ? brokenRule(sentences.renamed_field, { use: knownElsewhere[field] ?? '' })
    : brokenRule(sentences.unknown_field);

/** Writes a path as text: `['items', 0, 'amount']` → `items[0].amount`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index ? '.' : ''}${String(step)}`)).join('');
