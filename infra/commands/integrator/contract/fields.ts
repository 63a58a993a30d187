import { type ApiOperation, parametersOf, type Shape } from '../../../reference/contract.ts';
import { UsageError } from '../../../usage-error.ts';
import type { Options, OptionTerms, TypedWords } from '../../kit/command.ts';
import { momentOf } from '../moment.ts';
import { minorUnitsOf } from '../money.ts';
import { isAmount, plainShape } from './shapes.ts';

type Kind = 'flag' | 'text' | 'number' | 'amount' | 'moment' | 'list' | 'object' | 'json';

/** A field of a request. The command has an option for it. */
export interface RequestField {
  /** Its path in the body, or its name in the query. */
  path: readonly string[];
  option: string;
  kind: Kind;
  /** The schema of each item of a list. */
  itemKind?: Kind;
  schema: Shape;
  isRequired: boolean;
}

/** The most choices that the help lists. */
const mostChoices = 30;

const dashed = (name: string): string => name.replaceAll('_', '-');

/** Shorter names of options. `since` and `until` limit the times of a list. */
const shortNames: Readonly<Record<string, string>> = { created_at_gte: 'since', created_at_lte: 'until' };

const optionOf = (path: readonly string[]): string => path.map((name) => shortNames[name] ?? dashed(name)).join('.');

function kindOf(schema: Shape, isPriced: boolean): Kind {
  if (isPriced && isAmount(schema)) return 'amount';
  if (schema.type === 'boolean') return 'flag';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object') return 'object';
  if (schema.type !== 'string') return 'json';
  return schema.format === 'date-time' ? 'moment' : 'text';
}

const fieldOf = (path: readonly string[], schema: Shape, isPriced: boolean): RequestField => ({
  path,
  option: optionOf(path),
  kind: kindOf(schema, isPriced),
  itemKind: kindOf(plainShape(schema.items ?? {}), isPriced),
  schema,
  isRequired: false,
});

/** The fields of an object and of the objects in it. */
export function fieldsOfBody(schema: Shape, above: readonly string[] = []): RequestField[] {
  const { properties = {}, required = [] } = plainShape(schema);
  return Object.entries(properties).flatMap(([name, written]) => {
    const path = [...above, name];
    const found = plainShape(written);
    if (found.type === 'object' && found.properties) return fieldsOfBody(found, path);
    return [{ ...fieldOf(path, found, 'currency' in properties), isRequired: required.includes(name) }];
  });
}

/** The fields of a query, without those that the command itself sets. */
export const fieldsOfQuery = (operation: ApiOperation, without: readonly string[]): RequestField[] =>
  parametersOf(operation)
    .filter(({ name, in: place }) => place === 'query' && !without.includes(name))
    .map(({ name, schema, description = '' }) => fieldOf([name], { ...plainShape(schema), description }, false));

const signs: Readonly<Record<Kind, string>> = {
  flag: '',
  text: '<text>',
  number: '<number>',
  amount: '<amount>',
  moment: '<time>',
  list: '<value>',
  object: '<name=value,…>',
  json: '<json>',
};

const choicesOf = ({ enum: values, const: only }: Shape): string[] => {
  const choices = [values ?? only ?? []].flat().map(String);
  return choices.length <= mostChoices ? choices : [];
};

/** The facts about a field that the help, the parser and the completion need. */
export function optionTerms({ kind, schema, isRequired }: RequestField): OptionTerms {
  const words = (schema.description ?? '').replaceAll('`', '');
  const how = kind === 'amount' ? ' Type all decimals of the currency.' : kind === 'list' ? ' May be repeated.' : '';
  const choices = kind === 'text' ? choicesOf(schema) : [];
  return {
    help: `${isRequired ? 'Required. ' : ''}${words}${how}`,
    ...(kind !== 'flag' && { value: isRows(schema) ? signs.object : signs[kind] }),
    ...(kind === 'list' && { isMultiple: true }),
    ...(choices.length > 0 && { choices }),
  };
}

export const optionsOf = (fields: readonly RequestField[]): Options =>
  Object.fromEntries(fields.map((field) => [field.option, optionTerms(field)]));

const isRows = ({ type, items }: Shape): boolean => type === 'array' && plainShape(items ?? {}).type === 'object';

/** A JSON object. */
type Json = Record<string, unknown>;

