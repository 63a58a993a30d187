import type * as z from 'zod';

type Schema = z.core.$ZodType & { description?: string };

interface Definition {
  shape?: Record<string, Schema>;
  options?: Schema[];
  element?: Schema;
  innerType?: Schema;
  valueType?: Schema;
  in?: Schema;
}

/** The descriptions of fields, by path in the object, or by name anywhere in it. */
export type WordsByField = Readonly<Record<string, string>>;

/**
 * The descriptions of an answer's fields, for an input with the same fields: by path and by name. If two fields have
 * the same name, the outer one is used.
 */
export function wordsIn(answer: Schema, path = ''): WordsByField {
  const { shape = {}, options = [], element, innerType, valueType, in: input } = answer._zod.def as Definition;
  const fields = Object.entries(shape);
  const inner = [...options, element, innerType, valueType, input].map((part) => (part ? wordsIn(part, path) : {}));
  const below = fields.map(([name, field]) => wordsIn(field, `${path}${name}.`));
  const here = fields.flatMap(([name, { description }]) =>
    description === undefined ? [] : [[name, description] as const, [`${path}${name}`, description] as const],
  );
  return Object.assign({}, ...inner, ...below.toReversed(), Object.fromEntries(here));
}
