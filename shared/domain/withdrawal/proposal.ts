import { sum } from '../money/money.ts';
import { disputeStandingOf } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';
import type { Declaration } from './declaration.ts';
import { type ProRata, proRataOf } from './pro-rata.ts';
import { type LineStanding, type Standing, standingOf } from './standing.ts';
import type { LineSupply, SupplyFacts } from './supply.ts';
import type { WithdrawalCase, WithdrawalRefusal } from './withdrawal-case.ts';

/** One line of a proposal: the state of the buyer's right, and the amount to refund. */
export interface ProposedLine {
  line: number;
  standing: LineStanding;
  /** The refundable amount of the line. `amount` is the part of it to refund. */
  refundable: number;
  amount: number;
  /** The used part of a service, which is not refunded; null if there is none. */
  proRata: ProRata | null;
}

interface Weighed {
  standing: Standing;
  lines: ProposedLine[];
}

/**
 * What the law says about a declaration. A person decides. Only a clear full refund can be carried out automatically.
 */
export type Proposal =
  /**
   * The merchant has to wait, because a bank decides about a dispute, or a refund of the rest is pending. Otherwise the
   * buyer could be paid twice.
   */
  | { kind: 'wait'; why: 'dispute_open' | 'refund_pending' }
  | { kind: 'by_hand'; why: 'unmatched' | 'not_paid' | 'unknown_lines' }
  /** A person first checks who declared, or who bought. After that, the suggestion applies. */
  | { kind: 'by_hand'; why: 'unproven' | 'corrected_invoice'; suggestion: Proposal }
  /** The contract ends without a refund. `used`: the used part of a service costs as much as is left of its price. */
  | ({ kind: 'nothing_to_pay'; why: 'free' | 'returned' | 'used' } & Weighed)
  | ({ kind: 'full_refund'; amount: number } & Weighed)
  | ({ kind: 'part'; amount: number } & Weighed)
  | ({ kind: 'refused'; reason: WithdrawalRefusal } & Weighed);

/** The facts from which a proposal is made. */
export interface ProposalFacts {
  /** The order; undefined if none was found. */
  payment: Payment | undefined;
  declaration: Declaration;
  case: Pick<WithdrawalCase, 'proof'>;
  supply: SupplyFacts;
}

/**
 * What to do about a declaration (§ 6 of the rules in docs/consumer-law.md). A refusal is proposed only if everything
 * is proven. If anything is missing, the full refund is proposed.
 */
export function proposalOf({ payment, declaration, case: { proof }, supply }: ProposalFacts): Proposal {
  if (!payment) return { kind: 'by_hand', why: 'unmatched' };
  if (payment.status !== 'succeeded') return { kind: 'by_hand', why: 'not_paid' };
  if (disputeStandingOf(payment)?.isOpen) return { kind: 'wait', why: 'dispute_open' };
  const suggestion = weighed(payment, declaration, supply);
  if (payment.correction && payment.correction.status !== 'dismissed')
    return { kind: 'by_hand', why: 'corrected_invoice', suggestion };
  return proof === null ? { kind: 'by_hand', why: 'unproven', suggestion } : suggestion;
}

const waitsForRefund: Proposal = { kind: 'wait', why: 'refund_pending' };

function weighed(payment: Payment, { lines: asked, receivedAt }: Declaration, supply: SupplyFacts): Proposal {
  const standing = standingOf(payment, supply, receivedAt);
  const about = standing.lines.filter(({ line }) => asked === null || asked.includes(line));
  if (about.length === 0) return { kind: 'by_hand', why: 'unknown_lines' };
  const lines = about.map((one) => proposedLine(payment, one, supply.lines[one.line], receivedAt));
  const found = { standing, lines };
  const refundable = sum(lines.map((line) => line.refundable));
  const amount = sum(lines.map((line) => line.amount));
  if (sum(about.map(({ line }) => payment.lines[line]?.gross ?? 0)) === 0)
    return { kind: 'nothing_to_pay', why: 'free', ...found };
  if (refundable === 0 && about.some(({ line }) => payment.lines[line]?.pending)) return waitsForRefund;
  if (refundable === 0) return { kind: 'nothing_to_pay', why: 'returned', ...found };
  if (about.every(({ right }) => right !== 'open')) return { kind: 'refused', reason: refusalOf(about), ...found };
  if (amount === 0) return { kind: 'nothing_to_pay', why: 'used', ...found };
  return { kind: amount === refundable ? 'full_refund' : 'part', amount, ...found };
}

function proposedLine(
  { lines }: Payment,
  standing: LineStanding,
  supply: LineSupply | undefined,
  declaredAt: string,
): ProposedLine {
  const { gross = 0, refundable = 0 } = lines[standing.line] ?? {};
  const line = { line: standing.line, standing, refundable };
  if (standing.right !== 'open') return { ...line, amount: 0, proRata: null };
  const proRata = standing.why === 'in_use' && supply ? proRataOf(gross, supply, declaredAt) : undefined;
  const amount = Math.max(0, refundable - (proRata?.owed ?? 0));
  return { ...line, amount, proRata: proRata ?? null };
}

/**
 * The reason for a refusal that holds for every line. If some lines are lost and the others are late, the reason is
 * `late`.
 */
function refusalOf(lines: readonly LineStanding[]): WithdrawalRefusal {
  if (lines.some(({ right }) => right === 'none')) return 'no_consumer';
  return lines.every(({ right }) => right === 'lost') ? 'right_lost' : 'late';
}
