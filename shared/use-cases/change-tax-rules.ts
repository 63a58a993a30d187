import { type AuditedCommand, fieldsOf } from '../domain/access/audit.ts';
import type { Claim } from '../domain/idempotency.ts';
import type { TaxRulesStore } from '../store/tax-rules-store.ts';
import {
  findRule,
  type TaxRule,
  type TaxRuleKind,
  type TaxRules,
  withOverride,
  without,
  withRegistration,
} from '../tax/rules/tax-rules.ts';
import { assertSellerTaxId } from '../tax/tax-ids/seller-tax-id.ts';
import { retryStale } from './retry.ts';

export interface ChangeTaxRulesDeps {
  taxRules: TaxRulesStore;
  now: () => Date;
}

/** The changed rules, and the audit log's entry about them. */
export interface TaxChange {
  apply: (rules: TaxRules) => TaxRules;
  command: AuditedCommand;
}

/** Applies one change to the current tax rules. Existing payments keep their figures. */
export function changeTaxRules(
  deps: ChangeTaxRulesDeps,
  { apply, command }: TaxChange,
  claim: Claim<TaxRules>,
): Promise<TaxRules> {
  return retryStale(async () => {
    const rules = { ...apply(await deps.taxRules.get()), changedAt: deps.now().toISOString() };
    await deps.taxRules.save(rules, claim(rules, command));
    return rules;
  });
}

/**
 * Adds a registration. Refuses a seller's tax id with wrong check digits; registrations of earlier versions keep
 * theirs.
 */
export const addingRegistration = (registration: TaxRule<'registrations'>): TaxChange => ({
  apply: (rules) => withCheckedId(rules, registration),
  command: {
    command: 'tax_registration.create',
    subject: registration.id,
    details: { country: registration.country },
  },
});

function withCheckedId(rules: TaxRules, registration: TaxRule<'registrations'>): TaxRules {
  const after = withRegistration(rules, registration);
  assertSellerTaxId(registration);
  return after;
}

export const changingRegistration = (id: string, fields: Partial<TaxRule<'registrations'>>): TaxChange => ({
  apply: (rules) => {
    const changed = { ...findRule(rules, 'registrations', id), ...fields };
    return fields.taxId === undefined ? withRegistration(rules, changed) : withCheckedId(rules, changed);
  },
  command: { command: 'tax_registration.update', subject: id, details: { changed: fieldsOf(fields) } },
});

export const addingOverride = (override: TaxRule<'overrides'>): TaxChange => ({
  apply: (rules) => withOverride(rules, override),
  command: { command: 'tax_override.create', subject: override.id, details: { country: override.country } },
});

const removals = { registrations: 'tax_registration.delete', overrides: 'tax_override.delete' } as const;

export const removingRule = (kind: TaxRuleKind, id: string): TaxChange => ({
  apply: (rules) => without(rules, kind, id),
  command: { command: removals[kind], subject: id, details: {} },
});
