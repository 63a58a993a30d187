import type * as z from 'zod';
import { DomainError, type ErrorCode, type Fault, faultAt } from '../domain/errors.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../domain/rules/rules.ts';
import { faultMessage } from './fault-message.ts';
import { keptRule } from './says.ts';

const maxFaults = 20;

/** Parses external data, or refuses it with all faults and their paths. */
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

/** The API's own code for the error, if the first fault has one. */
function codeOf([issue]: readonly z.core.$ZodIssue[]): ErrorCode | undefined {
  if (issue?.code !== 'custom') return undefined;
  return issue.params?.['code'] as ErrorCode | undefined;
}

/** The codes of zod for a missing value. Our own checks have separate messages for it. */
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

/** Names that other systems use for fields, with their names here. */
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

/** Writes a path: `['items', 0, 'amount']` → `items[0].amount`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index ? '.' : ''}${String(step)}`)).join('');
