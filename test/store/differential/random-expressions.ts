import type { AttributeValue } from '../../../infra/local-aws/table/values/attribute-value.ts';
import { between, pickOne } from '../../support/seeded.ts';
import { numbers, someValue, texts } from './random-values.ts';

type Random = () => number;

/** Collects the placeholders of one request while its expressions are written. */
export class Placeholders {
  readonly values: Record<string, AttributeValue> = {};
  readonly names: Record<string, string> = {};

  value(value: AttributeValue): string {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  name(name: string): string {
    const placeholder = `#${name}`;
    this.names[placeholder] = name;
    return placeholder;
  }

  members(): object {
    return {
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
    };
  }
}

/** `data` and `row` are reserved words and need a placeholder. */
const somePath = (random: Random, of: Placeholders): string => {
  const path = pickOne(random, [
    'x',
    'y',
    'version',
    'x[0]',
    'x.a',
    'nothing',
    'data',
    'data.a',
    'data.b',
    'data.a.b',
    'row.a',
  ]);
  return path.replace(/^(data|row)/, (name) => of.name(name));
};

const somePrefix = (random: Random): AttributeValue => ({ S: pickOne(random, ['a', '2026', 'A']) });

const predicates: readonly ((random: Random, of: Placeholders) => string)[] = [
  (random, of) => `attribute_exists(${somePath(random, of)})`,
  (random, of) => `attribute_not_exists(${somePath(random, of)})`,
  (random, of) => `begins_with(${somePath(random, of)}, ${of.value(somePrefix(random))})`,
  (random, of) => `contains(${somePath(random, of)}, ${of.value(someValue(random, 2))})`,
  (random, of) =>
    `attribute_type(${somePath(random, of)}, ${of.value({ S: pickOne(random, ['S', 'N', 'M', 'L', 'SS']) })})`,
  (random, of) =>
    `size(${somePath(random, of)}) ${pickOne(random, ['>', '=', '<='])} ${of.value({ N: pickOne(random, ['0', '1', '2']) })}`,
  (random, of) => `${somePath(random, of)} IN (${of.value(someValue(random, 1))}, ${of.value(someValue(random, 2))})`,
  (random, of) =>
    `${somePath(random, of)} BETWEEN ${of.value({ N: '0' })} AND ${of.value({ N: pickOne(random, ['1', '10']) })}`,
  (random, of) => `${somePath(random, of)} ${pickOne(random, ['=', '<>'])} ${of.value(someValue(random))}`,
  (random, of) =>
    `${somePath(random, of)} ${pickOne(random, ['<', '<=', '>', '>='])} ${of.value(pickOne(random, [{ S: pickOne(random, texts) }, { N: pickOne(random, numbers) }]))}`,
  (random, of) => `version ${pickOne(random, ['=', '<', '>='])} ${of.value({ N: String(between(random, 0, 3)) })}`,
  () => 'attribute_exists(pk)',
  () => 'attribute_not_exists(pk)',
];

/** A condition of up to three levels. */
export function someCondition(random: Random, of: Placeholders, depth = 0): string {
  const chance = depth > 1 ? 1 : random();
  const part = () => someCondition(random, of, depth + 1);
  if (chance < 0.1) return `NOT ${part()}`;
  if (chance < 0.3) return `(${part()} ${pickOne(random, ['AND', 'OR'])} ${part()})`;
  return pickOne(random, predicates)(random, of);
}

/** Updates of each section, some of which a row may refuse. */
export const updates: readonly ((random: Random, of: Placeholders) => string)[] = [
  (random, of) => `SET x = ${of.value(someValue(random))}, y = if_not_exists(y, ${of.value(someValue(random))})`,
  (random, of) =>
    `SET version = if_not_exists(version, ${of.value({ N: '0' })}) + ${of.value({ N: pickOne(random, ['1', '0.5', '-3']) })}`,
  (random, of) => `SET version = version - ${of.value({ N: pickOne(random, numbers) })}`,
  (random, of) => `SET ${of.name('data')}.a = ${of.value(someValue(random))}`,
  (random, of) => `SET ${of.name('data')} = ${of.value({ M: { a: someValue(random, 1) } })} REMOVE y`,
  (random, of) =>
    `SET x = list_append(if_not_exists(x, ${of.value({ L: [] })}), ${of.value({ L: [someValue(random, 1)] })})`,
  (random, of) => `SET x[${between(random, 0, 3)}] = ${of.value(someValue(random, 1))}`,
  (random, of) => `SET ${of.name('row')} = ${of.value({ M: { a: someValue(random, 1) } })}`,
  () => 'REMOVE x, y',
  () => 'REMOVE x[0], x[1]',
  (_, of) => `REMOVE ${of.name('data')}.a`,
  () => 'REMOVE duePk, dueSk',
  (random, of) => `ADD version ${of.value({ N: pickOne(random, numbers) })}`,
  (random, of) => `ADD x ${of.value(pickOne(random, [{ SS: ['a', 'n'] }, { NS: ['1', '7'] }, { N: '1' }]))}`,
  (random, of) => `DELETE x ${of.value(pickOne(random, [{ SS: ['a', 'b', 'z'] }, { NS: ['1', '2'] }]))}`,
  (random, of) =>
    `SET listPk = ${of.value({ S: 'L0' })}, listSk = ${of.value({ S: pickOne(random, texts) })} ADD version ${of.value({ N: '1' })}`,
];
