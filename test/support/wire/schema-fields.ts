import { readdirSync } from 'node:fs';
import type * as z from 'zod';

type Schema = z.core.$ZodType;

/** A field of a schema, with a function that builds an input in which only this field has a value. */
export interface SchemaField {
  path: string;
  kind: 'text' | 'many' | 'keys';
  wrap: (value: unknown) => unknown;
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

/** Every request schema that the modules in `wire` export, alone or in a map, by `file.Name`. */
export async function wireSchemas(): Promise<Record<string, Schema>> {
  const folder = new URL('../../../shared/wire/', import.meta.url);
  const found: Record<string, Schema> = {};
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  for (const file of files.filter((name) => !/^answers\/|-(?:answer|words)\.ts$/.test(name))) {
    const exported = (await import(new URL(file, folder).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (isSchema(value)) found[`${file}.${name}`] = value;
      else if (typeof value === 'object' && value !== null)
        for (const [member, inner] of Object.entries(value))
          if (isSchema(inner)) found[`${file}.${name}.${member}`] = inner;
    }
  }
  return found;
}

interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  keyType?: Schema;
  valueType?: Schema;
  options?: Schema[];
  in?: Schema;
  out?: Schema;
}

/**
 * Every place of a schema that reads text, many elements or many keys. Numbers and names from a list are included,
 * because they read text and refuse it. A shared schema is visited only once.
 */
export function schemaFieldsOf(
  schema: Schema,
  seen = new Set<Schema>(),
  path = '',
  wrap: SchemaField['wrap'] = (value) => value,
): SchemaField[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const definition = schema._zod.def as unknown as Definition;
  const here = (kind: SchemaField['kind']): SchemaField => ({ path, kind, wrap });
  const inside = (part: Schema, step: string, put: (value: unknown) => unknown) =>
    schemaFieldsOf(part, seen, `${path}${step}`, (value) => wrap(put(value)));
  const { shape = {}, element, innerType, keyType, valueType, options = [] } = definition;
  if (definition.type === 'object')
    return [
      here('keys'),
      ...Object.entries(shape).flatMap(([name, part]) => inside(part, `.${name}`, (value) => ({ [name]: value }))),
    ];
  if (definition.type === 'record')
    return [
      here('keys'),
      ...(keyType ? inside(keyType, '{key}', (value) => ({ [String(value)]: 'x' })) : []),
      ...(valueType ? inside(valueType, '{value}', (value) => ({ name: value })) : []),
    ];
  if (definition.type === 'array') return [here('many'), ...(element ? inside(element, '[]', (value) => [value]) : [])];
  if (definition.type === 'union') return options.flatMap((option) => schemaFieldsOf(option, seen, path, wrap));
  if (definition.type === 'pipe')
    return [definition.in, definition.out].flatMap((side) =>
      side && side._zod.def.type !== 'transform' ? schemaFieldsOf(side, seen, path, wrap) : [],
    );
  return innerType ? schemaFieldsOf(innerType, seen, path, wrap) : [here('text')];
}
