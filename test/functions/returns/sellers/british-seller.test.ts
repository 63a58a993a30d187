import { afterAll, beforeAll, describe } from 'vitest';
import { type BookSeller, openBookShop } from '../../../support/returns/book-seller.ts';
import { sellsFromAbroad } from '../../../support/returns/sells-from-abroad.ts';

describe('a British seller of e-books', { shuffle: false }, () => {
  let seller: BookSeller;
  beforeAll(async () => {
    seller = await openBookShop('GB');
  });
  afterAll(() => seller.close());

  sellsFromAbroad({ country: 'GB', currency: 'GBP', kind: 'gb' }, () => seller);
});
