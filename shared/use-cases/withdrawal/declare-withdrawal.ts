import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { customerIdOf, withdrawalIdOf } from '../../domain/ids.ts';
import type { Declaration } from '../../domain/withdrawal/declaration.ts';
import { caseDueAt, newCase, type Withdrawal, type WithdrawalCase } from '../../domain/withdrawal/withdrawal-case.ts';
import { recordWithdrawalEvent } from '../../events/catalogue.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { type FindOrderDeps, findOrder } from './find-order.ts';

export interface DeclareDeps extends FindOrderDeps {
  withdrawals: Pick<WithdrawalStore, 'declare' | 'get'>;
  /** Whether the stack sends mail. */
  sendsMail: boolean;
  newId: (prefix: 'evt') => string;
  now: () => Date;
}

/** What a buyer declares, before the time is added. */
export interface DeclarationRequest extends Omit<Declaration, 'id' | 'receivedAt'> {
  /** A random text in the form. Pressing the button twice makes only one declaration. */
  formToken: string;
}

interface DeclareOptions {
  /** Whether the merchant's setting allows the stack to carry out clear full refunds. */
  refundsByItself: boolean;
}

/**
 * Stores what a buyer declares, and looks for its order. It refuses nothing. A declaration that is late, without a
 * right or without an order is stored as well. Webhooks are sent only for a declaration with an order, so that
 * strangers cannot trigger them.
 */
export async function declareWithdrawal(
  deps: DeclareDeps,
  { formToken, ...request }: DeclarationRequest,
  { refundsByItself }: DeclareOptions,
): Promise<Withdrawal> {
  const receivedAt = deps.now().toISOString();
  const id = withdrawalIdOf(formToken, JSON.stringify(request));
  const declaration: Declaration = { ...request, id, receivedAt };
  const order = request.paymentId === null ? await findOrder(deps, declaration) : undefined;
  const typedBy = request.source === 'form' ? customerIdOf(deps.merchantId, normalizeEmail(request.email)) : undefined;
  return storeDeclaration(deps, declaration, { orderId: order?.id ?? null, typedBy, refundsByItself });
}

interface Stored extends DeclareOptions {
  /**
   * The order that was found for the declaration. Null if none was found, or if the declaration itself names its order.
   */
  orderId: string | null;
  /** The customer whose address was typed; absent if the address is that of the order. */
  typedBy?: string | undefined;
  /** Records that are written with it. */
  recordsOf?: (withdrawal: Withdrawal) => readonly CommandRecord[];
}

/** Stores a declaration with its case, only once. A repeated request gets the first one. */
export async function storeDeclaration(
  deps: Omit<DeclareDeps, keyof FindOrderDeps>,
  declaration: Declaration,
  { orderId, typedBy, refundsByItself, recordsOf = () => [] }: Stored,
): Promise<Withdrawal> {
  const { id, receivedAt } = declaration;
  const begun: WithdrawalCase = {
    ...newCase(declaration, orderId, deps),
    ...(refundsByItself && { refundsByItself }),
  };
  const recorded =
    begun.paymentId === null
      ? undefined
      : recordWithdrawalEvent({ declaration, current: begun }, 'withdrawal.declared', {
          id: deps.newId('evt'),
          now: receivedAt,
        });
  const current = recorded?.current ?? begun;
  const events = recorded ? [recorded.event] : [];
  const withdrawal = { declaration, current: { ...current, version: 1 } };
  try {
    const records = recordsOf(withdrawal);
    await deps.withdrawals.declare(declaration, { current, dueAt: caseDueAt(current), events, records }, typedBy);
  } catch (error) {
    if (error instanceof StaleVersion) return deps.withdrawals.get(id);
    throw error;
  }
  return withdrawal;
}
