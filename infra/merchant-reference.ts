import * as z from 'zod';
import { MerchantConfig } from './merchant-config.ts';

/** The parts of a JSON schema from zod that are used here. */
interface FieldSchema {
  [keyword: string]: unknown;
  type?: string;
  description?: string;
  neededBy?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, FieldSchema>;
  required?: string[];
}

/** Removes the pattern of a tax id or an address. It does not help in an editor, because the format says the same. */
function forEditors({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

const made = (): FieldSchema =>
  z.toJSONSchema(MerchantConfig, { io: 'input', override: forEditors, reused: 'inline' }) as FieldSchema;

/**
 * The JSON schema of a merchant's file, made from the schema that reads the file. With it, an editor completes and
 * explains fields.
 */
export function merchantSchema(): FieldSchema {
  const explained = (schema: FieldSchema): FieldSchema => {
    const { neededBy, description, properties, ...others } = schema;
    const text = neededBy === undefined ? description : `${description} For ${neededBy}.`;
    const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, explained(field)] as const);
    return {
      ...(text !== undefined && { description: text }),
      ...others,
      ...(properties && { properties: Object.fromEntries(fields) }),
    };
  };
  return { ...explained(made()), title: 'A merchant’s file of Tillstack' };
}

/** A field as a row of the reference table. */
interface Row {
  path: string;
  schema: FieldSchema;
  isRequired: boolean;
}

const rowsOf = ({ properties = {}, required = [] }: FieldSchema, before: string): Row[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = before === '' ? name : `${before}.${name}`;
    return [{ path, schema, isRequired: required.includes(name) }, ...rowsOf(schema, path)];
  });

const typeOf = ({ type = 'string', enum: choices, const: only }: FieldSchema): string => {
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  return choices ? choices.map((choice) => `\`${String(choice)}\``).join(', ') : type;
};

const defaultOf = ({ schema, isRequired }: Row): string => {
  if (isRequired) return '**required**';
  return schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``;
};

const line = (row: Row): string =>
  `| \`${row.path}\` | ${typeOf(row.schema)} | ${defaultOf(row)} | ${row.schema.description ?? ''} | ${row.schema.neededBy ?? ''} |`;

const heading = ['| field | type | default | meaning | who needs it |', '|---|---|---|---|---|'];

/** The tables of docs/configuration.md about the file, the merchant, and a stage. Both stages have the same fields. */
export function merchantTables(): Record<'file' | 'merchant' | 'stage', string> {
  const { properties = {}, required = [] } = made();
  const stages = properties['stages']?.properties ?? {};
  const own = rowsOf({ properties, required }, '').filter(({ path }) => path.startsWith('$'));
  const table = (rows: readonly Row[]) => [...heading, ...rows.map(line)].join('\n');
  return {
    file: table(own),
    merchant: table(rowsOf(properties['merchant'] ?? {}, '')),
    stage: table(rowsOf(stages['live'] ?? {}, '')),
  };
}
