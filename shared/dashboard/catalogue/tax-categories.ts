import type { TaxCategory } from '../../domain/checkout/tax.ts';

/** The tax categories, in a merchant's words. */
export const categoryNames: Readonly<Record<TaxCategory, string>> = {
  digital_products: 'Digital products',
  saas: 'Software as a service',
  e_book: 'E-books',
  edtech: 'Online courses',
  live_tutoring: 'Live tutoring',
};

/** What belongs to it. */
export const categoryHints: Readonly<Record<TaxCategory, string>> = {
  digital_products: 'Downloads, music, films, games, templates.',
  saas: 'Software that is used over the internet.',
  e_book: 'Books and magazines as files. Many countries tax them less.',
  edtech: 'Recorded lessons and self-paced courses.',
  live_tutoring: 'Lessons given by a person. Often not taxed as an electronic service.',
};
