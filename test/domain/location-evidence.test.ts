import { describe, expect, it } from 'vitest';
import { locationEvidence, withCardCountry } from '../../shared/domain/checkout/location-evidence.ts';

const known = (ipCountry: string | null, cardCountry: string | null = null) =>
  locationEvidence({ billing: { country: 'DE', state: null }, ipCountry, cardCountry });

describe('the country of a card that becomes known only when the charge ends', () => {
  it.each([
    { ip: null, card: 'DE', status: 'two_match' },
    { ip: null, card: 'FR', status: 'one_only' },
    { ip: 'FR', card: 'DE', status: 'two_match' },
    { ip: 'FR', card: 'FR', status: 'conflict' },
    { ip: 'DE', card: 'FR', status: 'two_match' },
  ])(
    'counts as if it had been known at once: with network $ip and a card of $card, the status is $status',
    ({ ip, card, status }) => {
      const evidence = withCardCountry(known(ip), card);
      expect(evidence).toEqual(known(ip, card));
      expect(evidence.status).toBe(status);
    },
  );

  it('is added once, and only if it is known', () => {
    const evidence = known('DE', 'FR');
    expect(withCardCountry(evidence, 'DE')).toEqual(evidence);
    expect(withCardCountry(known(null), null)).toEqual(known(null));
  });
});
