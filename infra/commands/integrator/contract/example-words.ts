import { decimalOf } from '../../../../shared/pages/format.ts';
import { type ApiOperation, requestContent } from '../../../reference/contract.ts';
import { type RequestField, withValue } from './fields.ts';
import { commandName } from './names.ts';

type Json = Record<string, unknown>;

const valueAt = (body: Json, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], body);

function textOf({ kind, path }: Pick<RequestField, 'kind' | 'path'>, value: unknown, body: Json): string {
  if (kind === 'amount') return decimalOf(value as number, String(valueAt(body, [...path.slice(0, -1), 'currency'])));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The words on the command line for a value; undefined if no option can express it. */
function optionWords(field: RequestField, value: unknown, body: Json): string[] | undefined {
  const { option, kind, itemKind = 'text', path } = field;
  if (value === null) return undefined;
  if (kind === 'flag') return [value === true ? `--${option}` : `--no-${option}`];
  if (!Array.isArray(value)) return [`--${option}`, textOf(field, value, body)];
  if (value.length === 0) return [`--${option}`, '[]'];
  return value.flatMap((one) => [`--${option}`, textOf({ kind: itemKind, path }, one, body)]);
}

/**
 * The words on the command line that send the contract's example of a body. Values for which there is no option are put
 * into `--data`.
 */
export function exampleWords(
  operation: ApiOperation,
  fields: readonly RequestField[],
  places: readonly string[],
): string[] {
  const body = (requestContent(operation)?.example ?? {}) as Json;
  let rest: Json = {};
  const options = fields.flatMap((field) => {
    const value = valueAt(body, field.path);
    if (value === undefined) return [];
    const words = optionWords(field, value, body);
    if (words === undefined) rest = withValue(rest, field.path, value);
    return words ?? [];
  });
  const data = Object.keys(rest).length === 0 ? [] : ['--data', JSON.stringify(rest)];
  return [...commandName(operation).split(' '), ...places, ...options, ...data];
}

/** Quotes words for a shell. */
export const shellLine = (words: readonly string[]): string =>
  words
    .map((word) => (/^([\w.,:/@=-]+|<\w+>)$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
