import * as z from 'zod';
import { DomainError, notFound } from '../../domain/errors.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { assertNoOverlap, assertOverride, RateOverride } from './override.ts';
import { assertNotBegun, assertRegistration, hasBegun, TaxRegistration } from './registration.ts';
import { SmallSeller } from './small-seller.ts';

const most = { registrations: 100, overrides: 200 } as const;

/** The merchant's registrations and own rates, in one row. Each checkout reads it, and each change replaces it. */
export const TaxRules = z.object({
  registrations: z.array(TaxRegistration),
  overrides: z.array(RateOverride),
  /** The settings of a small seller in the Union. Absent if the rule does not apply, and in rows of 0.2.0. */
  smallSeller: SmallSeller.optional(),
  /** When the rules were last changed; null if never. */
  changedAt: z.string().nullable(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type TaxRules = z.infer<typeof TaxRules>;

/**
 * A copy of the registrations from the time when this version first ran. It is used for older sales, which do not store
 * their scheme. Version 0.2.0 could remove registrations, so the current ones may be incomplete.
 */
export const FirstRegistrations = TaxRules.pick({ registrations: true, version: true }).extend({ takenAt: z.string() });
export type FirstRegistrations = z.infer<typeof FirstRegistrations>;

export type TaxRuleKind = keyof typeof most;
export type TaxRule<Kind extends TaxRuleKind> = TaxRules[Kind][number];

export const noTaxRules: TaxRules = { registrations: [], overrides: [], changedAt: null, version: 0 };

/** Adds a registration, or replaces the one with its id. Refuses one that would collect nothing. */
export function withRegistration(rules: TaxRules, registration: TaxRegistration): TaxRules {
  assertRegistration(registration);
  return replaced(rules, 'registrations', registration);
}

/**
 * Adds an override, or replaces the one with its id. Refuses rates above 100 % and overlapping overrides of one
 * place.
 */
export function withOverride(rules: TaxRules, override: RateOverride): TaxRules {
  assertOverride(override);
  assertNoOverlap(override, rules.overrides);
  return replaced(rules, 'overrides', override);
}

function replaced<Kind extends TaxRuleKind>(rules: TaxRules, kind: Kind, rule: TaxRule<Kind>): TaxRules {
  const others = rules[kind].filter(({ id }) => id !== rule.id);
  if (others.length >= most[kind])
    throw new DomainError(
      'INVALID_REQUEST_PARAMETERS',
      brokenRule(sentences.tax_rules_full, { most: most[kind], rules: kind }),
    );
  return { ...rules, [kind]: [...others, rule] };
}

/**
 * Changes a registration. If it has begun, its beginning must stay in the past, because sales were declared under it.
 */
export function withChangedRegistration(rules: TaxRules, changed: TaxRegistration, now: Date): TaxRules {
  const before = findRule(rules, 'registrations', changed.id);
  if (!hasBegun(changed, now)) assertNotBegun(before, now);
  return withRegistration(rules, changed);
}

/** Removes a rule. Existing sales keep their figures. A registration that has begun cannot be removed. */
export function without(rules: TaxRules, kind: TaxRuleKind, id: string, now: Date): TaxRules {
  const rule = findRule(rules, kind, id);
  if (kind === 'registrations') assertNotBegun(rule as TaxRegistration, now);
  return { ...rules, [kind]: rules[kind].filter((rule) => rule.id !== id) };
}

export function findRule<Kind extends TaxRuleKind>(rules: TaxRules, kind: Kind, id: string): TaxRule<Kind> {
  const rule = rules[kind].find((candidate) => candidate.id === id);
  if (rule) return rule as TaxRule<Kind>;
  throw notFound(`${id} in the ${kind}`);
}
