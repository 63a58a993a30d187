import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BookSeller, openBookShop, quarters } from '../../../support/returns/book-seller.ts';

describe('an American seller of e-books', () => {
  let seller: BookSeller;
  beforeAll(async () => {
    seller = await openBookShop('US');
  });
  afterAll(() => seller.close());

  it('sees where the product stops: local taxes are warned about, and there is no form of a state', async () => {
    await seller.register('US', 'standard', 'TX');
    const book = await seller.addBook('USD');
    const sale = await seller.sell(book, { country: 'US', state: 'TX' });
    await seller.sell(book, { country: 'US', state: 'CA' });
    expect(await seller.why(sale)).toContain('estimate_state_only');
    await seller.at('2031-04-10T12:00:00Z');
    const page = await seller.look('/dashboard/returns');
    expect([page.includes('Your own state’s return'), page.includes('Any country')]).toEqual([false, true]);
    const made = await seller.make('general', quarters.Q1);
    expect(made.files['return']?.filter((row) => row.includes('US-TX'))).toHaveLength(1);
    const fields = { action: 'create', kind: 'home', ...quarters.Q1 };
    const { status, text } = await seller.post('/dashboard/returns', fields);
    expect([status, text]).toEqual([422, expect.stringContaining('made for sellers in the European Union')]);
  });
});
