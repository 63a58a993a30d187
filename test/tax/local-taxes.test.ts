import { describe, expect, it } from 'vitest';
import { stateOnlyStates } from '../../shared/tax/local-taxes.ts';
import { override, registeredIn, settings } from './builders.ts';

const today = '2026-11-22';

describe('the US states in which we collect only the state’s tax', () => {
  it('are the states where the merchant is registered and cities add taxes', () => {
    expect(stateOnlyStates(registeredIn('US-TX', 'US-NY', 'US-MI', 'DE'), today)).toEqual(['NY', 'TX']);
    expect(stateOnlyStates(registeredIn('DE', 'oss'), today)).toEqual([]);
  });

  it('leave out states for which the merchant has added local rates', () => {
    const merchant = { ...registeredIn('US-TX', 'US-NY'), overrides: [override()] };
    expect(stateOnlyStates(merchant, today)).toEqual(['NY']);
    const replaced = { ...merchant, overrides: [override({ mode: 'replace' })] };
    expect(stateOnlyStates(replaced, today)).toEqual(['NY', 'TX']);
  });

  it('leave out registrations that have not started, and are all states if a sandbox collects everywhere', () => {
    expect(stateOnlyStates(registeredIn('US-TX'), '2019-12-31')).toEqual([]);
    expect(stateOnlyStates(settings(), today)).toHaveLength(37);
  });
});
