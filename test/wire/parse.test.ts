import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { DomainError } from '../../shared/domain/errors.ts';
import { parseInput } from '../../shared/wire/parse.ts';
import { MoneyAmount } from '../../shared/wire/values.ts';
import { withCode } from '../../shared/wire/with-code.ts';

const Order = z.strictObject({
  name: z.string().min(1),
  amount: MoneyAmount.optional(),
  items: z.array(z.strictObject({ id: z.string(), amount: MoneyAmount })).default([]),
});

function refusal(value: unknown, schema: z.ZodType = Order): DomainError {
  try {
    parseInput(schema, value);
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('It was accepted.');
}

describe('input from outside', () => {
  it('is returned as the schema has converted it', () => {
    expect(parseInput(Order, { name: 'a' })).toEqual({ name: 'a', items: [] });
  });

  it('is refused with all of its five faults and their paths', () => {
    const { details, code } = refusal({ name: '', amount: 1.5, items: [{ id: 1, amount: 'x' }], extra: 1 });
    expect(code).toBe('INVALID_REQUEST_BODY');
    expect(details.faults?.map(({ path }) => path).sort()).toEqual([
      'amount',
      'extra',
      'items[0].amount',
      'items[0].id',
      'name',
    ]);
  });

  it('is refused with one fault for each unknown field, also for nested ones', () => {
    const { details } = refusal({ name: 'a', b: 1, c: 2, items: [{ id: 'x', amount: 1, d: 3 }] });
    expect(details.faults?.map(({ path }) => path).sort()).toEqual(['b', 'c', 'items[0].d']);
  });

  it('is refused with at most twenty faults', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 1]));
    expect(refusal({ name: 'a', ...many }).details.faults).toHaveLength(20);
  });

  it('is refused with a message that has the first fault and the number of the others', () => {
    expect(refusal({ name: 'a', amount: -1 }).message).toBe('amount: must be between 0 and 2147483647');
    expect(refusal({ name: 1, items: 1 }).message).toMatch(/^name: .*\(and 1 more\)$/);
  });

  it('is refused with the error code of the first fault’s rule, if that rule has one', () => {
    expect(refusal({ name: 'a', amount: -1 }).code).toBe('INTEGER_CONVERSION_FAILURE');
    expect(refusal({ name: '', amount: -1 }).code).toBe('INVALID_REQUEST_BODY');
    const both = Order.refine(() => false, withCode('INVALID_REQUEST_PARAMETERS', 'never'));
    expect(refusal({ name: 'a' }, both).code).toBe('INVALID_REQUEST_PARAMETERS');
  });

  it.each([null, [], 'text', 1, true, undefined])('is refused as a whole body when it is %j', (value) => {
    expect(refusal(value).details.faults).toMatchObject([{ path: '' }]);
  });
});

describe('the message of a fault', () => {
  const Filled = z.strictObject({
    name: z.string().min(1).max(5),
    amount: MoneyAmount,
    count: z.int().min(1).max(3),
    isLive: z.boolean(),
    kind: z.enum(['one', 'two']),
    only: z.literal('this'),
    list: z.array(z.string()).max(1),
    part: z.strictObject({ id: z.string() }),
  });
  const right = {
    name: 'a',
    amount: 1,
    count: 1,
    isLive: true,
    kind: 'one',
    only: 'this',
    list: [],
    part: { id: 'x' },
  };

  const messageOf = (change: object): string => refusal({ ...right, ...change }, Filled).message;

  it.each([
    ['a text with its own message', z.string('must be a name')],
    ['a date', z.iso.date('must be a date')],
    ['one of several', z.enum(['a', 'b'], 'must be a or b')],
    ['a union', z.union([z.string(), z.number()], 'must be one of two')],
  ])('says that %s is required when it is missing', (_, schema) => {
    expect(refusal({}, z.object({ field: schema })).message).toBe('field: is required');
    expect(refusal({ field: false }, z.object({ field: schema })).message).not.toContain('is required');
  });

  it('says “is required” for every missing field', () => {
    expect(refusal({}, Filled).details.faults).toMatchObject(
      Object.keys(right).map((path) => ({ path, message: 'is required' })),
    );
  });

  it.each([
    [{ name: 1 }, 'name: must be a string'],
    [{ name: null }, 'name: must be a string'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'abcdef' }, 'name: must have at most 5 characters'],
    [{ amount: 'x' }, 'amount: must be a whole number of minor units'],
    [{ count: 'x' }, 'count: must be a number'],
    [{ count: 1.5 }, 'count: must be a whole number'],
    [{ count: 0 }, 'count: must be at least 1'],
    [{ count: 4 }, 'count: must be at most 3'],
    [{ isLive: 'yes' }, 'isLive: must be true or false'],
    [{ kind: 'three' }, 'kind: must be one of one, two'],
    [{ only: 'that' }, 'only: must be this'],
    [{ list: {} }, 'list: must be a list'],
    [{ list: ['a', 'b'] }, 'list: must have at most 1 entries'],
    [{ part: [] }, 'part: must be an object'],
    [{ part: { id: 'x', extra: 1 } }, 'part.extra: is not a known field'],
  ])('describes %j in plain language', (change, message) => expect(messageOf(change)).toBe(message));
});
