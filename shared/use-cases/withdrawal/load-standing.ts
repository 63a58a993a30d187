import type { Payment } from '../../domain/payments/payment.ts';
import { type Standing, standingOf } from '../../domain/withdrawal/standing.ts';
import type { WithdrawalCase } from '../../domain/withdrawal/withdrawal-case.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { type LoadSupplyDeps, supplyFactsOf } from './load-supply.ts';

export interface LoadStandingDeps extends LoadSupplyDeps {
  withdrawals: Pick<WithdrawalStore, 'ofPayment'>;
  now: () => Date;
}

/** The current right of withdrawal of a sale, and the withdrawals that were declared. */
export interface WithdrawalStanding {
  standing: Standing;
  withdrawals: readonly WithdrawalCase[];
}

/** Loads the right of withdrawal of a sale and its withdrawals; undefined if the payment has not succeeded. */
export async function loadStanding(deps: LoadStandingDeps, payment: Payment): Promise<WithdrawalStanding | undefined> {
  if (payment.status !== 'succeeded') return undefined;
  const [facts, withdrawals] = await Promise.all([
    supplyFactsOf(deps, payment),
    deps.withdrawals.ofPayment(payment.id),
  ]);
  return { standing: standingOf(payment, facts, deps.now().toISOString()), withdrawals };
}
