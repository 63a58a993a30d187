import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { merchantSchema, merchantTables } from '../../infra/merchant-reference.ts';

const page = 'docs/configuration.md';
const schemaPath = 'infra/merchants/merchant.schema.json';
const isUpdate = process.env['UPDATE_DOCS'] !== undefined;

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  type?: string;
}

const fieldsOf = (schema: Schema, path = ''): [string, Schema][] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, Schema][] => [
    [`${path}${name}`, field],
    ...fieldsOf(field, `${path}${name}.`),
  ]);

describe('the reference of the configuration (UPDATE_DOCS=1 rewrites it)', () => {
  it.each(Object.entries(merchantTables()))('has every field of %s', (name, table) => {
    const section = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`);
    const text = readFileSync(page, 'utf8');
    if (isUpdate)
      writeFileSync(
        page,
        text.replace(section, () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`),
      );
    else expect(section.exec(text)?.[1]).toBe(`${table}\n`);
  });

  it('is also a schema that editors use for completion', () => {
    const text = `${JSON.stringify(merchantSchema(), undefined, 2)}\n`;
    if (isUpdate) writeFileSync(schemaPath, text);
    else expect(readFileSync(schemaPath, 'utf8')).toBe(text);
  });

  it('explains for every field what it means and who needs it', () => {
    const fields = fieldsOf(merchantSchema() as Schema).filter(
      ([path]) => !/^(merchant|stages|stages\.(sandbox|live))$/.test(path),
    );
    expect(fields.length).toBeGreaterThan(50);
    const silent = fields.filter(([, { description }]) => !description?.includes(' For '));
    expect(silent.map(([path]) => path)).toEqual([]);
  });
});
