import { type AuditedCommand, fieldsOf } from '../domain/access/audit.ts';
import type { Claim } from '../domain/idempotency.ts';
import type { TaxRulesStore } from '../store/tax-rules-store.ts';
import { localDate } from '../tax/places/local-date.ts';
import { leaveSmallSeller, stateSmallSeller } from '../tax/rules/small-seller.ts';
import {
  findRule,
  type TaxRule,
  type TaxRuleKind,
  type TaxRules,
  withChangedRegistration,
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

/** A change of the tax rules, and its entry in the audit log. */
export interface TaxChange {
  apply: (rules: TaxRules, now: Date) => TaxRules;
  command: AuditedCommand;
}

/** Applies one change to the current tax rules. Existing payments keep their figures. */
export function changeTaxRules(
  deps: ChangeTaxRulesDeps,
  { apply, command }: TaxChange,
  claim: Claim<TaxRules>,
): Promise<TaxRules> {
  return retryStale(async () => {
    const now = deps.now();
    const rules = { ...apply(await deps.taxRules.get(), now), changedAt: now.toISOString() };
    await deps.taxRules.save(rules, claim(rules, command));
    return rules;
  });
}

/**
 * Adds a registration. Refuses a seller's tax id with wrong check digits. Registrations from earlier versions may still
 * have such ids.
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
  apply: (rules, now) => {
    const changed = { ...findRule(rules, 'registrations', id), ...fields };
    const after = withChangedRegistration(rules, changed, now);
    if (fields.taxId !== undefined) assertSellerTaxId(changed);
    return after;
  },
  command: { command: 'tax_registration.update', subject: id, details: { changed: fieldsOf(fields) } },
});

export const addingOverride = (override: TaxRule<'overrides'>): TaxChange => ({
  apply: (rules) => withOverride(rules, override),
  command: { command: 'tax_override.create', subject: override.id, details: { country: override.country } },
});

const removals = { registrations: 'tax_registration.delete', overrides: 'tax_override.delete' } as const;

export const removingRule = (kind: TaxRuleKind, id: string): TaxChange => ({
  apply: (rules, now) => without(rules, kind, id, now),
  command: { command: removals[kind], subject: id, details: {} },
});

/** Declares that the merchant is a small seller in the Union, or corrects the amounts of this declaration. */
export const statingSmallSeller = (
  amounts: { lastYear: number; thisYear: number },
  merchantCountry: string,
): TaxChange => ({
  apply: (rules, now) => {
    const today = localDate({ country: merchantCountry }, now);
    return { ...rules, smallSeller: stateSmallSeller(rules.smallSeller, amounts, { today, merchantCountry }) };
  },
  command: { command: 'tax_small_seller.state', subject: merchantCountry, details: {} },
});

/** Chooses the tax of the buyer's place although the small seller is still below the limit. */
export const leavingSmallSeller = (merchantCountry: string): TaxChange => ({
  apply: (rules, now) => ({
    ...rules,
    smallSeller: leaveSmallSeller(rules.smallSeller, localDate({ country: merchantCountry }, now)),
  }),
  command: { command: 'tax_small_seller.leave', subject: merchantCountry, details: {} },
});
