import { DomainError, notFound, refuse } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { withdrawalRefundIdOf } from '../../domain/ids.ts';
import { sum } from '../../domain/money/money.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type { Refunder } from '../../domain/payments/refund-allowance.ts';
import { type Proposal, proposalOf } from '../../domain/withdrawal/proposal.ts';
import type { SupplyFacts } from '../../domain/withdrawal/supply.ts';
import {
  assertOpen,
  caseDueAt,
  replyAddressOf,
  type Withdrawal,
  type WithdrawalDecision,
  type WithdrawalRefusal,
  withDecision,
} from '../../domain/withdrawal/withdrawal-case.ts';
import { endedByWithdrawal } from '../../domain/withdrawal/withdrawn-lines.ts';
import { recordWithdrawalEvent } from '../../events/catalogue.ts';
import { describeError, logError } from '../../log.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { CaseCommit, WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { type CreateRefundDeps, createRefund } from '../payments/create-refund.ts';
import { retryStale } from '../retry.ts';
import { written } from '../written.ts';
import { type ReplyDeps, replyToWithdrawal } from './settle-withdrawal.ts';

export interface ProposeDeps {
  withdrawals: Pick<WithdrawalStore, 'get'>;
  payments: { find: (id: string) => Promise<Payment | undefined> };
  /** Loads the facts about the confirmation and the supply of a sale. */
  supplyOf: (payment: Payment) => Promise<SupplyFacts>;
}

/** A declaration with its order, and the decision that the law suggests. */
export interface Proposed extends Withdrawal {
  payment: Payment | undefined;
  proposal: Proposal;
}

/** Makes the proposal for a declaration, with the current state of its order. */
export async function proposeDecision(deps: ProposeDeps, id: string): Promise<Proposed> {
  const { declaration, current } = await deps.withdrawals.get(id);
  const payment = current.paymentId === null ? undefined : await deps.payments.find(current.paymentId);
  const supply = payment ? await deps.supplyOf(payment) : { confirmedAt: null, lines: [] };
  return { declaration, current, payment, proposal: proposalOf({ payment, declaration, case: current, supply }) };
}

export interface DecideDeps extends CreateRefundDeps, Omit<ReplyDeps, 'payments' | 'withdrawals'> {
  withdrawals: Pick<WithdrawalStore, 'get' | 'find' | 'save'>;
  payments: CreateRefundDeps['payments'] & ReplyDeps['payments'] & Pick<PaymentStore, 'saveEnded'>;
}

/** The amount to refund for one line, which is named by its position. */
export interface DecidedLine {
  line: number;
  amount: number;
}

/** The decision of a person. `end`: there is nothing to refund. `close`: no contract of this shop was found. */
export interface DecisionRequest {
  id: string;
  outcome: 'refund' | 'refuse' | 'end' | 'close';
  /** The amounts to refund; null for everything of the declared lines that is not refunded yet. */
  lines: readonly DecidedLine[] | null;
  reason: WithdrawalRefusal | null;
  /** The note to the buyer. */
  note: string | null;
}

interface DecideCommand {
  request: DecisionRequest;
  by: Refunder;
  /** The name under which the decision is stored. */
  name: string;
}

/**
 * Decides about a declaration. A refund and the decision are one transaction. The refund's id is derived from the
 * declaration and the number of its decisions. So the money is refunded once, and again only if that refund has failed.
 * The buyer gets a mail, now or by the sweep.
 */
export async function decideWithdrawal(
  deps: DecideDeps,
  command: DecideCommand,
  claim: Claim<Withdrawal>,
): Promise<Withdrawal> {
  const { request } = command;
  const isRefund = request.outcome === 'refund';
  const decided = await (isRefund ? refundWithdrawal(deps, command, claim) : closeWithdrawal(deps, command, claim));
  await replyToWithdrawal(deps, decided).catch((error: unknown) =>
    logError('A decision was not mailed.', { withdrawal_id: request.id, ...describeError(error) }),
  );
  return decided;
}

async function refundWithdrawal(
  deps: DecideDeps,
  { request, by, name }: DecideCommand,
  claim: Claim<Withdrawal>,
): Promise<Withdrawal> {
  const { declaration, current } = await deps.withdrawals.get(request.id);
  const payment = await orderOf(deps, current);
  assertOpen(current, payment);
  if (!payment) throw notFound('payment', request.id);
  const { amounts, isWhole } = amountsOf(payment, declaration.lines, request.lines);
  assertSome(payment, amounts);
  let decided: Withdrawal | undefined;
  const alongside = async (refund: Refund, before: Payment): Promise<CaseCommit> => {
    const outcome = isWhole ? 'refunded' : 'refunded_in_part';
    const latest = await deps.withdrawals.get(request.id);
    const made = { outcome, by: name, refundId: refund.id } as const;
    const change = decision(deps, { ...latest, request, payment: before }, made);
    decided = change.withdrawal;
    return change.commit;
  };
  const newId: DecideDeps['newId'] = (prefix) =>
    prefix === 'ref' ? withdrawalRefundIdOf(request.id, current.decisions.length) : deps.newId(prefix);
  const command = { request: refundRequestOf(payment, amounts, request), by, alongside };
  // The merchant's own refund period does not apply, because the law grants the withdrawal.
  await createRefund({ ...deps, newId, refundWindowDays: undefined }, command, () =>
    decided ? claim(decided, audited(decided, request)) : [],
  );
  return deps.withdrawals.get(request.id);
}

