import type { DeclaredField } from './declarations.ts';
import type { DeclaredPlace, Library } from './library.ts';

/** What is read of a schema of the contract. */
export interface AnswerSchema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  properties?: Record<string, AnswerSchema>;
  required?: string[];
  items?: AnswerSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: AnswerSchema[];
  oneOf?: AnswerSchema[];
  allOf?: AnswerSchema[];
}

/** `missing` and `type` break programs; `additional` is what the library doesn't know, `absent` what it can do without. */
export interface Drift {
  kind: 'missing' | 'type' | 'additional' | 'absent';
  where: string;
  what: string;
}

export type Schemas = Readonly<Record<string, AnswerSchema>>;

interface Context {
  library: Library;
  schemas: Schemas;
  report: (drift: Drift) => void;
}

/** The alternatives of a schema, without references. */
function variants(schemas: Schemas, schema: AnswerSchema): AnswerSchema[] {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    const found = schemas[name];
    if (!found) throw new Error(`The contract has no schema ${name}.`);
    return variants(schemas, found);
  }
  if (schema.allOf) return [merged(schemas, schema.allOf)];
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.flatMap((one) => variants(schemas, one));
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
}

function merged(schemas: Schemas, parts: AnswerSchema[]): AnswerSchema {
  const whole = parts.flatMap((part) => variants(schemas, part));
  return {
    type: 'object',
    properties: Object.assign({}, ...whole.map(({ properties }) => properties)),
    required: whole.flatMap(({ required = [] }) => required),
  };
}

const jsonOf = (value: unknown): string => (value === null ? 'null' : typeof value);

function kindOf({ type, const: one, enum: many }: AnswerSchema): string | undefined {
  if (type === 'integer') return 'number';
  if (typeof type === 'string') return type;
  if (one !== undefined) return jsonOf(one);
  return many ? jsonOf(many[0]) : undefined;
}

function declaredKind({ type }: DeclaredPlace): string {
  if (type.kind === 'primitive') return type.json;
  if (type.kind === 'literal') return typeof type.value;
  return type.kind;
}

/** Fields of a model and of those that it extends. */
function fieldsOf(
  library: Library,
  place: DeclaredPlace,
): { fields: Map<string, DeclaredField & { file: string }>; isOpen: boolean } {
  const fields = new Map<string, DeclaredField & { file: string }>();
  if (place.type.kind !== 'object') return { fields, isOpen: true };
  let { isOpen } = place.type;
  for (const base of place.type.bases.flatMap((type) => library.alternatives({ type, file: place.file }))) {
    const inherited = fieldsOf(library, base);
    isOpen ||= inherited.isOpen;
    for (const [name, field] of inherited.fields) fields.set(name, field);
  }
  for (const [name, field] of place.type.fields) fields.set(name, { ...field, file: place.file });
  return { fields, isOpen };
}

/** A field that is always null has the library's type in the contract, without what is within. */
const isNeverGiven = ({ description = '' }: AnswerSchema): boolean => description.startsWith('Always null');

function compareObject(context: Context, place: DeclaredPlace, schema: AnswerSchema, where: string): void {
  const { library, report } = context;
  const { fields, isOpen } = fieldsOf(library, place);
  const ours = schema.properties ?? {};
  for (const [name, { type, isOptional, file }] of fields) {
    const field = ours[name];
    const path = `${where}.${name}`;
    if (field) {
      if (!isNeverGiven(field)) compareType(context, { type, file }, field, path);
    } else report({ kind: isOptional ? 'absent' : 'missing', where: path, what: 'is not answered' });
    if (field && !isOptional && !schema.required?.includes(name)) {
      report({ kind: 'missing', where: path, what: 'is not always answered' });
    }
  }
  for (const name of isOpen ? [] : Object.keys(ours).filter((one) => !fields.has(one))) {
    report({ kind: 'additional', where: `${where}.${name}`, what: 'is not known to the library' });
  }
}

/** Of several models, the one that fits best. */
function compareObjects(context: Context, places: DeclaredPlace[], schema: AnswerSchema, where: string): void {
  const attempts = places.map((place) => {
    const found: Drift[] = [];
    compareObject({ ...context, report: (drift) => found.push(drift) }, place, schema, where);
    return { found, breaks: found.filter(breaks).length };
  });
  const best = attempts.sort((a, b) => a.breaks - b.breaks || a.found.length - b.found.length)[0];
  for (const drift of best?.found ?? []) context.report(drift);
}

function compareValues(context: Context, places: DeclaredPlace[], schema: AnswerSchema, where: string): void {
  if (places.some(({ type }) => type.kind === 'primitive')) return;
  const known = new Set(places.map(({ type }) => (type.kind === 'literal' ? type.value : undefined)));
  const ours = schema.const === undefined ? schema.enum : [schema.const];
  const unknown = ours?.filter((value) => !known.has(value as string));
  if (!ours)
    context.report({ kind: 'type', where, what: `may be any ${kindOf(schema)}; the library lists its values` });
  else if (unknown?.length) {
    context.report({ kind: 'type', where, what: `may be ${unknown.join(', ')}, which the library doesn't list` });
  }
}

function compareVariant(context: Context, declared: DeclaredPlace[], schema: AnswerSchema, where: string): void {
  const kind = kindOf(schema);
  if (kind === undefined || declared.some(({ type }) => type.kind === 'any')) return;
  const fitting = declared.filter((one) => declaredKind(one) === kind);
  if (fitting.length === 0) {
    const wanted = [...new Set(declared.map(declaredKind))].join(' or ');
    context.report({ kind: 'type', where, what: `may be ${kind}; the library has ${wanted}` });
  } else if (kind === 'object') compareObjects(context, fitting, schema, where);
  else if (kind === 'array') compareItems(context, fitting, schema, where);
  else compareValues(context, fitting, schema, where);
}

function compareItems(context: Context, [list]: DeclaredPlace[], { items }: AnswerSchema, where: string): void {
  if (list?.type.kind !== 'array' || !items) return;
  compareType(context, { type: list.type.of, file: list.file }, items, `${where}[]`);
}

function compareType(context: Context, place: DeclaredPlace, schema: AnswerSchema, where: string): void {
  const declared = context.library.alternatives(place);
  for (const variant of variants(context.schemas, schema)) compareVariant(context, declared, variant, where);
}

/** Whether programs that trust the library's types can fail by a drift. */
export const breaks = ({ kind }: Drift): boolean => kind === 'missing' || kind === 'type';

/** How every answer that a schema allows differs from the type that the library declares for it. */
export function compareAnswer(
  library: Library,
  schemas: Schemas,
  { place, schema, name }: { place: DeclaredPlace; schema: AnswerSchema; name: string },
): Drift[] {
  const found: Drift[] = [];
  compareType({ library, schemas, report: (drift) => found.push(drift) }, place, schema, name);
  return found;
}
