import type { Context, ScheduledEvent } from 'aws-lambda';
import { logError } from '../../shared/log.ts';
import { adoptPolicies } from '../../shared/use-cases/catalogue/publish-policies.ts';
import { watchShop } from '../../shared/use-cases/reports/watch-shop.ts';
import { measureProblem } from '../../shared/wiring/metrics.ts';
import { apiKeys, brands, disputes, now, paymentLists, payments, policyLanguage } from '../../shared/wiring/runtime.ts';
import { worker } from '../../shared/wiring/worker.ts';

const deps = { payments: { ...paymentLists(), ...payments() }, disputes: disputes(), apiKeys: apiKeys(), now };

const policies = { brands: brands(), policyLanguage: policyLanguage(), now };

/**
 * Each hour: measures problems of a shop that cause no error, such as sales that have stopped. It also stores texts
 * from version 0.2.0 as versions.
 */
export const handler = worker(async (_: ScheduledEvent, context: Context) => {
  const at = now();
  const seen = await watchShop(deps, () => context.getRemainingTimeInMillis() > 10_000);
  for (const { id: payment_id, faults } of seen.contradictions)
    logError('the amounts of a payment do not balance', { payment_id, faults });
  measureProblem('SalesStopped', seen.haveSalesStopped ? 1 : 0, 'Count', at);
  measureProblem('KeysEnding', seen.keysEnding, 'Count', at);
  measureProblem('PaymentsOutOfBalance', seen.contradictions.length, 'Count', at);
  await adoptPolicies(policies);
});
