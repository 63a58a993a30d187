import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { DomainError } from '../../shared/domain/errors.ts';
import type { Walk } from '../../shared/wire/cursor.ts';
import { createdFields, onePaging, pageFields, presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { parseInput } from '../../shared/wire/parse.ts';

const walk = { hash: 'a'.repeat(64), stackKey: 's'.repeat(43), list: '/payments', filters: {} };
const Query = onePaging(z.strictObject({ ...pageFields, ...createdFields }));
const read = (query: Record<string, string>) =>
  toPageRequest(parseInput(Query, query, 'INVALID_QUERY_PARAMS'), { ...walk, filters: query });

/** The cursor of a page that ends with a sort key. */
function cursorOf(last: string, of: Walk = walk): string {
  const page = presentPage<string>(String)({ items: ['x'], hasMore: true, last }, of);
  return page.next_cursor as string;
}

const sortKeyOf = (index: number): string => `2026-03-01T12:00:00.000Z#pay_${index}`;

const refused = (query: Record<string, string>, path: string) => {
  try {
    read(query);
  } catch (error) {
    const { code, details } = error as DomainError;
    return expect({ code, path: details.faults?.[0]?.path }).toEqual({ code: 'INVALID_QUERY_PARAMS', path });
  }
  throw new Error(`${JSON.stringify(query)} was accepted.`);
};

describe('a page', () => {
  it.each([
    [{}, { size: 10, skip: 0 }],
    [{ page_number: '1' }, { size: 10, skip: 0 }],
    [{ page_number: '2' }, { size: 10, skip: 10 }],
    [
      { page_number: '3', page_size: '7' },
      { size: 7, skip: 14 },
    ],
    [{ page_size: '1' }, { size: 1, skip: 0 }],
    [{ page_size: '100' }, { size: 100, skip: 0 }],
    [{ page_number: '1000' }, { size: 10, skip: 9_990 }],
    [
      { page_number: '100', page_size: '100' },
      { size: 100, skip: 9_900 },
    ],
    [{ page_number: '007' }, { size: 10, skip: 60 }],
  ])('requested with %j is read as %j', (query, page) => {
    expect(read(query as Record<string, string>)).toEqual({ ...page, after: undefined, isNumbered: true });
  });

  it.each([
    [{ page_number: '0' }, 'page_number'],
    [{ page_number: '-1' }, 'page_number'],
    [{ page_number: '1.0' }, 'page_number'],
    [{ page_number: '1e1' }, 'page_number'],
    [{ page_number: ' 1' }, 'page_number'],
    [{ page_number: '+1' }, 'page_number'],
    [{ page_number: '0x1' }, 'page_number'],
    [{ page_number: '٣' }, 'page_number'],
    [{ page_number: '9999999999' }, 'page_number'],
    [{ page_number: '1001' }, 'page_number'],
    [{ page_number: '101', page_size: '100' }, 'page_number'],
    [{ page_size: '0' }, 'page_size'],
    [{ page_size: '101' }, 'page_size'],
    [{ page_size: 'ten' }, 'page_size'],
    [{ colour: 'red' }, 'colour'],
    [{ created_at_gte: '1772366400' }, 'created_at_gte'],
    [{ created_at_lte: '2026-03-01' }, 'created_at_lte'],
    [{ created_at_lte: '2026-03-01T12:00:00' }, 'created_at_lte'],
    [{ created_at_lte: '2026-02-30T12:00:00Z' }, 'created_at_lte'],
  ])('is refused when requested with %j', (query, path) => refused(query as Record<string, string>, path));

  it('shows its items, whether there are more, and the cursor of the next page', () => {
    const present = presentPage((item: string) => ({ id: item }));
    const full = present({ items: ['a', 'b'], hasMore: true, last: '2026#b' }, walk);
    expect(full).toEqual({ items: [{ id: 'a' }, { id: 'b' }], has_more: true, next_cursor: expect.any(String) });
    expect(present({ items: ['a'], hasMore: false, last: '2026#a' }, walk)).toEqual({
      items: [{ id: 'a' }],
      has_more: false,
      next_cursor: null,
    });
    expect(present({ items: [], hasMore: false, last: undefined }, walk)).toEqual({
      items: [],
      has_more: false,
      next_cursor: null,
    });
  });
});

const bounded = presentPage((size: number) => 'x'.repeat(size), {
  narrowedBy: ['day', 'place'],
  mostItemBytes: 100_000,
});
const pageOf = (items: number[], more: object = {}) => ({
  items,
  hasMore: false,
  last: sortKeyOf(items.length),
  sortKeys: items.map((_, index) => sortKeyOf(index + 1)),
  ...more,
});

describe('a page that is too large for one answer', () => {
  const heavy = Array<number>(100).fill(90_000);

  it('ends early when requested by cursor, and the next page continues there', () => {
    const { items, has_more, next_cursor } = bounded(pageOf(heavy), walk);
    expect([items.length, has_more]).toEqual([49, true]); // 50 × 90,006 is more than 4,500,000
    expect(read({ cursor: next_cursor ?? '' }).after).toBe(sortKeyOf(49));
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(items)))).toBeLessThan(4_600_000);
  });

  it('has at least one item', () => {
    expect(bounded(pageOf([5_000_000, 1]), walk).items).toHaveLength(1);
  });

  it('is refused when requested by number, and the message names a page size that always fits', () => {
    const numbered = () => bounded(pageOf(heavy, { isNumbered: true }), walk);
    expect(numbered).toThrow(/cursor=start.*page_size ≤ 45/);
    const fits = bounded(pageOf(Array<number>(45).fill(99_990), { isNumbered: true }), walk);
    expect(fits.items).toHaveLength(45);
  });

  it('is measured in the bytes that are sent, where a quotation mark takes four', () => {
    const quoting = presentPage((size: number) => '"'.repeat(size));
    expect(quoting(pageOf(Array<number>(100).fill(20_000)), walk).items).toHaveLength(56); // 56 × 80,008
  });
});

