import { describe, expect, it } from 'vitest';
import { locationEvidence } from '../../shared/domain/checkout/location-evidence.ts';
import { evidenceFinding, evidenceRuleOf } from '../../shared/tax/evidence-rule.ts';
import { aPayment } from '../support/shop/payments.ts';

describe('the evidence of a buyer’s place', () => {
  it.each([
    ['the address alone', null, null, 'alone'],
    ['a card of the same country', null, 'FR', 'agree'],
    ['a network of the same country', 'FR', null, 'agree'],
    ['a card of another country', null, 'US', 'differ'],
    ['a network of another country', 'US', null, 'differ'],
    ['a card and a network of another country', 'US', 'US', 'conflict'],
    ['a card of another country, and a network of the same', 'FR', 'US', 'agree'],
  ] as const)('has the right result for %s', (_, ipCountry, cardCountry, finding) => {
    const evidence = locationEvidence({ billing: { country: 'FR', state: null }, ipCountry, cardCountry });
    expect(evidenceFinding(evidence)).toBe(finding);
  });
});

describe('the rule that requires evidence of the buyer’s place', () => {
  const ruleOf = (
    country: string,
    merchantCountry: string,
    fields: { reason?: 'reverse_charge'; postalCode?: string } = {},
  ) => {
    const payment = aPayment([{ unitAmount: 1_000 }]);
    const [line] = payment.lines;
    const components = (line?.components ?? []).map((one) => ({ ...one, reason: fields.reason ?? null }));
    const lines = payment.lines.map((one) => ({ ...one, components }));
    const calculation = { ...payment.calculation, country, postalCode: fields.postalCode ?? null };
    return evidenceRuleOf({ lines, calculation }, merchantCountry);
  };

  it('is the EU’s rule for EU sellers, and a stricter one for others', () => {
    expect([ruleOf('FR', 'DE'), ruleOf('FR', 'US'), ruleOf('FR', 'GB')]).toEqual(['union', 'abroad', 'abroad']);
  });

  it('does not apply to sales at home, outside the EU, and to businesses', () => {
    expect([ruleOf('DE', 'DE'), ruleOf('US', 'DE'), ruleOf('ES', 'DE', { postalCode: '35001' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(ruleOf('FR', 'DE', { reason: 'reverse_charge' })).toBeUndefined();
  });

  it('does not apply to live lessons', () => {
    const payment = aPayment([{ unitAmount: 1_000 }]);
    const lines = payment.lines.map((line) => ({ ...line, taxCategory: 'live_tutoring' as const }));
    expect(evidenceRuleOf({ lines, calculation: { ...payment.calculation, country: 'FR' } }, 'DE')).toBeUndefined();
  });
});
