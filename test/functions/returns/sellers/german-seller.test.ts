import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReturnKind } from '../../../../shared/domain/reports/export-job.ts';
import { payments } from '../../../../shared/wiring/runtime.ts';
import { type BookSeller, openBookShop, quarters } from '../../../support/returns/book-seller.ts';
import { rowsIn } from '../../../support/returns/filing.ts';
import { cards } from '../../../support/shop/cards.ts';

describe('a German seller of e-books with 6,000 euros a year', { shuffle: false }, () => {
  const sales: Record<string, string> = {};
  let seller: BookSeller;
  beforeAll(async () => {
    seller = await openBookShop('DE');
  });
  afterAll(() => seller.close());

  it('sets up the shop from the dashboard, and sells to five places', async () => {
    await seller.register('DE', 'standard');
    await seller.register('DE', 'oss');
    const statement = { currency: 'EUR', is_one_state: 'true', last_year: '6,000', this_year: '0' };
    expect((await seller.post('/dashboard/tax', { action: 'state_small_seller', ...statement })).status).toBe(303);
    const book = await seller.addBook('EUR');
    sales['german'] = await seller.sell(book, { country: 'DE' });
    sales['french'] = await seller.sell(book, { country: 'FR' });
    sales['austrian'] = await seller.sell(book, { country: 'AT', taxId: 'ATU12345675' });
    sales['swiss'] = await seller.sell(book, { country: 'CH' });
    sales['british'] = await seller.sell(book, { country: 'GB' });
    sales['disputed'] = await seller.sell(book, { country: 'DE', card: cards.disputeLost });
    expect((await payments().get(sales['french'])).lines[0]?.taxedIn).toBe('DE');
  });

  it('refunds, loses a dispute, files, and refunds again', async () => {
    await seller.refund(sales['french']);
    await seller.loseDispute(sales['disputed'], 'rescinded');
    await seller.at('2031-04-10T12:00:00Z');
    const home = await seller.make('home', quarters.Q1);
    expect(rowsIn(home.files['return'], 'total')).toEqual([
      // two sales at 10.00 + 0.70, less 1.00 + 0.07; the third is rescinded
      'total,86,home,,,7,,,,,,EUR,19.00,1.33,19',
      'total,21,union_business,,,,,,,,,EUR,10.70,0.00,11',
      'total,45,third_country,,,,,,,,,EUR,21.40,0.00,21',
    ]);
    await seller.file(home);
    const stated = await seller.make('recap', quarters.Q1);
    expect(stated.files['zm']?.slice(1)).toEqual(['ATU12345675,11,S']);
    await seller.file(stated);
    await seller.refund(sales['french']);
    await seller.refund(sales['austrian']);
    await seller.at('2031-07-10T12:00:00Z');
    const later = await seller.make('home', quarters.Q2);
    expect(rowsIn(later.files['return'], 'total')).toEqual([
      'total,86,home,,,7,,,,,,EUR,-1.00,-0.07,-1',
      'total,21,union_business,,,,,,,,,EUR,-1.07,0.00,-1',
    ]);
    await seller.file(later);
  });

  it('finds each box on the pages of its sales', async () => {
    const named = async (kind: ReturnKind, { from }: { from: string }) =>
      [...(await seller.namedBoxes(kind, from, Object.values(sales)))].sort();
    expect(await named('home', quarters.Q1)).toEqual(['21', '45', '86']);
    expect(await named('home', quarters.Q2)).toEqual(['21', '86']);
    expect(await named('recap', quarters.Q1)).toEqual(['supply ATU12345675']);
  });
});

describe('the guide to returns', () => {
  it('uses the words of the dashboard', () => {
    const guide =
      readFileSync('docs/tax-and-invoices.md', 'utf8').split('## File your returns')[1]?.split('\n## ')[0] ?? '';
    const quoted = [...guide.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, words]) => words ?? '');
    const texts: object = JSON.parse(readFileSync('shared/texts/dashboard/en.json', 'utf8'));
    const known = new Set(Object.values(texts).flatMap((section) => Object.values(section)));
    expect(quoted.length).toBeGreaterThan(15);
    expect(quoted.filter((words) => !known.has(words))).toEqual([]);
  });
});
