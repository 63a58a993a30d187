import { describe, expect, it } from 'vitest';
import { stateOnlyStates } from '../../shared/tax/local-taxes.ts';
import { override, registeredIn, settings } from './builders.ts';

const today = '2026-11-22';
const on = (date: string) => ({ date, category: 'saas' as const });

describe('the list of US states in which only the state’s tax is collected', () => {
  it('has the states where the merchant is registered and cities add taxes', () => {
    expect(stateOnlyStates(registeredIn('US-TX', 'US-NY', 'US-MI', 'DE'), on(today))).toEqual(['NY', 'TX']);
    expect(stateOnlyStates(registeredIn('DE', 'oss'), on(today))).toEqual([]);
  });

  const added = (changes: Parameters<typeof override>[0]) =>
    stateOnlyStates({ ...registeredIn('US-TX', 'US-NY'), overrides: [override(changes)] }, on(today));
  const everywhere = { postalCodePrefix: undefined };

  it.each([
    ['a rate of the whole state', everywhere, ['NY']],
    ['a rate of the whole state for this category', { ...everywhere, category: 'saas' }, ['NY']],
  ] as const)('omits a state with %s', (_, changes, states) => {
    expect(added(changes)).toEqual(states);
  });

  it.each([
    ['of some postal codes', {}],
    ['that has ended', { ...everywhere, effectiveTo: today }],
    ['that has not begun', { ...everywhere, effectiveFrom: '2026-11-23' }],
    ['of another category', { ...everywhere, category: 'e_book' }],
    ['of one customer', { ...everywhere, customerId: 'cus_1' }],
    ['that replaces the state’s', { ...everywhere, mode: 'replace' }],
  ] as const)('includes a state with a rate %s', (_, changes) => {
    expect(added(changes)).toEqual(['NY', 'TX']);
  });

  it('omits registrations that have not started, and has all states if a sandbox collects everywhere', () => {
    expect(stateOnlyStates(registeredIn('US-TX'), on('2019-12-31'))).toEqual([]);
    expect(stateOnlyStates(settings(), on(today))).toHaveLength(37);
  });
});
