import type { AttributeMap, AttributeValue } from '../../../infra/local-aws/table/values/attribute-value.ts';
import { between, pickOne } from '../../support/seeded.ts';

type Random = () => number;

/** Texts whose order by UTF-8 is not their order by UTF-16, and some that begin as others do. */
export const texts = ['a', 'b', 'aé', 'a\u{1F600}', 'a\uFFFD', 'A', 'Z', 'z', '~', 'a#b', '2026-01-01', '2026-01-01#b'];

/** The same numbers in several forms, and some that no double holds. */
export const numbers = [
  '0',
  '1',
  '-1',
  '1.0',
  '10',
  '1e2',
  '0.1',
  '-0.5',
  '1E-7',
  '9007199254740993',
  '123456789.125',
  '00012',
  '-0',
];

const someText = (random: Random): AttributeValue => ({ S: pickOne(random, texts) });
const someNumber = (random: Random): AttributeValue => ({ N: pickOne(random, numbers) });

const simple: readonly ((random: Random) => AttributeValue)[] = [
  someText,
  someText,
  someText,
  someNumber,
  someNumber,
  (random) => ({ BOOL: random() < 0.5 }),
  () => ({ NULL: true }),
  (random) => ({ B: Buffer.from(pickOne(random, texts)).toString('base64') }),
  (random) => ({ SS: [...new Set([pickOne(random, texts), pickOne(random, texts)])] }),
  (random) => ({ NS: pickOne(random, [['1'], ['1', '2'], ['2.50', '1e1']]) }),
  () => ({ BS: ['AAEC', 'AA=='] }),
];

/** A value of any type; lists and maps hold further ones, down to a depth. */
export function someValue(random: Random, depth = 0): AttributeValue {
  const chance = depth > 1 ? 1 : random();
  if (chance < 0.12) return { L: Array.from({ length: between(random, 0, 2) }, () => someValue(random, depth + 1)) };
  if (chance < 0.24) return { M: someMap(random, depth + 1) };
  return pickOne(random, simple)(random);
}

const someMap = (random: Random, depth: number): AttributeMap =>
  Object.fromEntries(['a', 'b', 'c'].slice(0, between(random, 0, 3)).map((name) => [name, someValue(random, depth)]));

/** Few keys, so that commands meet each other's rows. */
export const someKey = (random: Random): AttributeMap => ({
  pk: { S: `P${between(random, 0, 3)}` },
  sk: { S: pickOne(random, ['A', 'B', 'Bé', 'b', 'C']) },
});

const chosen = <Member extends object>(isChosen: boolean, member: () => Member): Member | object =>
  isChosen ? member() : {};

/** A row, in some, all or none of the indexes, now and then of more than a kilobyte. */
export const someItem = (random: Random): AttributeMap => ({
  ...someKey(random),
  version: { N: String(between(random, 0, 3)) },
  ...chosen(random() < 0.6, () => ({ x: someValue(random) })),
  ...chosen(random() < 0.6, () => ({ y: someValue(random) })),
  ...chosen(random() < 0.5, () => ({ data: random() < 0.5 ? { M: someMap(random, 1) } : someValue(random) })),
  ...chosen(random() < 0.5, () => ({ row: { M: someMap(random, 1) } })),
  ...chosen(random() < 0.6, () => ({ listPk: { S: `L${between(random, 0, 1)}` }, listSk: someText(random) })),
  ...chosen(random() < 0.3, () => ({ duePk: { S: 'D' } })),
  ...chosen(random() < 0.3, () => ({ dueSk: someText(random) })),
  ...chosen(random() < 0.1, () => ({ big: { S: 'x'.repeat(between(random, 1, 6_000)) } })),
});
