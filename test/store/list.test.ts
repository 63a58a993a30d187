import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listPage } from '../../shared/store/list.ts';
import type { Table } from '../../shared/store/table.ts';

const Row = z.object({ id: z.string(), isRare: z.boolean() });

/** Five thousand rows, the oldest of which is rare, and what was asked to find it. */
function library() {
  const rows = Array.from({ length: 5_000 }, (_, index) => {
    const listSk = `2026-01-01T00:00:00.000Z#${String(5_000 - index).padStart(4, '0')}`;
    return { listSk, row: { id: listSk.slice(-4), isRare: index === 4_999 } };
  });
  const limits: number[] = [];
  const send = async ({ input }: QueryCommand) => {
    const to = String(input.ExpressionAttributeValues?.[':to']);
    const limit = input.Limit ?? 0;
    limits.push(limit);
    const Items = rows.filter(({ listSk }) => listSk <= to).slice(0, limit);
    const last = Items.at(-1);
    return { Items, ...(Items.length === limit && last && { LastEvaluatedKey: { listSk: last.listSk } }) };
  };
  return { table: { name: 'library', client: { send } } as unknown as Table, limits };
}

const request = { index: 'list', partition: 'THING', row: Row, page: { size: 10, skip: 0, after: undefined } } as const;

describe('a page of a list', () => {
  it('is read at once, with the row that tells whether there is more', async () => {
    const { table, limits } = library();
    const page = await listPage(table, { ...request, matches: () => true });
    expect(page.items.map(({ id }) => id)).toEqual(
      [5000, 4999, 4998, 4997, 4996, 4995, 4994, 4993, 4992, 4991].map(String),
    );
    expect([page.hasMore, limits]).toEqual([true, [12]]);
  });

  it('that must be searched for is read in large steps', async () => {
    const { table, limits } = library();
    const page = await listPage(table, { ...request, matches: ({ isRare }) => isRare });
    expect(page).toMatchObject({ items: [{ id: '0001' }], hasMore: false });
    expect(limits).toEqual([12, ...Array.from({ length: limits.length - 1 }, () => 1_000)]);
    expect(limits.length).toBeLessThanOrEqual(7);
  });
});
