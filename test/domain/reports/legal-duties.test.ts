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

describe('what the law asks', () => {
  it.each(['DE', 'GB', 'US'])('of a seller in %s who sells to consumers in Europe is everything', (country) => {
    expect(missingDuties({ ...nothing, country })).toEqual(all);
  });

  it.each([
    { country: 'AT', missing: ['imprint', 'privacy', 'address', 'email'] },
    { country: 'US', missing: [] },
  ])('of a seller in $country who sells to businesses only is $missing', ({ country, missing }) => {
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
  ])('is met by %j, and nothing else with it', (facts, met) => {
    expect(missingDuties({ ...nothing, ...facts })).toEqual(all.filter((duty) => duty !== met));
  });
});
