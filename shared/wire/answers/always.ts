import * as z from 'zod';
import { noItems } from './values.ts';

type Constant = string | number | boolean | null | readonly [] | Readonly<Record<string, never>>;

/**
 * Fields of an answer that always have the same value. Their descriptions contain the value and, if there is one, the
 * reason.
 */
export function always<Values extends Readonly<Record<string, Constant>>>(
  values: Values,
  reasons: { [Name in keyof Values]?: string } = {},
) {
  const fields = Object.entries(values).map(([name, value]) => {
    const reason = reasons[name];
    return [name, schemaOf(value).describe(`Always ${textOf(value)}${reason ? `: ${reason}` : ''}.`)];
  });
  return Object.fromEntries(fields) as { [Name in keyof Values]: z.ZodType<Values[Name], Values[Name]> };
}

function schemaOf(value: Constant): z.ZodType {
  if (value === null) return z.null();
  if (typeof value !== 'object') return z.literal(value);
  return Array.isArray(value) ? noItems : z.strictObject({});
}

function textOf(value: Constant): string {
  if (typeof value === 'string') return `\`${value}\``;
  return typeof value === 'object' && value !== null ? 'empty' : String(value);
}
