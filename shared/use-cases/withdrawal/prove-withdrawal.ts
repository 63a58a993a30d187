import { opens } from '../../domain/documents/document-access.ts';
import { notFound } from '../../domain/errors.ts';
import { proofToken } from '../../domain/withdrawal/proof-link.ts';
import { caseDueAt, type Withdrawal, withProof } from '../../domain/withdrawal/withdrawal-case.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { retryStale } from '../retry.ts';

export interface ProveDeps {
  withdrawals: Pick<WithdrawalStore, 'find' | 'save'>;
  payments: Pick<PaymentStore, 'find'>;
  /** The stack's own secret; undefined if no link was ever made. */
  stackSecret: () => Promise<string | undefined>;
  now: () => Date;
}

/** A link as a browser presents it. */
export interface ProofLink {
  id: string;
  token: string;
}

/** The declaration of a link. Every link that is not ours, or went to a former address, is refused in the same way. */
export async function openProof(
  { withdrawals, payments, stackSecret }: Omit<ProveDeps, 'now'>,
  { id, token }: ProofLink,
): Promise<Withdrawal> {
  const secret = await stackSecret();
  const withdrawal = secret ? await withdrawals.find(id) : undefined;
  const paymentId = withdrawal?.current.paymentId ?? null;
  const address = paymentId === null ? '' : ((await payments.find(paymentId))?.customer.email ?? '');
  const isOpened = opens([token], [proofToken({ id, address }, secret ?? '')]);
  if (!withdrawal || !secret || address === '' || !isOpened) throw notFound('withdrawal', id);
  return withdrawal;
}

/** Notes that the holder of the order's own address has confirmed a declaration. A second press changes nothing. */
export const proveWithdrawal = (deps: ProveDeps, link: ProofLink): Promise<Withdrawal> =>
  retryStale(async () => {
    const { declaration, current: before } = await openProof(deps, link);
    const current = withProof(before, { by: 'mail', at: deps.now().toISOString() });
    if (current !== before) await deps.withdrawals.save({ current, dueAt: caseDueAt(current) });
    return { declaration, current };
  });
