import { expect, it } from 'vitest';
import type { ReturnKind } from '../../../shared/domain/reports/export-job.ts';
import { filedReturns } from '../../../shared/wiring/books.ts';
import { cards } from '../shop/cards.ts';
import { type BookSeller, boxesIn, quarters } from './book-seller.ts';

interface Seller {
  country: 'CH' | 'GB';
  currency: string;
  /** The form of the country. */
  kind: ReturnKind;
}

/** The tests of a seller outside the Union, with non-Union OSS in Ireland. */
export function sellsFromAbroad({ country, currency, kind }: Seller, shop: () => BookSeller): void {
  const sales: Record<string, string> = {};

  it('sets up the shop from the dashboard, and sells to five places', async () => {
    await shop().register(country, 'standard');
    await shop().register('IE', 'oss');
    const book = await shop().addBook(currency);
    for (const place of ['CH', 'GB', 'DE', 'FR', 'NO']) sales[place] = await shop().sell(book, { country: place });
    sales['disputed'] = await shop().sell(book, { country, card: cards.disputeLost });
  });

  it('refunds, loses a dispute, files, refunds again, and finds each box on the pages of its sales', async () => {
    const seller = shop();
    await seller.refund(sales[country]);
    await seller.refund(sales['DE']);
    await seller.loseDispute(sales['disputed'], 'uncollectible');
    await seller.at('2031-04-10T12:00:00Z');
    for (const one of [kind, 'oss', 'recap']) await seller.file(await seller.make(one, quarters.Q1));
    await seller.refund(sales[country]);
    await seller.refund(sales['DE']);
    await seller.at('2031-07-10T12:00:00Z');
    const [form, oss] = [await seller.make(kind, quarters.Q2), await seller.make('oss', quarters.Q2)];
    for (const made of [form, oss]) await seller.file(made);
    expect(boxesIn(oss.files['return'] ?? [], 'correction', 4)).toEqual(['2031-Q1']);
    const named = (of: ReturnKind, { from }: { from: string }) => seller.namedBoxes(of, from, Object.values(sales));
    for (const period of [quarters.Q1, quarters.Q2]) {
      const filed = (await filedReturns().list()).find((one) => one.kind === kind && one.from === period.from);
      const rows = filed?.boxes.split('\r\n') ?? [];
      // in Great Britain, relief for bad debts is claimed apart from the boxes
      const boxes = [...boxesIn(rows, 'box', 1), ...boxesIn(rows, 'bad_debt_candidate', 0)];
      const found = await named(kind, period);
      // these boxes only add up others; in the second quarter nothing was sold
      const sums = ['289', '299', '500', '510', ...(period === quarters.Q2 ? ['200'] : [])];
      expect(boxes.filter((box) => !found.has(box) && !sums.includes(box))).toEqual([]);
      expect([...found].filter((box) => !boxes.includes(box))).toEqual([]);
    }
    expect(await named('oss', quarters.Q1)).toEqual(new Set(['supply DE 7', 'supply FR 5.5']));
    expect(await named('oss', quarters.Q2)).toEqual(new Set(['correction DE 2031-Q1']));
  });

  it('has no return of a member state', async () => {
    expect(await shop().look('/dashboard/returns')).not.toContain('Your own state’s return');
    const { status } = await shop().post('/dashboard/returns', { action: 'create', kind: 'home', ...quarters.Q2 });
    expect(status).toBe(422);
  });
}
