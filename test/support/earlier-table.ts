import type { SupersededTable } from '../../shared/tax/rates/superseded-tables.ts';

/**
 * An invented table before today's, as the next change of rates will leave one. Kazakhstan had 12 % in it, China 13 %,
 * and a Swiss business owed the tax itself.
 */
export const earlierTable: SupersededTable = {
  version: '2026-01-01.e1a2b3c4',
  checkedOn: '2026-01-01',
  rates: {
    KZ: [['standard saas', { VAT: '0.12' }, '..', 'low', 'own-knowledge']],
    CN: [['standard saas', { VAT: '0.13' }, '..', 'low', 'own-knowledge']],
  },
  businesses: { CH: ['relieved', { kind: 'reverse_charge' }, 'low', 'own-knowledge'] },
};
