import { describe, expect, it } from 'vitest';
import { treeOf } from './tree.ts';
import { doubles, placesOfWords } from './words.ts';

const everything = placesOfWords(treeOf('shared', 'functions', 'infra', 'test'));

describe('an exported word', () => {
  it('is found by this test in every form of declaration', () => {
    expect([...everything.values()].flat().length).toBeGreaterThan(1_500);
  });

  it('has one meaning in the whole tree', () => {
    expect(doubles(everything)).toEqual([]);
  });
});

/** A guard is trusted after it has been seen to fail. */
describe('the check for exported words', () => {
  const other = { 'shared/domain/refund.ts': 'export interface Refund { id: string }\nexport const half = 2;' };

  it.each([
    'export interface Refund {}',
    'export type Refund = string;',
    'export const Refund = z.object({});',
    'export class Refund {}',
    'export function Refund() {}',
    'export async function Refund() {}',
    'export const { Refund } = refunds;',
    'export const { id: Refund } = refunds;',
    'export enum Refund { one }',
    'interface Refund {}\nexport type { Refund };',
    'const refund = 1;\nexport { refund as Refund };',
  ])('finds that %j is declared in a second file', (source) => {
    expect(doubles(placesOfWords({ ...other, 'shared/wire/refund.ts': source }))).toEqual([
      'Refund: shared/domain/refund.ts, shared/wire/refund.ts',
    ]);
  });

  it.each([
    'interface Refund {}',
    'export const refund = 1;',
    "export type { Refund } from '../domain/refund.ts';",
    '// export interface Refund {}',
    "export const text = 'export const Refund = 1;';",
    'export const RefundInput = z.object({});\nexport type RefundInput = z.infer<typeof RefundInput>;',
    'export const handler = 1;',
  ])('accepts %j in a file', (source) => {
    expect(
      doubles(
        placesOfWords({ ...other, 'shared/wire/refund.ts': source, 'functions/a.ts': 'export const handler = 2;' }),
      ),
    ).toEqual([]);
  });
});