export function parsedJson(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--${option} must be JSON.`);
  }
}

function numberOf(option: string, text: string, { type }: Shape): number {
  if (/^-?\d{1,15}$/.test(text) || (type === 'number' && /^-?\d{1,15}\.\d{1,9}$/.test(text))) return Number(text);
  throw new UsageError(`--${option} must be a ${type === 'number' ? '' : 'whole '}number: not "${text}".`);
}

/** The typed text. Codes such as `eur` and `de` become capitals if the contract requires them. */
function textOf(text: string, { enum: values, pattern = '' }: Shape): string {
  const fits = (one: string) => values?.includes(one) ?? new RegExp(pattern).test(one);
  return !fits(text) && fits(text.toUpperCase()) ? text.toUpperCase() : text;
}

/** Parses `payment_id=pay_…,amount=500`, or JSON. */
function objectOf(option: string, text: string, { properties = {}, additionalProperties }: Shape): Json {
  if (text.startsWith('{')) return parsedJson(option, text) as Json;
  const pairs = text.split(',').map((pair) => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === '') throw new UsageError(`--${option} must be JSON, or name=value,name=value: not "${text}".`);
    const others = typeof additionalProperties === 'object' ? additionalProperties : { type: 'string' };
    return { name, value, schema: plainShape(properties[name] ?? others) };
  });
  const currency = pairs.find(({ name }) => name === 'currency')?.value.toUpperCase();
  const isPriced = 'currency' in properties;
  const entries = pairs.map(({ name, value, schema }) => {
    const field = { ...fieldOf([name], schema, isPriced), option: `${option} ${name}` };
    if (field.kind === 'flag') return [name, value === 'true'];
    return [name, field.kind === 'json' ? value : sentValue(field, value, currency)];
  });
  return Object.fromEntries(entries);
}

function amountOf(option: string, text: string, currency: string | undefined): number {
  if (currency !== undefined) return minorUnitsOf(`--${option}`, text, currency);
  throw new UsageError(`--${option} needs the currency, so that 500 is never mistaken for 5.00.`);
}

function momentIn({ option, path }: RequestField, text: string): string {
  if (/T.*(Z|[+-]\d{2}:\d{2})$/.test(text)) return text;
  const isPast = ['since', 'created_at_gte', 'created_at_lte'].includes(path.at(-1) ?? '');
  if (!isPast && /^\d+[smhd]$/.test(text))
    throw new UsageError(`--${option} must be a time such as 2026-12-31T23:00:00Z, or a day.`);
  return momentOf(`--${option}`, text, new Date());
}

function sentValue(field: RequestField, text: string, currency: string | undefined): unknown {
  const { option, kind, schema } = field;
  if (kind === 'amount') return amountOf(option, text, currency);
  if (kind === 'number') return numberOf(option, text, schema);
  if (kind === 'moment') return momentIn(field, text);
  if (kind === 'object') return objectOf(option, text, schema);
  return kind === 'json' ? parsedJson(option, text) : textOf(text, schema);
}

/** Parses all values of a repeated option. A single value may also be a JSON array, such as an empty one. */
function listOf(field: RequestField, texts: readonly string[], currency: string | undefined): unknown[] {
  const { option, schema, itemKind = 'text' } = field;
  const one = { ...field, schema: plainShape(schema.items ?? {}), kind: itemKind };
  return texts.flatMap((text) => (text.startsWith('[') ? parsedJson(option, text) : [sentValue(one, text, currency)]));
}

/** The typed currency that belongs to an amount; undefined if there is none. */
function currencyBeside(typed: TypedWords, { path }: RequestField, data: Json): string | undefined {
  const beside = [...path.slice(0, -1), 'currency'];
  const known = beside.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], data);
  const text = typed.text(optionOf(beside)) ?? (typeof known === 'string' ? known : undefined);
  return text?.toUpperCase();
}

/** The parsed value of a field; undefined if the user typed none. */
export function typedValue(typed: TypedWords, field: RequestField, data: Json = {}): unknown {
  if (field.kind === 'flag') return typed.choice(field.option);
  const currency = currencyBeside(typed, field, data);
  const [text, texts] = [typed.text(field.option), typed.all(field.option)];
  if (field.kind === 'list') return texts.length === 0 ? undefined : listOf(field, texts, currency);
  return text === undefined ? undefined : sentValue(field, text, currency);
}

/** The object with a value set at a path. */
export function withValue(object: Json, [name = '', ...below]: readonly string[], value: unknown): Json {
  if (below.length === 0) return { ...object, [name]: value };
  return { ...object, [name]: withValue((object[name] ?? {}) as Json, below, value) };
}
