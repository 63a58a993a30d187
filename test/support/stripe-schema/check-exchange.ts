import type { AnsweredCall } from '../../../infra/local/stripe/fake-stripe.ts';
import { decodeForm } from '../../../infra/local/stripe/form-body.ts';
import { apiVersion } from '../../../shared/outside/processor/stripe/client.ts';
import schema from './schema.json' with { type: 'json' };

/** The part of OpenAPI's schemas that Stripe's document uses. */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  maxLength?: number;
  nullable?: boolean;
  $ref?: string;
}

interface Call {
  request: Schema;
  answer: Schema;
}

const calls = schema.calls as unknown as Record<string, Call>;
const objects = schema.objects as unknown as Record<string, Schema>;

/** The version of Stripe's API that the schema describes. */
export const schemaVersion = schema.version;

/** A form has only texts, and its lists are objects with positions. */
type Form = 'form' | 'json';

/** Fields of answers in the version that we request, which is newer than the schema. The types of `stripe` have them. */
const newerFields = new Set([
  'allowed_payment_method_types',
  'payment_record',
  'source',
  'intended_submission_method',
  'specified_commercial_transactions_act_url',
]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown, form: RegExp): boolean => typeof value === 'string' && form.test(value);

const isOfType: Readonly<Record<string, (value: unknown, form: Form) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value, form) => (form === 'form' ? isText(value, /^-?\d+$/) : Number.isInteger(value)),
  number: (value, form) => (form === 'form' ? isText(value, /^-?[\d.]+$/) : typeof value === 'number'),
  boolean: (value, form) => (form === 'form' ? value === 'true' || value === 'false' : typeof value === 'boolean'),
  array: (value, form) => (form === 'form' ? isRecord(value) : Array.isArray(value)),
  object: isRecord,
};

/** The faults of a value, each with its path; empty if it is valid. */
function faultsIn(value: unknown, { $ref, ...own }: Schema, form: Form, at: string): string[] {
  if (value === null && own.nullable) return [];
  if ($ref !== undefined) return faultsIn(value, objects[$ref] ?? {}, form, at);
  if (own.anyOf) return faultsInAny(value, own.anyOf, form, at);
  if (own.type !== undefined && !isOfType[own.type]?.(value, form)) return [`${at} is no ${own.type}`];
  if (own.enum && value !== apiVersion && !own.enum.includes(value))
    return [`${at} is ${String(value)}, not one of ${own.enum.join(', ')}`];
  if (own.maxLength !== undefined && typeof value === 'string' && value.length > own.maxLength)
    return [`${at} is too long`];
  if (own.items) return itemsOf(value).flatMap((item) => faultsIn(item, own.items ?? {}, form, `${at}[]`));
  return isRecord(value) && (own.properties || own.additionalProperties) ? faultsInFields(value, own, form, at) : [];
}

const itemsOf = (value: unknown): unknown[] => (isRecord(value) ? Object.values(value) : (value as unknown[]));

/** The faults for the alternative that fits best. */
function faultsInAny(value: unknown, alternatives: readonly Schema[], form: Form, at: string): string[] {
  const all = alternatives.map((one) => faultsIn(value, one, form, at)).sort((a, b) => a.length - b.length);
  const [fewest = []] = all;
  const structural = all.find((faults) => !faults.every((fault) => fault.startsWith(`${at} is no `)));
  return fewest.length === 0 ? [] : (structural ?? fewest);
}

function faultsInFields(value: Record<string, unknown>, own: Schema, form: Form, at: string): string[] {
  const { properties = {}, required = [], additionalProperties: rest } = own;
  const missing = required.filter((name) => value[name] === undefined).map((name) => `${at}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, field]) => {
    const known = properties[name] ?? (typeof rest === 'object' ? rest : undefined);
    if (field === undefined || rest === true) return [];
    if (!properties[name] && form === 'json' && newerFields.has(name)) return [];
    return known ? faultsIn(field, known, form, `${at}.${name}`) : [`${at}.${name} is unknown`];
  });
  return [...missing, ...wrong];
}

/** The name of a call in the schema, such as `GET refunds/{refund}`; undefined if there is none. */
function nameOf({ method, path }: Pick<AnsweredCall, 'method' | 'path'>): string | undefined {
  const segments = path.split('/');
  return Object.keys(calls).find((name) => {
    const [verb, pattern = ''] = name.split(' ');
    const parts = pattern.split('/');
    return (
      verb === method &&
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  });
}

/** What Stripe's published schema says against a request and its answer. A refused request need not be complete. */
export function schemaFaults({ method, path, form, status, body }: AnsweredCall): string[] {
  const name = nameOf({ method, path });
  const call = name === undefined ? undefined : calls[name];
  if (!call) return [`${method} ${path} is not in the schema`];
  const asked = faultsIn(decodeForm(form), call.request, 'form', 'request');
  if (status !== 200) return asked.filter((fault) => !fault.endsWith('is missing')).map((fault) => `${name}: ${fault}`);
  return [...asked, ...faultsIn(body, call.answer, 'json', 'answer')].map((fault) => `${name}: ${fault}`);
}
