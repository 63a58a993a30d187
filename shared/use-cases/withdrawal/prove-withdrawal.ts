import { opens } from '../../domain/documents/document-access.ts';
import { notFound } from '../../domain/errors.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { proofToken } from '../../domain/withdrawal/proof-link.ts';
import { caseDueAt, type Withdrawal, withProof } from '../../domain/withdrawal/withdrawal-case.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { retryStale } from '../retry.ts';

export interface ProveDeps {
  withdrawals: Pick<WithdrawalStore, 'find' | 'save'>;
  payments: Pick<PaymentStore, 'find'>;
  /** The address to which an order belongs now; empty if its buyer is erased. */
  currentAddress: (order: Payment) => Promise<string>;
  /** The stack's own secret; undefined if no link was ever made. */
  stackSecret: () => Promise<string | undefined>;
  now: () => Date;
}

/** The link, as the browser sends it. */
export interface ProofLink {
  id: string;
  token: string;
}

/**
 * The declaration of a link. A link that was not made by this stack gets the same error as one that was mailed to an
 * earlier address.
 */
export async function openProof(
  { withdrawals, payments, currentAddress, stackSecret }: Omit<ProveDeps, 'now'>,
  { id, token }: ProofLink,
): Promise<Withdrawal> {
  const secret = await stackSecret();
  const withdrawal = secret ? await withdrawals.find(id) : undefined;
  const paymentId = withdrawal?.current.paymentId ?? null;
  const order = paymentId === null ? undefined : await payments.find(paymentId);
  const address = order ? await currentAddress(order) : '';
  const isOpened = opens([token], [proofToken({ id, address }, secret ?? '')]);
  if (!withdrawal || !secret || address === '' || !isOpened) throw notFound('withdrawal', id);
  return withdrawal;
}

/**
 * Stores that the owner of the order's address has confirmed a declaration. Pressing the button again changes nothing.
 */
export const proveWithdrawal = (deps: ProveDeps, link: ProofLink): Promise<Withdrawal> =>
  retryStale(async () => {
    const { declaration, current: before } = await openProof(deps, link);
    const current = withProof(before, { by: 'mail', at: deps.now().toISOString() });
    if (current !== before) await deps.withdrawals.save({ current, dueAt: caseDueAt(current) });
    return { declaration, current };
  });
