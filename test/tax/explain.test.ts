import { beforeAll, describe, expect, it } from 'vitest';
import type { TaxComponent } from '../../shared/domain/checkout/tax.ts';
import { explainRow } from '../../shared/tax/explain.ts';
import { superseded } from '../../shared/tax/rates/superseded-tables.ts';
import { tableVersion } from '../../shared/tax/rates/table-version.ts';
import { earlierTable } from '../support/earlier-table.ts';
import { aPayment, vat } from '../support/shop/payments.ts';

beforeAll(() => {
  superseded.tables = [earlierTable];
});

/** A payment of one day with one line, or more, taxed by these components of a table. */
const taxedBy = (tableVersion: string, taxDate: string, ...lines: Partial<TaxComponent>[]) => {
  const payment = aPayment(lines.map(() => ({ unitAmount: 1_000 })));
  const components = lines.map((component) => [{ ...vat('0.06'), ...component, amount: 0 }]);
  return {
    calculation: { taxDate, tableVersion },
    lines: payment.lines.map((line, index) => ({ ...line, components: components[index] ?? [] })),
  };
};

/** By a table that is not known, as one between two releases. */
const taxed = (taxDate: string, ...lines: Partial<TaxComponent>[]) => taxedBy('2026-09-01.00000000', taxDate, ...lines);

describe('a tax row that is stored with a payment', () => {
  it('is explained with its sources if the present table has the same tax', () => {
    const explained = explainRow('CN/saas', taxed('2026-03-01', { rate: '0.06' }));
    expect(explained?.row.confidence).toBe('medium');
    expect(explained?.sources).toEqual(expect.arrayContaining([expect.stringContaining('bakermckenzie')]));
  });

  it('is explained by the table at the time of the sale if that version is known', () => {
    const old = explainRow('CN/saas', taxedBy(earlierTable.version, '2026-03-01', { rate: '0.13' }));
    expect(old?.row).toMatchObject({ confidence: 'low', components: [{ rate: '0.13' }] });
    const today = explainRow('CN/saas', taxedBy(tableVersion, '2026-03-01', { rate: '0.06' }));
    expect(today?.row).toMatchObject({ confidence: 'medium', components: [{ rate: '0.06' }] });
  });

  it('is not explained by a later correction: China was 13 % in earlier tables', () => {
    expect(explainRow('CN/saas', taxed('2026-03-01', { rate: '0.13' }))).toBeUndefined();
  });

  it('is not explained by a tax that did not apply on that day', () => {
    expect(explainRow('FI/e_book', taxed('2025-06-01', { rate: '0.14' }))).toBeUndefined();
    expect(explainRow('PT-20/standard', taxed('2026-03-01', { rate: '0.16' }))).toBeUndefined();
    const notCharged = { rate: null, reason: 'reverse_charge' } as const;
    expect(explainRow('FI/e_book', taxed('2025-06-01', notCharged))).toBeUndefined();
  });

  it('is explained for each line of a cart with two rates, and for a tax that was not charged', () => {
    const cart = taxed('2026-03-01', { rate: '0.2' }, { rate: '0', reason: 'zero_rated' });
    expect(explainRow('GB/saas/2011-01-04', cart)).toBeDefined();
    expect(explainRow('GB/e_book/2020-05-01', cart)).toBeDefined();
    expect(explainRow('CN/saas', taxed('2026-03-01', { rate: null, reason: 'reverse_charge' }))).toBeDefined();
  });

  it('has no explanation when no table contains it', () => {
    expect(explainRow('ovr_1', taxed('2026-03-01', {}))).toBeUndefined();
  });
});
