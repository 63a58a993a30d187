import { describe, expect, it } from 'vitest';
import { intraState } from '../../../shared/tax/intra-state.ts';
import { findRowById, lookUpRate, type RateQuery, rateSteps } from '../../../shared/tax/rates/rate-lookup.ts';
import { rateRows } from '../../../shared/tax/rates/rate-table.ts';

const today = '2026-03-01';
const rate = (query: Partial<RateQuery> & Pick<RateQuery, 'country' | 'category'>) => {
  const row = lookUpRate({ date: today, ...query });
  return row && (row.components.map((component) => component.rate).join(' + ') || row.taxability);
};

describe('the lookup of a tax rate', () => {
  it('finds the rate with its id and its sources', () => {
    expect(lookUpRate({ country: 'FI', category: 'e_book', date: today })).toMatchObject({
      id: 'FI/e_book/2026-01-01',
      confidence: 'high',
      effectiveFrom: '2026-01-01',
      sources: expect.arrayContaining(['vatapi']),
      checkedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });

  it('finds the same row by its id', () => {
    const row = lookUpRate({ country: 'FI', category: 'e_book', date: today });
    expect(findRowById(row!.id)).toBe(row);
    expect(findRowById('ovr_austin')).toBeUndefined();
  });

  it.each([
    ['FI', '0.135', '0.255'],
    ['IE', '0', '0.23'],
    ['LV', '0.05', '0.21'],
    ['HU', '0.27', '0.27'],
    ['DE', '0.07', '0.19'],
    ['GB', '0', '0.2'],
    ['CH', '0.026', '0.081'],
    ['JP', '0.1', '0.1'],
  ])('finds in %s the rate %s for e-books and %s for software', (country, eBook, saas) => {
    expect(rate({ country, category: 'e_book' })).toBe(eBook);
    expect(rate({ country, category: 'saas' })).toBe(saas);
  });

  it('finds the standard rate of the country if the category has no row', () => {
    expect(rate({ country: 'DE', category: 'live_tutoring' })).toBe('0.19');
    expect(rate({ country: 'TR', category: 'e_book' })).toBe('0.2');
    expect(rate({ country: 'HK', category: 'saas' })).toBe('no_tax');
  });

  it('finds the standard rate of a territory before the category rate of its country', () => {
    expect(rate({ country: 'PT', region: '30', category: 'e_book', date: '2018-12-31' })).toBe('0.22');
    expect(rate({ country: 'PT', category: 'e_book' })).toBe('0.06');
    expect(rate({ country: 'ES', region: 'CN', category: 'saas' })).toBe('outside_scope');
    expect(rate({ country: 'AT', region: '6991..6993', category: 'saas' })).toBe('0.19');
  });

  it('finds the rate of France for Monaco, and of Great Britain for the Isle of Man, if they have no row', () => {
    expect(rate({ country: 'MC', category: 'saas' })).toBe('0.2');
    expect(rate({ country: 'MC', category: 'e_book' })).toBe('0.055');
    expect(rate({ country: 'IM', category: 'e_book' })).toBe('0');
    expect(rate({ country: 'IM', category: 'live_tutoring' })).toBe('0.2');
  });
});

describe('the lookup of an unknown tax rate', () => {
  it.each([
    ['US', 'TX', 'edtech'],
    ['US', 'NY', 'live_tutoring'],
    ['CA', 'BC', 'edtech'],
    ['CA', 'MB', 'edtech'],
    ['CA', 'ON', 'live_tutoring'],
  ] as const)(
    'finds nothing in %s-%s for %s, because the general rate does not cover services there',
    (country, region, category) => {
      expect(rate({ country, region, category })).toBeUndefined();
      expect(rate({ country, region, category: 'standard' })).toBeDefined();
    },
  );

  it.each(['AF', 'BR', 'QQ'])('finds nothing in %s for software, which the table does not contain there', (country) => {
    expect(rate({ country, category: 'saas' })).toBeUndefined();
  });

  it('finds nothing in a US state without its region', () => {
    expect(rate({ country: 'US', category: 'saas' })).toBeUndefined();
  });
});

describe('a US state without a sales tax', () => {
  it.each(['AK', 'DE', 'MT', 'NH', 'OR'])(
    '%s has no tax on any category, even if the category is not in the table',
    (region) => {
      expect(rate({ country: 'US', region, category: 'edtech' })).toBe('no_tax');
      expect(rate({ country: 'US', region, category: 'live_tutoring' })).toBe('no_tax');
    },
  );
});

describe('a sale within an Indian state', () => {
  it('has two taxes of half the rate of IGST', () => {
    expect(rate({ country: 'IN', category: 'saas' })).toBe('0.18');
    expect(rate({ country: 'IN', region: intraState, category: 'saas' })).toBe('0.09 + 0.09');
    expect(rate({ country: 'IN', region: intraState, category: 'edtech' })).toBe('0.09 + 0.09');
    expect(rate({ country: 'IN', region: intraState, category: 'live_tutoring' })).toBe('0.09 + 0.09');
  });

  it('keeps the reduced rate of e-books as two halves of 2.5 %', () => {
    expect(rate({ country: 'IN', region: intraState, category: 'e_book' })).toBe('0.025 + 0.025');
  });

  it('has published rates that are half of the IGST rates', () => {
    for (const row of rateRows().filter(({ region }) => region === intraState)) {
      const [central, state] = row.components.map((component) => Number(component.rate));
      expect(central).toBe(state);
      expect(2 * central!).toBe(Number(rate({ country: 'IN', category: row.category })));
    }
  });
});

describe('a changed rate applies from its day on, and not a day earlier,', () => {
  it.each([
    ['EE', 'saas', '2025-07-01', '0.22', '0.24'],
    ['RO', 'saas', '2025-08-01', '0.19', '0.21'],
    ['RO', 'e_book', '2025-08-01', '0.05', '0.11'],
    ['SK', 'saas', '2025-01-01', '0.2', '0.23'],
    ['FI', 'saas', '2024-09-01', '0.24', '0.255'],
    ['FI', 'e_book', '2026-01-01', '0.14', '0.135'],
    ['CH', 'saas', '2024-01-01', '0.077', '0.081'],
    ['LU', 'saas', '2024-01-01', '0.16', '0.17'],
    ['DE', 'saas', '2021-01-01', '0.16', '0.19'],
    ['IE', 'e_book', '2024-01-01', '0.23', '0'], // before: no row, the standard rate
    ['CY', 'e_book', '2023-07-21', '0.19', '0.03'],
    ['GB', 'e_book', '2020-05-01', '0.2', '0'],
  ] as const)('for %s %s on %s: %s, then %s', (country, category, day, before, after) => {
    const eve = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    expect(rate({ country, category, date: eve })).toBe(before);
    expect(rate({ country, category, date: day })).toBe(after);
  });

  it('for software in Manitoba: GST alone, then GST and RST', () => {
    const manitoba = { country: 'CA', region: 'MB', category: 'saas' } as const;
    expect(rate({ ...manitoba, date: '2025-12-31' })).toBe('0.05');
    expect(rate({ ...manitoba, date: '2026-01-01' })).toBe('0.05 + 0.07');
  });

  it('in Nova Scotia: HST 15, then 14', () => {
    const novaScotia = { country: 'CA', region: 'NS', category: 'standard' } as const;
    expect(rate({ ...novaScotia, date: '2025-03-31' })).toBe('0.15');
    expect(rate({ ...novaScotia, date: '2025-04-01' })).toBe('0.14');
  });

  it.each([
    ['IL', '2025-01-01', '0.18'],
    ['MY', '2024-03-01', '0.08'],
    ['EC', '2024-04-01', '0.15'],
    ['VN', '2025-07-01', '0.1'],
  ])('for %s from %s: %s, and before that day nothing is known', (country, day, after) => {
    expect(rate({ country, category: 'saas', date: day })).toBe(after);
    expect(rate({ country, category: 'saas', date: '2023-12-31' })).toBeUndefined();
  });
});

describe('the steps of a lookup', () => {
  const stepsOf = (key: Parameters<typeof rateSteps>[0]) =>
    rateSteps(key).map((step) => `${step.country}-${step.region ?? ''} ${step.category}`);

  it('go from the region to the country, and from the category to the standard rate', () => {
    expect(stepsOf({ country: 'PT', region: '30', category: 'saas' })).toEqual([
      'PT-30 saas',
      'PT-30 standard',
      'PT- saas',
      'PT- standard',
    ]);
  });

  it('are only one step in the US and in Canada', () => {
    expect(stepsOf({ country: 'CA', region: 'QC', category: 'saas' })).toEqual(['CA-QC saas']);
  });
});