const orderOf = async (
  { payments }: Pick<DecideDeps, 'payments'>,
  { paymentId }: Withdrawal['current'],
): Promise<Payment | undefined> => (paymentId === null ? undefined : payments.get(paymentId));

/** Refuses a refund of 0. If the whole order has nothing left, the refund itself gives the reason. */
function assertSome({ refundable }: Payment, amounts: readonly DecidedLine[]): void {
  if (amounts.length > 0 || refundable === 0) return;
  throw new DomainError('NOTHING_TO_REFUND', 'Nothing of these lines is left to refund.');
}

/** The amounts by line, and whether they are everything that is left of the declared lines. */
function amountsOf(payment: Payment, declared: readonly number[] | null, chosen: readonly DecidedLine[] | null) {
  const left = payment.lines.flatMap(({ refundable }, line) =>
    refundable > 0 && (declared === null || declared.includes(line)) ? [{ line, amount: refundable }] : [],
  );
  const amounts = (chosen ?? left).filter(({ amount }) => amount > 0);
  const stranger = amounts.findIndex(({ line }) => !payment.lines[line]);
  if (stranger >= 0)
    throw refuse('INVALID_REQUEST_PARAMETERS', `lines.${stranger}.line`, 'The order has no such line.');
  const whole = sum(left.map(({ amount }) => amount));
  return { amounts, isWhole: sum(amounts.map(({ amount }) => amount)) >= whole };
}

const refundRequestOf = (payment: Payment, amounts: readonly DecidedLine[], { id, note }: DecisionRequest) => ({
  paymentId: payment.id,
  type: 'money' as const,
  amount: null,
  currency: payment.currency,
  items: amounts.map(({ line, amount }) => ({
    productId: payment.lines[line]?.productId ?? '',
    amount,
    taxInclusive: true,
  })),
  taxInclusive: true,
  expectedRefundable: null,
  reason: `withdrawal ${id}`,
  publicReason: note,
  metadata: {},
  isWithdrawal: true,
});

const closeWithdrawal = (
  deps: DecideDeps,
  { request, name }: DecideCommand,
  claim: Claim<Withdrawal>,
): Promise<Withdrawal> =>
  retryStale(async () => {
    const outcome = ({ refuse: 'refused', end: 'ended', close: 'closed' } as const)[
      request.outcome as Exclude<DecisionRequest['outcome'], 'refund'>
    ];
    const before = await deps.withdrawals.get(request.id);
    const made = { outcome, by: name, refundId: null };
    const payment = await orderOf(deps, before.current);
    const { commit, withdrawal } = decision(deps, { ...before, request, payment }, made);
    const change = { ...commit, records: claim(withdrawal, audited(withdrawal, request)) };
    const ended =
      payment && outcome === 'ended'
        ? endedByWithdrawal(payment, before.declaration, deps.now().toISOString())
        : undefined;
    await (ended ? deps.payments.saveEnded(ended, change) : deps.withdrawals.save(change));
    return { ...withdrawal, current: written(withdrawal.current) };
  });

const audited = ({ declaration, current }: Withdrawal, { outcome }: DecisionRequest) => ({
  command: 'withdrawal.decide' as const,
  subject: declaration.id,
  details: { outcome, payment_id: current.paymentId ?? '' },
});

type Made = Pick<WithdrawalDecision, 'outcome' | 'by' | 'refundId'>;

interface Deciding extends Withdrawal {
  request: DecisionRequest;
  /** The current order; undefined if none was found. */
  payment: Payment | undefined;
}

/** The case with the decision, its event, and the mail that must be sent. */
function decision(
  deps: DecideDeps,
  { request: { reason, note }, payment, declaration, current }: Deciding,
  made: Made,
): { commit: CaseCommit; withdrawal: Withdrawal } {
  const at = deps.now().toISOString();
  const given = { ...made, reason: made.outcome === 'refused' ? reason : null, note, at };
  const isAnswered =
    deps.mailer !== undefined && replyAddressOf({ declaration, current }, payment?.customer.email ?? '') !== '';
  const reply = { status: isAnswered ? ('due' as const) : ('none' as const), at: null };
  const decided = { declaration, current: { ...withDecision(current, given, payment), reply } };
  const recorded = recordWithdrawalEvent(decided, 'withdrawal.decided', { id: deps.newId('evt'), now: at });
  const events = current.paymentId === null ? [] : [recorded.event];
  const withdrawal = { declaration, current: recorded.current };
  return { commit: { current: recorded.current, dueAt: caseDueAt(recorded.current), events }, withdrawal };
}
