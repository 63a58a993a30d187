import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { hourMs } from '../../domain/duration.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import {
  type Acknowledgement,
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
  /**
   * Composes the acknowledgement to the address that was given. `order` is known for a declaration by a link or session
   * of it; `proof` is the link that proves a typed one.
   */
  compose: (withdrawal: Withdrawal, about: { order: Payment | undefined; proof: string | null }) => Mail;
  /** Composes the mail to the order's own address that asks the buyer to confirm the declaration of withdrawal. */
  composeNotice: (withdrawal: Withdrawal, order: Payment, links: { proof: string }) => Mail;
  /** The link with which an order's own address proves a declaration. */
  proofUrl: (id: string, address: string) => Promise<string>;
  hashOf: (text: string) => string;
  now: () => Date;
}

/**
 * How many mails are sent in an hour: to one address, about one order to its own address, and by the whole stack. Each
 * kind has a budget of its own, so strangers who type cannot delay the acknowledgement of a proven declaration.
 */
export const hourlyAcknowledgements = { address: 5, stack: { proven: 300, typed: 200, told: 200 } } as const;

type MailKind = keyof typeof hourlyAcknowledgements.stack;

/** The mails about a declaration that has not been decided. */
type Told = 'acknowledgement' | 'notice';

/** A case after some of its mails, and those for which the hour has no room. */
interface Telling {
  current: WithdrawalCase;
  full: readonly Told[];
}

/**
 * Mails the acknowledgement of a declaration, if the hour has room for it. A declaration never waits for a mail: what
 * is not sent now stays due, and the sweep sends it. A process that dies between sending and marking sends again.
 * @returns the case after it
 */
export async function acknowledgeWithdrawal(deps: AcknowledgeDeps, withdrawal: Withdrawal): Promise<WithdrawalCase> {
  const order = await orderOf(deps, withdrawal);
  return save(deps, withdrawal.current, await acknowledge(deps, withdrawal, order));
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

/**
 * Mails the acknowledgement, and asks the order's own address about a declaration that nothing proves. Neither waits for
 * the other: one that fails stays due.
 * @returns the case after both
 */
export async function tellOfWithdrawal(deps: AcknowledgeDeps, withdrawal: Withdrawal): Promise<WithdrawalCase> {
  const { declaration, current } = withdrawal;
  const order = await orderOf(deps, withdrawal);
  const failures: unknown[] = [];
  const first = await acknowledge(deps, withdrawal, order).catch((error: unknown): Telling => {
    failures.push(error);
    return { current, full: [] };
  });
  const second = await ask(deps, { declaration, current: first.current }, order).catch((error: unknown): Telling => {
    failures.push(error);
    return { current: first.current, full: [] };
  });
  const after = await save(deps, current, { current: second.current, full: [...first.full, ...second.full] });
  if (failures.length > 0) throw failures[0];
  return after;
}

const orderOf = async (
  { payments }: AcknowledgeDeps,
  { current: { paymentId } }: Withdrawal,
): Promise<Payment | undefined> => (paymentId === null ? undefined : payments.find(paymentId));

/** The acknowledgement to the order's own address also asks it, so no other mail has to. */
async function acknowledge(
  deps: AcknowledgeDeps,
  { declaration, current }: Withdrawal,
  order: Payment | undefined,
): Promise<Telling> {
  const { mailer } = deps;
  if (current.acknowledgement.status !== 'due') return { current, full: [] };
  if (!mailer) return { current: { ...current, acknowledgement: ended('none', deps) }, full: [] };
  const { id, email, source } = declaration;
  const kind = source === 'form' ? 'typed' : 'proven';
  if (!(await hasRoom(deps, kind, normalizeEmail(email)))) return { current, full: ['acknowledgement'] };
  const isAsking = order !== undefined && current.proof === null && isSameAddress(order.customer.email, email);
  const proof = isAsking ? await deps.proofUrl(id, order.customer.email) : null;
  const mail = deps.compose({ declaration, current }, { order: kind === 'typed' ? undefined : order, proof });
  const acknowledgement = ended(await mailer.send({ ...mail, to: email }), deps);
  const { notice, ...rest } = current;
  return { current: { ...rest, ...(notice && !isAsking && { notice }), acknowledgement }, full: [] };
}

/** Asks the order's own address, as it is now. */
async function ask(
  deps: AcknowledgeDeps,
  { declaration, current }: Withdrawal,
  order: Payment | undefined,
): Promise<Telling> {
  const { mailer } = deps;
  const address = order?.customer.email ?? '';
  if (current.notice?.status !== 'due') return { current, full: [] };
  if (!mailer || !order || address === '') return { current: { ...current, notice: ended('none', deps) }, full: [] };
  if (!(await hasRoom(deps, 'told', order.id))) return { current, full: ['notice'] };
  const proof = await deps.proofUrl(declaration.id, address);
  const mail = deps.composeNotice({ declaration, current }, order, { proof });
  return { current: { ...current, notice: ended(await mailer.send({ ...mail, to: address }), deps) }, full: [] };
}

const isSameAddress = (one: string, other: string): boolean => normalizeEmail(one) === normalizeEmail(other);

/** Counts a mail for its address or order, and for the stack. */
async function hasRoom({ throttles, hashOf, now }: AcknowledgeDeps, kind: MailKind, about: string): Promise<boolean> {
  const at = now();
  const { address, stack } = hourlyAcknowledgements;
  if ((await throttles.count(hashOf(`withdrawal ${kind} ${about}`), at)) > address) return false;
  return (await throttles.count(hashOf(`withdrawals ${kind}`), at)) <= stack[kind];
}

const ended = (status: Acknowledgement['status'], { now }: Pick<AcknowledgeDeps, 'now'>): Acknowledgement => ({
  status,
  at: status === 'none' ? null : now().toISOString(),
});

/**
 * Saves what was mailed. A mail without room waits an hour, unless something else is due. If another request has saved
 * the case first, its state stays, and the sweep sends the mails.
 */
async function save(
  deps: AcknowledgeDeps,
  before: WithdrawalCase,
  { current, full }: Telling,
): Promise<WithdrawalCase> {
  if (current === before && full.length === 0) return current;
  const rest = { ...current, ...Object.fromEntries(full.map((mail) => [mail, ended('none', deps)])) };
  const later = full.length > 0 ? new Date(deps.now().getTime() + hourMs).toISOString() : null;
  try {
    await deps.withdrawals.save({ current, dueAt: caseDueAt(rest) ?? later });
    return { ...current, version: current.version + 1 };
  } catch (error) {
    if (error instanceof StaleVersion) return before;
    throw error;
  }
}
