import { describe, expect, it } from 'vitest';
import { assertNoOverlap, assertOverride, RateOverride } from '../../../shared/tax/rules/override.ts';
import { override } from '../builders.ts';

const refused = (path: string, code = 'INVALID_REQUEST_PARAMETERS') =>
  expect.objectContaining({ code, details: expect.objectContaining({ faults: [expect.objectContaining({ path })] }) });

describe('the parser of a rate override', () => {
  it('returns a valid override unchanged', () => {
    expect(RateOverride.parse(override())).toEqual(override());
  });

  it.each<[string, object]>([
    ['a number as rate', { components: [{ name: 'Austin', rate: 0.02 }] }],
    ['a percentage', { components: [{ name: 'Austin', rate: '2 %' }] }],
    ['a negative rate', { components: [{ name: 'Austin', rate: '-0.02' }] }],
    ['seven places', { components: [{ name: 'Austin', rate: '0.0200001' }] }],
    ['a nameless component', { components: [{ name: ' ', rate: '0.02' }] }],
    ['an unknown category', { category: 'books' }],
    ['an unknown mode', { mode: 'multiply' }],
    ['a day that is no day', { effectiveFrom: '2026-02-30' }],
    ['no reason', { reason: '' }],
  ])('refuses an override with %s', (_, changes) => {
    expect(RateOverride.safeParse({ ...override(), ...changes }).success).toBe(false);
  });
});

describe('an override is accepted', () => {
  it.each<[string, Partial<RateOverride>]>([
    [
      'at exactly 100 %',
      {
        components: [
          { name: 'all', rate: '0.6' },
          { name: 'of it', rate: '0.4' },
        ],
      },
    ],
    ['on a base of more than the net', { components: [{ name: 'half', rate: '0.9', baseFraction: '1.05' }] }],
    ['without components, exempt', { mode: 'replace', taxability: 'exempt', components: [] }],
    [
      'with a rate of 0, zero-rated',
      { mode: 'replace', taxability: 'zero_rated', components: [{ name: 'VAT', rate: '0' }] },
    ],
    ['for a state by its name', { region: 'Texas' }],
    ['for a country without listed regions', { country: 'BR', region: 'SP', postalCodePrefix: undefined }],
  ])('%s', (_, changes) => {
    expect(() => assertOverride(override(changes))).not.toThrow();
  });
});

describe('an override is refused', () => {
  it.each<[string, Partial<RateOverride>, string]>([
    ['above 100 %', { components: [{ name: 'Austin', rate: '1.01' }] }, 'components[0].rate'],
    [
      'above 100 % by its base',
      { components: [{ name: 'Austin', rate: '0.9', baseFraction: '1.2' }] },
      'components[0].rate',
    ],
    [
      'above 100 % in sum',
      {
        components: [
          { name: 'a', rate: '0.6' },
          { name: 'b', rate: '0.400001' },
        ],
      },
      'components',
    ],
    ['taxable at 0', { components: [{ name: 'Austin', rate: '0.00' }] }, 'components[0].rate'],
    ['taxable without components', { components: [] }, 'components'],
    ['exempt with components', { mode: 'replace', taxability: 'exempt' }, 'components'],
    ['zero-rated with a rate', { mode: 'replace', taxability: 'zero_rated' }, 'components[0].rate'],
    ['adding something else than a tax', { taxability: 'exempt', components: [] }, 'taxability'],
    ['for an unknown state', { region: 'ZZ' }, 'region'],
    ['for a prefix without letters or digits', { postalCodePrefix: '-' }, 'postal_code_prefix'],
    ['ending when it begins', { effectiveTo: '2024-01-01' }, 'effective_to'],
  ])('%s', (_, changes, path) => {
    expect(() => assertOverride(override(changes))).toThrow(refused(path));
  });

  it('for an unknown country', () => {
    expect(() => assertOverride(override({ country: 'QQ' }))).toThrow(refused('country', 'UNSUPPORTED_COUNTRY'));
  });
});

describe('two overrides of the same place, prefix and category', () => {
  const held = override({ id: 'ovr_held', effectiveFrom: '2026-01-01', effectiveTo: '2026-07-01' });

  it.each<[string, Partial<RateOverride>]>([
    ['at the same time', {}],
    ['beginning before the other ends', { effectiveFrom: '2026-06-30', effectiveTo: undefined }],
    ['ending after the other begins', { effectiveFrom: '2025-01-01', effectiveTo: '2026-01-02' }],
    ['in another spelling', { region: 'Texas', postalCodePrefix: '7 8-7' }],
    ['in another mode', { mode: 'replace' }],
  ])('are refused if they are %s', (_, changes) => {
    expect(() => assertNoOverlap({ ...held, id: 'ovr_new', ...changes }, [held])).toThrow(refused('effective_from'));
  });

  it.each<[string, Partial<RateOverride>]>([
    ['following each other', { effectiveFrom: '2026-07-01', effectiveTo: undefined }],
    ['preceding each other', { effectiveFrom: '2025-01-01', effectiveTo: '2026-01-01' }],
    ['of another category', { category: 'saas' }],
    ['of a longer prefix', { postalCodePrefix: '78701' }],
    ['of the whole state', { postalCodePrefix: undefined }],
    ['of another state', { region: 'OK' }],
  ])('are accepted if they are %s', (_, changes) => {
    expect(() => assertNoOverlap({ ...held, id: 'ovr_new', ...changes }, [held])).not.toThrow();
  });

  it('are not compared if one is the changed form of the other', () => {
    expect(() => assertNoOverlap({ ...held, reason: 'new' }, [held])).not.toThrow();
  });
});
