import { refuse } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { withdrawalIdOf } from '../../domain/ids.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Withdrawal } from '../../domain/withdrawal/withdrawal-case.ts';
import { type DeclareDeps, storeDeclaration } from './declare-withdrawal.ts';
import type { FindOrderDeps } from './find-order.ts';
import { type MatchDeps, soldOrder } from './match-withdrawal.ts';

export interface EnterDeps extends Omit<DeclareDeps, keyof FindOrderDeps> {
  payments: MatchDeps['payments'];
  /** The address to which an order belongs now; empty if its buyer is erased. */
  currentAddress: (order: Payment) => Promise<string>;
}

/** The declaration that a member enters. It came by post, by mail or on the telephone. */
export interface EnteredWithdrawal {
  formToken: string;
  name: string;
  paymentId: string;
  /** The day on which the buyer sent or made the declaration. */
  day: string;
}

/**
 * Stores a declaration that a member enters. The address of the order gets the acknowledgement. A person decides about
 * it.
 */
export async function enterWithdrawal(
  deps: EnterDeps,
  { formToken, name, paymentId, day }: EnteredWithdrawal,
  claim: Claim<Withdrawal>,
): Promise<Withdrawal> {
  const order = await soldOrder(deps, paymentId);
  if (day > deps.now().toISOString().slice(0, 10) || day < order.createdAt.slice(0, 10))
    throw refuse('INVALID_REQUEST_BODY', 'day', 'The day must be between the order and today.');
  const entered = { name, paymentId, reference: paymentId, email: await deps.currentAddress(order), lines: null };
  const declaration = {
    ...entered,
    id: withdrawalIdOf(formToken, JSON.stringify({ ...entered, day })),
    source: 'merchant' as const,
    receivedAt: `${day}T00:00:00.000Z`,
    language: order.language ?? 'en',
  };
  const audited = { command: 'withdrawal.enter' as const, subject: declaration.id, details: { payment_id: paymentId } };
  return storeDeclaration(deps, declaration, {
    orderId: null,
    refundsByItself: false,
    recordsOf: (withdrawal) => claim(withdrawal, audited),
  });
}
