import { courses } from '../notes.ts';
import type { RateSheet } from '../rate-sheet.ts';

/** Oceania. */
// biome-ignore format: one rate per line, with the categories that share it
export const oceania: RateSheet = {
  checkedOn: '2026-08-05',
  rates: {
    AU: [
      ['standard digital_products saas', { GST: '0.1' }, '2017-07-01..', 'high', 'avalara kdeldycke gumroad openaccountants'],
      ['edtech', { GST: '0.1' }, '2017-07-01..', 'low', 'avalara kdeldycke gumroad openaccountants', courses],
      ['e_book', { GST: '0.1' }, '..', 'medium', 'gumroad avalara', 'no e-book relief known'],
    ],
    NZ: [
      ['standard digital_products saas', { GST: '0.15' }, '2016-10-01..', 'high', 'avalara kdeldycke gumroad openaccountants'],
      ['edtech', { GST: '0.15' }, '2016-10-01..', 'low', 'avalara kdeldycke gumroad openaccountants', courses],
      ['e_book', { GST: '0.15' }, '..', 'medium', 'gumroad avalara'],
    ],
  },
};
