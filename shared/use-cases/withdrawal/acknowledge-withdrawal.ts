import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { hourMs } from '../../domain/duration.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { AlertMoney } from '../../domain/payments/money-alert.ts';
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
  /** The mailer; undefined if the stack sends no mail. */
  mailer: Mailer | undefined;
  /**
   * Composes the acknowledgement to the address in the declaration. `order` is set if a link or session of the order
   * was used. `proof` is the link with which the buyer can confirm a declaration from the public form.
   */
  compose: (withdrawal: Withdrawal, about: { order: Payment | undefined; proof: string | null }) => Mail;
  /** Composes the mail to the order's own address that asks the buyer to confirm the declaration of withdrawal. */
  composeNotice: (withdrawal: Withdrawal, order: Payment, links: { proof: string }) => Mail;
  /** The link with which the owner of the order's address can confirm a declaration. */
  proofUrl: (id: string, address: string) => Promise<string>;
  /** The language of mails that the buyer of an order has chosen in the portal; undefined if none was chosen. */
  chosenLanguage: (order: Payment) => Promise<string | undefined>;
  /** The address to which an order belongs now; empty if its buyer is erased. */
  currentAddress: (order: Payment) => Promise<string>;
  hashOf: (text: string) => string;
  alert: AlertMoney;
  now: () => Date;
}

/**
 * How many mails are sent in an hour: to one address, about one order to its own address, and by the whole stack. Each
 * kind has a separate limit. So strangers who use the public form cannot delay the acknowledgement of a proven
 * declaration.
 */
export const hourlyAcknowledgements = { address: 5, stack: { proven: 300, typed: 200, told: 200 } } as const;

type MailKind = keyof typeof hourlyAcknowledgements.stack;

/** The mails about a declaration that has not been decided. */
type Told = 'acknowledgement' | 'notice';

/** A case after some of its mails were sent, and the mails that exceed the limit of this hour. */
interface Telling {
  current: WithdrawalCase;
  full: readonly Told[];
}

/**
 * Mails the acknowledgement of a declaration, if the limit of this hour allows it. The declaration is valid without the
 * mail. A mail that is not sent now stays due, and the sweep sends it. If a process crashes after sending, the mail is
 * sent again.
 * @returns the case after that
 */
export async function acknowledgeWithdrawal(deps: AcknowledgeDeps, withdrawal: Withdrawal): Promise<WithdrawalCase> {
  const order = await orderOf(deps, withdrawal);
  return save(deps, withdrawal.current, await acknowledge(deps, withdrawal, order));
}

/**
 * Mails the acknowledgement right after the declaration. If the mail fails, the declaration is still valid, and the
 * sweep sends the mail later.
 */
export const acknowledgeAtOnce = async (deps: AcknowledgeDeps, withdrawal: Withdrawal): Promise<void> => {
  await acknowledgeWithdrawal(deps, withdrawal).catch((error: unknown) =>
    logError('An acknowledgement was not mailed.', {
      withdrawal_id: withdrawal.declaration.id,
      ...describeError(error),
    }),
  );
};

/**
 * Mails the acknowledgement. If a declaration is not proven, it also mails a question to the address of the order. The
 * two mails are independent: one that fails stays due. Returns the case after both attempts.
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

/**
 * Mails the acknowledgement. If it goes to the address of the order, it also contains the question, so no second mail
 * is needed.
 */
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
  const own = kind === 'typed' ? undefined : order; // what a stranger typed is answered in the language of the page
  const asked = current.proof === null ? await addressOf(deps, order) : '';
  const isAsking = isSameAddress(asked, email);
  const proof = isAsking ? await deps.proofUrl(id, asked) : null;
  const language = own && (await deps.chosenLanguage(own));
  const mail = deps.compose(inChosenLanguage({ declaration, current }, language), { order: own, proof });
  const acknowledgement = ended(await mailer.send({ ...mail, to: email }), deps);
  if (order) alertIfRefused(deps, acknowledgement, { id, order });
  const { notice, ...rest } = current;
  return { current: { ...rest, ...(notice && !isAsking && { notice }), acknowledgement }, full: [] };
}

/** Alerts the merchant about a refused mail, but never about a declaration without an order: strangers can send many. */
function alertIfRefused(
  { alert }: AcknowledgeDeps,
  { status }: Acknowledgement,
  { id, order }: { id: string; order: Payment },
): void {
  if (status === 'refused') alert('withdrawal-unacknowledged', { withdrawal_id: id, payment_id: order.id });
}

const addressOf = async ({ currentAddress }: AcknowledgeDeps, order: Payment | undefined): Promise<string> =>
  order ? currentAddress(order) : '';

/** Asks the current address of the order by mail. */
async function ask(
  deps: AcknowledgeDeps,
  { declaration, current }: Withdrawal,
  order: Payment | undefined,
): Promise<Telling> {
  const { mailer } = deps;
  if (current.notice?.status !== 'due') return { current, full: [] };
  const address = await addressOf(deps, order);
  if (!mailer || !order || address === '') return { current: { ...current, notice: ended('none', deps) }, full: [] };
  if (!(await hasRoom(deps, 'told', order.id))) return { current, full: ['notice'] };
  const proof = await deps.proofUrl(declaration.id, address);
  const language = (await deps.chosenLanguage(order)) ?? order.language;
  const mail = deps.composeNotice({ declaration, current }, { ...order, language }, { proof });
  return { current: { ...current, notice: ended(await mailer.send({ ...mail, to: address }), deps) }, full: [] };
}

/** The withdrawal for a mail in a language that the buyer has chosen. */
export const inChosenLanguage = ({ declaration, current }: Withdrawal, language: string | undefined): Withdrawal => ({
  declaration: { ...declaration, language: language ?? declaration.language },
  current,
});

const isSameAddress = (one: string, other: string): boolean => normalizeEmail(one) === normalizeEmail(other);

/** Counts a mail for its address or order, and for the stack. Returns whether the limits allow it. */
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
 * Saves which mails were sent. A mail over the limit waits an hour, unless something else is due. If another request
 * has saved the case first, its state stays, and the sweep sends the mails.
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
