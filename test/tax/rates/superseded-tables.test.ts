import { beforeAll, expect, it } from 'vitest';
import { businessRuleOf, businessRules } from '../../../shared/tax/business-buyers.ts';
import { lookUpRate } from '../../../shared/tax/rates/rate-lookup.ts';
import { isKnownTable, rateRows } from '../../../shared/tax/rates/rate-table.ts';
import { superseded } from '../../../shared/tax/rates/superseded-tables.ts';
import { earlierTable } from '../../support/earlier-table.ts';

const older = earlierTable.version;
const newest = '2026-02-01.newest00';

/** Two changes: that of the newest earlier table corrected China, the one before Kazakhstan and Switzerland. */
beforeAll(() => {
  const { CN = [], ...others } = earlierTable.rates;
  const corrected = { version: newest, checkedOn: earlierTable.checkedOn, rates: { CN } };
  superseded.tables = [corrected, { ...earlierTable, rates: others }];
});

const rateAt = (country: string, version?: string) =>
  lookUpRate({ country, category: 'saas', date: '2026-06-01', tableVersion: version })?.components[0]?.rate;
const swiss = { country: 'CH', region: undefined };

it('An earlier table has its old facts where they were corrected later, and today’s facts elsewhere', () => {
  expect([rateAt('KZ', older), rateAt('CN', older), rateAt('DE', older)]).toEqual(['0.12', '0.13', rateAt('DE')]);
  expect([rateAt('KZ', newest), rateAt('CN', newest)]).toEqual([rateAt('KZ'), '0.13']);
  expect([rateAt('KZ'), rateAt('CN')]).toEqual(['0.16', '0.06']);
});

it('An earlier table has its old rules for businesses where they were changed later', () => {
  expect([older, newest, undefined].map((version) => businessRuleOf(swiss, version).mode)).toEqual([
    'relieved',
    'charged',
    'charged',
  ]);
  expect(businessRules(older).get('CH')?.mode).toBe('relieved');
  expect(businessRules(older).get('NO')).toEqual(businessRules().get('NO'));
});

it('Earlier tables are recognized by their version, and an unknown version uses today’s facts', () => {
  expect([older, newest, '2025-01-01.00000000'].map(isKnownTable)).toEqual([true, true, false]);
  expect(rateRows('2025-01-01.00000000')).toEqual(rateRows());
  expect(rateRows(older)).not.toEqual(rateRows());
});
