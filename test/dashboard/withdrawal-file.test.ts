import { expect, it } from 'vitest';
import { withdrawalPages } from '../../shared/dashboard/withdrawals/withdrawal-pages.ts';
import type { ItemPage, ItemPageRequest } from '../../shared/domain/list-page.ts';
import type { WithdrawalCase } from '../../shared/domain/withdrawal/withdrawal-case.ts';
import { testMerchant } from '../support/shop/api.ts';

process.env['MERCHANT'] = JSON.stringify(testMerchant);
process.env['PUBLIC_URL'] = 'https://till.example';

const at = '2026-03-01T12:00:00.000Z';
const open = (id: string) => ({
  ...{ id, paymentId: null, decisions: [], createdAt: at, acknowledgement: { status: 'none', at: null } },
  ...{ proof: null, notice: null, reply: null },
});
const spentAt = (last: string, ...ids: string[]) => ({
  items: ids.map(open) as unknown as WithdrawalCase[],
  ...{ hasMore: true, last, isSpent: true, sortKeys: ids },
});

/** The file of open withdrawals from a list whose searches stop at their limit. */
async function fileOf(pages: ItemPage<WithdrawalCase>[]) {
  const asked: (string | undefined)[] = [];
  const list = async ({ after }: ItemPageRequest) => {
    asked.push(after);
    return pages[asked.length - 1] ?? { items: [], hasMore: false, last: undefined };
  };
  const declarations = async (ids: string[]) =>
    new Map(
      ids.map((id) => [id, { id, receivedAt: at, source: 'form', name: 'Ann', email: '', reference: '', lines: null }]),
    );
  const query = (name: string) => ({ state: 'open', format: 'csv' })[name];
  const request = { param: () => '', query, path: '/dashboard/withdrawals' };
  const visit = { request, viewer: { hash: 'hash' }, cursorSecret: async () => 'a secret', locale: 'en' };
  const deps = { withdrawals: { list, declarations } };
  const { show } = withdrawalPages(deps as unknown as Parameters<typeof withdrawalPages>[0]);
  const { body } = await show(visit as unknown as Parameters<typeof show>[0]);
  return { asked, lines: body.trim().split('\r\n').slice(1) };
}

it('A file of open withdrawals goes on behind the withdrawals that a search may look through', async () => {
  const last = { items: [open('wdr_2')] as unknown as WithdrawalCase[], hasMore: false, last: 'c' };
  const { asked, lines } = await fileOf([spentAt('a', 'wdr_1'), spentAt('b'), last]);
  expect(asked).toEqual([undefined, 'a', 'b']);
  expect(lines.map((line) => line.split(',')[0])).toEqual(['wdr_1', 'wdr_2']);
});

it('A file that is not complete says so in its last line, with the address of the next one', async () => {
  const { lines } = await fileOf([spentAt('a', 'wdr_1'), spentAt('b'), spentAt('c'), spentAt('d')]);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(
    /There are more\..*https:\/\/till\.example\/dashboard\/withdrawals\?state=open&after=.+&format=csv/,
  );
});
