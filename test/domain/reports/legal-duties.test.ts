import { describe, expect, it } from 'vitest';
import { type LegalFacts, missingDuties } from '../../../shared/domain/reports/legal-duties.ts';

const nothing: LegalFacts = {
  country: 'DE',
  sellsToConsumers: true,
  published: [],
  hasAddress: false,
  hasEmail: false,
  hasPhone: false,
  hasSender: false,
};
const all = ['imprint', 'privacy', 'terms', 'accessibility', 'address', 'email', 'phone', 'sender'];

describe('the list of missing legal duties', () => {
  it.each(['DE', 'GB', 'US'])(
    'has every duty for a seller in %s who sells to consumers in Europe and has done nothing',
    (country) => {
      expect(missingDuties({ ...nothing, country })).toEqual(all);
    },
  );

  it.each([
    { country: 'AT', missing: ['imprint', 'privacy', 'address', 'email'] },
    { country: 'US', missing: [] },
  ])('has the duties $missing for a seller in $country who sells to businesses only', ({ country, missing }) => {
    expect(missingDuties({ ...nothing, country, sellsToConsumers: false })).toEqual(missing);
  });

  it.each<[Partial<LegalFacts>, string]>([
    [{ published: ['imprint'] }, 'imprint'],
    [{ published: ['privacy'] }, 'privacy'],
    [{ published: ['terms'] }, 'terms'],
    [{ published: ['accessibility'] }, 'accessibility'],
    [{ hasAddress: true }, 'address'],
    [{ hasEmail: true }, 'email'],
    [{ hasPhone: true }, 'phone'],
    [{ hasSender: true }, 'sender'],
  ])('no longer has the duty that %j fulfils (%s), and keeps all others', (facts, met) => {
    expect(missingDuties({ ...nothing, ...facts })).toEqual(all.filter((duty) => duty !== met));
  });
});
