import { type LiveFacts, stepsToGoLive } from '../../domain/reports/going-live.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { TaxRulesStore } from '../../store/tax-rules-store.ts';

export interface LoadGoingLiveDeps {
  payments: Pick<PaymentLists, 'listBriefly'>;
  taxRules: Pick<TaxRulesStore, 'get'>;
  /** The settings in the merchant's configuration file. */
  settings: { isSandbox: boolean; isLive: boolean; hasProcessor: boolean; collectsEverywhere: boolean };
}

/** The first page of payments. It is enough, because a payment is listed once the processor has answered. */
const newest = { size: 100, skip: 0, after: undefined };

/**
 * The steps before the merchant can sell; null if all are done. If only the legal texts are missing, it is null too,
 * because another list shows these.
 */
export async function loadGoingLive(
  { payments, taxRules, settings }: LoadGoingLiveDeps,
  known: Pick<LiveFacts, 'hasProducts' | 'hasSold' | 'meetsDuties'>,
): Promise<ReturnType<typeof stepsToGoLive> | null> {
  const [{ items }, { registrations }] = await Promise.all([payments.listBriefly({}, newest), taxRules.get()]);
  const asked = items.filter(({ gross }) => gross > 0);
  const facts: LiveFacts = {
    hasProducts: known.hasProducts,
    meetsDuties: known.meetsDuties,
    isLive: settings.isLive,
    hasProcessor: settings.hasProcessor,
    hasAnswered: known.hasSold || asked.length > 0,
    hasSold: known.hasSold || asked.some(({ status }) => status === 'succeeded'),
    collectsTax: settings.collectsEverywhere || registrations.length > 0,
  };
  const steps = stepsToGoLive(facts, settings.isSandbox);
  return steps.every(({ step, isDone }) => isDone || step === 'texts') ? null : steps;
}
