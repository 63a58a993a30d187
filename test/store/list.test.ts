import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listPage } from '../../shared/store/table/list.ts';
import type { Table } from '../../shared/store/table/table.ts';

const Row = z.object({ id: z.string(), isRare: z.boolean() });

const keyOf = (number: number): string => `2026-01-01T00:00:00.000Z#${String(number).padStart(7, '0')}`;
const numberOf = (key: string): number => Number(key.slice(-7));

/** Rows that are made when they are read, the oldest of which is rare, and what was asked to find it. */
function library(count = 5_000) {
  const rowOf = (number: number) => ({
    listSk: keyOf(number),
    row: { id: String(number).padStart(4, '0'), isRare: number === 1 },
  });
  const limits: number[] = [];
  const send = async ({ input }: QueryCommand) => {
    const to = String(input.ExpressionAttributeValues?.[':to']);
    const limit = input.Limit ?? 0;
    limits.push(limit);
    const first = to === '~' ? count : numberOf(to);
    const Items = Array.from({ length: Math.min(limit, first) }, (_, index) => rowOf(first - index));
    const last = Items.at(-1);
    return { Items, ...(Items.length === limit && last && { LastEvaluatedKey: { listSk: last.listSk } }) };
  };
  return { table: { name: 'library', client: { send } } as unknown as Table, limits };
}

const request = { index: 'list', partition: 'THING', row: Row, page: { size: 10, skip: 0, after: undefined } } as const;

describe('a page of a list', () => {
  it('is read in one call, together with a row that shows whether there is more', async () => {
    const { table, limits } = library();
    const page = await listPage(table, { ...request, matches: () => true });
    expect(page.items.map(({ id }) => id)).toEqual(
      [5000, 4999, 4998, 4997, 4996, 4995, 4994, 4993, 4992, 4991].map(String),
    );
    expect([page.hasMore, limits]).toEqual([true, [12]]);
  });

  it('with a rare filter is searched for in large steps', async () => {
    const { table, limits } = library();
    const page = await listPage(table, { ...request, matches: ({ isRare }) => isRare });
    expect(page).toMatchObject({ items: [{ id: '0001' }], hasMore: false });
    expect(limits).toEqual([12, ...Array.from({ length: limits.length - 1 }, () => 1_000)]);
    expect(limits.length).toBeLessThanOrEqual(7);
  });

  const vast = 1_000_000;

  it('with a very rare filter ends early, and says where to continue', async () => {
    const { table, limits } = library(vast);
    const found = await listPage(table, { ...request, matches: ({ isRare }) => isRare });
    expect(found).toMatchObject({ items: [], hasMore: true, isSpent: true });
    expect(limits).toHaveLength(25);
    expect(found.last).toBe(keyOf(vast - 23_988 + 1)); // 12 rows, and 24 times 999 behind the last one before
  });

  it('can be continued after an early end, and each row is read once', async () => {
    const { table, limits } = library(60_000);
    const seen: string[] = [];
    const matches = (row: { id: string; isRare: boolean }) => {
      seen.push(row.id);
      return row.isRare;
    };
    let after: string | undefined;
    const pages: number[] = [];
    for (let hasMore = true; hasMore && pages.length < 10; ) {
      const found = await listPage(table, { ...request, page: { ...request.page, after }, matches });
      pages.push(found.items.length);
      [after, hasMore] = [found.last, found.hasMore];
    }
    expect(pages).toEqual([0, 0, 1]);
    expect(seen).toHaveLength(60_000);
    expect(limits.length).toBeLessThanOrEqual(75);
  });

  it('that is full when the search ends counts as complete', async () => {
    const { table } = library(vast);
    const matches = ({ id }: { id: string }) => Number(id) > vast - 10;
    const found = await listPage(table, { ...request, page: { ...request.page, size: 10 }, matches });
    expect(found).toMatchObject({ hasMore: true, isSpent: false, last: keyOf(vast - 9) });
    expect(found.items).toHaveLength(10);
  });

  it.each([0, 500])(
    'that is requested by number reports that it could not be filled, when %d rows are skipped',
    async (skip) => {
      const { table } = library(vast);
      const page = { size: 10, skip, after: undefined, isNumbered: true };
      const found = await listPage(table, { ...request, page, matches: ({ id }) => Number(id) % 5_000 === 0 });
      expect(found).toMatchObject({ isNumbered: true, isSpent: true });
    },
  );
});
