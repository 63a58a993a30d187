import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { hourMs } from '../../domain/duration.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import {
  awaitsStack,
  caseDueAt,
  type Withdrawal,
  type WithdrawalCase,
} from '../../domain/withdrawal/withdrawal-case.ts';
import { describeError, logError } from '../../log.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';

export interface AcknowledgeDeps {
  withdrawals: Pick<WithdrawalStore, 'save' | 'find'>;
  payments: Pick<PaymentStore, 'find'>;
  throttles: ThrottleStore;
  /** Undefined if the stack sends no mail. */
  mailer: Mailer | undefined;
  /** Composes the acknowledgement to the address that was given. `proof` is the link that proves the declaration. */
  compose: (withdrawal: Withdrawal, links: { proof: string | null }) => Mail;
  /** Composes the mail that tells the order's own address of a declaration from another address. */
  composeNotice: (withdrawal: Withdrawal, order: Payment, links: { proof: string }) => Mail;
  /** The link with which the order's own address proves a declaration. */
  proofUrl: (id: string) => Promise<string>;
  hashOf: (text: string) => string;
  now: () => Date;
}

/** How many mails are sent in an hour: to one address, about one order to its own address, and by the whole stack. */
export const hourlyAcknowledgements = { address: 5, stack: 300 } as const;

/**
 * Mails the acknowledgement of a declaration, if the hour has room for it. A declaration never waits for a mail: what
 * is not sent now stays due, and the sweep sends it. The order's own address is told of a declaration that nothing
 * proves. A process that dies between sending and marking sends again.
 * @returns the case after it
 */
export async function acknowledgeWithdrawal(deps: AcknowledgeDeps, withdrawal: Withdrawal): Promise<WithdrawalCase> {
  const { mailer, now } = deps;
  const { declaration, current } = withdrawal;
  if (current.acknowledgement.status !== 'due') return current;
  if (!mailer) return end(deps, current, 'none');
  if (!(await hasRoom(deps, `withdrawal ${normalizeEmail(declaration.email)}`)))
    return save(
      deps,
      current,
      awaitsStack(current) ? current.updatedAt : new Date(now().getTime() + hourMs).toISOString(),
    );
  const order = current.paymentId === null ? undefined : await deps.payments.find(current.paymentId);
  const proof = await proofFor(deps, withdrawal, order);
  const isOwnAddress = order !== undefined && isSameAddress(order.customer.email, declaration.email);
  const mail = deps.compose(withdrawal, { proof: isOwnAddress ? proof : null });
  const outcome = await mailer.send({ ...mail, to: declaration.email });
  if (order && proof !== null && !isOwnAddress) await tellOrder(deps, mailer, { withdrawal, order, proof });
  return end(deps, current, outcome);
}

/** The same at the moment of the declaration, which holds even if the mail fails: it then stays due for the sweep. */
export const acknowledgeAtOnce = async (deps: AcknowledgeDeps, withdrawal: Withdrawal): Promise<void> => {
  await acknowledgeWithdrawal(deps, withdrawal).catch((error: unknown) =>
    logError('An acknowledgement was not mailed.', {
      withdrawal_id: withdrawal.declaration.id,
      ...describeError(error),
    }),
  );
};

/** The link that proves a declaration; null if it is proven already, or has no order whose address could prove it. */
const proofFor = async (
  { proofUrl }: AcknowledgeDeps,
  { declaration, current }: Withdrawal,
  order: Payment | undefined,
): Promise<string | null> =>
  order && current.proof === null && order.customer.email !== '' ? proofUrl(declaration.id) : null;

/** An order's address that was told several times in this hour is not told again. */
async function tellOrder(
  deps: AcknowledgeDeps,
  mailer: Mailer,
  { withdrawal, order, proof }: { withdrawal: Withdrawal; order: Payment; proof: string },
): Promise<void> {
  const { email } = order.customer;
  if (await hasRoom(deps, `withdrawal of ${order.id}`))
    await mailer.send({ ...deps.composeNotice(withdrawal, order, { proof }), to: email });
}

const isSameAddress = (one: string, other: string): boolean => normalizeEmail(one) === normalizeEmail(other);

async function hasRoom({ throttles, hashOf, now }: AcknowledgeDeps, counted: string): Promise<boolean> {
  const at = now();
  if ((await throttles.count(hashOf(counted), at)) > hourlyAcknowledgements.address) return false;
  return (await throttles.count(hashOf('withdrawals'), at)) <= hourlyAcknowledgements.stack;
}

const end = (
  deps: AcknowledgeDeps,
  current: WithdrawalCase,
  status: WithdrawalCase['acknowledgement']['status'],
): Promise<WithdrawalCase> => {
  const at = deps.now().toISOString();
  const done = { ...current, acknowledgement: { status, at: status === 'none' ? null : at } };
  return save(deps, done, caseDueAt(done));
};

/** Another writer of the case, such as a decision, has the say. The mail is then looked at again by the sweep. */
async function save(deps: AcknowledgeDeps, current: WithdrawalCase, dueAt: string | null): Promise<WithdrawalCase> {
  try {
    await deps.withdrawals.save({ current, dueAt });
    return { ...current, version: current.version + 1 };
  } catch (error) {
    if (error instanceof StaleVersion) return current;
    throw error;
  }
}