describe('a page whose search stopped early', () => {
  const spent = { isSpent: true, hasMore: true, last: sortKeyOf(7) };

  it('is answered as far as it was found when requested by cursor, even without items', () => {
    const { items, has_more, next_cursor } = bounded(pageOf([], spent), walk);
    expect({ items, has_more }).toEqual({ items: [], has_more: true });
    expect(read({ cursor: next_cursor ?? '' }).after).toBe(sortKeyOf(7));
  });

  it('is refused when requested by number, and the message says how to narrow the search', () => {
    const numbered = () => bounded(pageOf([1, 1], { ...spent, isNumbered: true }), walk);
    expect(numbered).toThrow(/day or place.*cursor=start/);
    expect(numbered).toThrow(expect.objectContaining({ code: 'INVALID_QUERY_PARAMS' }));
  });
});

describe('a cursor', () => {
  it('is the word “start” for the first page', () => {
    expect(read({ cursor: 'start', page_size: '7' })).toEqual({ size: 7, skip: 0, after: undefined });
    refused({ cursor: 'start', page_number: '1' }, 'cursor');
  });

  const last = '2026-03-01T12:00:00.000Z#pay_AbCdEfGhIjKlMnOpQrStU';
  const cursor = cursorOf(last);

  it('leads to the items after the place where it was made', () => {
    expect(read({ cursor })).toEqual({ size: 10, skip: 0, after: last });
    expect(read({ cursor, page_size: '50' })).toMatchObject({ size: 50, after: last });
  });

  it('does not show the keys of the table in readable form', () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+=[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}$/);
    expect(cursor).not.toContain('pay_');
  });

  it('cannot be combined with a page number', () => refused({ cursor, page_number: '1' }, 'cursor'));

  it.each([
    ['another caller', { hash: 'b'.repeat(64) }],
    ['another stack', { stackKey: 't'.repeat(43) }],
    ['another list', { list: '/refunds' }],
    ['a list whose address goes on', { list: '/payments?' }],
    ['other filters', { filters: { created_at_gte: '2026-03-01T12:00:00Z' } }],
  ])('made for %s is refused', (_, other) => refused({ cursor: cursorOf(last, { ...walk, ...other }) }, 'cursor'));

  it('is valid only for the same filters, in any order and with any page size', () => {
    const days = { created_at_gte: '2026-03-01T12:00:00Z', created_at_lte: '2026-03-02T12:00:00Z' };
    const { created_at_gte, ...rest } = days;
    const filters = { page_size: '1', cursor: 'start', ...rest, created_at_gte };
    const narrowed = cursorOf(last, { ...walk, filters });
    expect(read({ ...days, page_size: '50', cursor: narrowed })).toMatchObject({ after: last });
    refused({ cursor: narrowed }, 'cursor');
    refused({ cursor: narrowed, created_at_gte: days.created_at_gte }, 'cursor');
    refused({ cursor: narrowed, ...days, created_at_lte: '2026-03-03T12:00:00Z' }, 'cursor');
  });

  it.each(['', '~', '\u0000', 'x'.repeat(300), '2026-13-41T12:00:00.000Z#pay_1', `${last}#`])(
    'that names no place in a list is refused even with a correct signature: %j',
    (sortKey) => refused({ cursor: cursorOf(sortKey) }, 'cursor'),
  );

  /** What the owner of a key can compute: version 0.2.0 signed with nothing else. */
  const forged = (place: string, more = '') => {
    const text = Buffer.from(place).toString('base64url') + more;
    return `${text}.${createHmac('sha256', walk.hash).update(text).digest().subarray(0, 16).toString('base64url')}`;
  };
  const stacks = /=(.{22})\./.exec(cursor)?.[1] ?? '';

  it('of version 0.2.0 is accepted until the next release', () =>
    expect(read({ cursor: forged(last) })).toMatchObject({ after: last }));

  it.each([
    '',
    '~',
    '\u0000',
    'x'.repeat(300),
    '2026-03-01T12:00:00.000Z',
    '2026-13-41T12:00:00.000Z#pay_1',
    `${last}\n`,
    `${last}#`,
  ])('of version 0.2.0 that names no place in a list is refused: %j', (place) =>
    refused({ cursor: forged(place) }, 'cursor'),
  );

  it.each(['=', `=${'A'.repeat(22)}`, `=${stacks}=`, `=${stacks.slice(1)}`, `==${stacks}`])(
    'is refused when its user has replaced the stack’s signature by %j',
    (more) => refused({ cursor: forged(last, more) }, 'cursor'),
  );

  it('is refused when its signature was made for another place', () =>
    refused({ cursor: forged(sortKeyOf(1), `=${stacks}`) }, 'cursor'));

  it('that one stack has signed is refused by a stack that has no secret yet', () => {
    expect(() => toPageRequest({ cursor }, { ...walk, stackKey: undefined })).toThrow(/is not a cursor/);
    expect(cursorOf(last, { ...walk, stackKey: undefined })).toBe(forged(last));
  });

  it('is refused when any single bit is flipped, in its bytes or in its text, in 1 000 cases', () => {
    const flips: string[] = [];
    const bits = (bytes: Buffer, write: (bytes: Buffer) => string) => {
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        flips.push(write(changed));
      }
    };
    const [body = '', ofStack = '', signature = ''] = cursor.split(/[=.]/);
    bits(Buffer.from(cursor, 'latin1'), (bytes) => bytes.toString('latin1'));
    bits(Buffer.from(body, 'base64url'), (bytes) => `${bytes.toString('base64url')}=${ofStack}.${signature}`);
    bits(Buffer.from(ofStack, 'base64url'), (bytes) => `${body}=${bytes.toString('base64url')}.${signature}`);
    bits(Buffer.from(signature, 'base64url'), (bytes) => `${body}=${ofStack}.${bytes.toString('base64url')}`);
    expect(flips.length).toBeGreaterThan(1_000);
    for (const flipped of flips) refused({ cursor: flipped }, 'cursor');
  });

  it.each([
    ['nothing after it', ''],
    ['a dot', '.'],
    ['another part', '.x'],
    ['padding', '='],
    ['a space', ' '],
    ['a character', 'A'],
  ])('is refused with %s appended, unless the text stays the same', (_, suffix) => {
    if (suffix === '') expect(read({ cursor }).after).toBe(last);
    else refused({ cursor: cursor + suffix }, 'cursor');
  });

  it.each(['x', '.', '..', 'x.y', cursor.split('.')[0] ?? '', `.${cursor.split('.')[1]}`, 'a'.repeat(501)])(
    'is refused as %j',
    (text) => refused({ cursor: text }, 'cursor'),
  );
});
