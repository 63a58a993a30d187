import type { Brands } from '../../domain/catalogue/brand.ts';
import { awaitsStack, caseDueAt, type Withdrawal } from '../../domain/withdrawal/withdrawal-case.ts';
import { refundsByItself } from '../../domain/withdrawal/withdrawal-settings.ts';
import { type DecideDeps, decideWithdrawal, type ProposeDeps, proposeDecision } from './decide-withdrawal.ts';

export interface DecideByItselfDeps extends DecideDeps, Pick<ProposeDeps, 'supplyOf'> {
  payments: DecideDeps['payments'] & ProposeDeps['payments'];
  brands: { get: () => Promise<Brands> };
}

/** The stack, which may refund without a daily limit of a key. */
const stack = { hash: 'automatic', access: 'admin', refunds: { perDay: null } } as const;

/**
 * Carries out a clear full refund of a proven declaration, if the merchant still wants that. Everything else waits for
 * a person: nothing is refused by itself.
 */
export async function decideByItself(deps: DecideByItselfDeps, { declaration: { id } }: Withdrawal): Promise<void> {
  const { current, proposal } = await proposeDecision(deps, id);
  if (!awaitsStack(current)) return;
  const isWanted = proposal.kind === 'full_refund' && refundsByItself(await deps.brands.get());
  if (isWanted) {
    const request = { id, outcome: 'refund', lines: null, reason: null, note: null } as const;
    await decideWithdrawal(deps, { request, by: stack, name: 'automatic' }, () => []);
    return;
  }
  const { refundsByItself: _, ...left } = current;
  await deps.withdrawals.save({ current: left, dueAt: caseDueAt(left) });
}
