import type { SupplyConsent } from '../checkout/consent.ts';
import type { Payment } from '../payments/payment.ts';
import { consumerCountryOf, hasRightOfWithdrawal, isConfirmedBusiness } from './consumer-area.ts';
import { timelinessOf, type WithdrawalPeriod, withdrawalPeriod } from './period.ts';
import { consentToSupply, type SupplyFacts, type SupplyKind, supplyOf } from './supply.ts';

/** `open`: the buyer can withdraw. The others say why not. */
export type Right = 'open' | 'lost' | 'ended_late' | 'none';

/** Why a right stands as it does: the first of these that applies, in the order of the law. */
export const standingReasons = [
  /** none: the buyer's country gives no right, or a register has confirmed that the buyer is a business. */
  'outside_area',
  'business',
  /** lost: content was supplied, or a service performed, with consent and after the confirmation. */
  'supplied',
  'performed',
  /** ended_late: the period is over, and the days of grace too. */
  'period_over',
  /** open: what is missing for a loss. */
  'no_consent',
  'no_confirmation',
  'not_begun',
  'begun_before_consent',
  'begun_before_confirmation',
  /** open: a service has begun on request, so its used part is paid for. */
  'in_use',
] as const;
export type StandingReason = (typeof standingReasons)[number];

/** What can be proven about a line; null for what cannot. */
export interface StandingProofs {
  /** The words of the consent, their language and time. */
  words: string | null;
  language: string | null;
  consentAt: string | null;
  /** When the mail service accepted the confirmation. */
  confirmedAt: string | null;
  supplyBegunAt: string | null;
  /** When the service was fully performed. */
  performedAt: string | null;
}

/** The right of withdrawal of one line at an instant. */
export interface LineStanding {
  /** The position of the line in the payment. */
  line: number;
  supply: SupplyKind;
  right: Right;
  why: StandingReason;
  proofs: StandingProofs;
}

/** The right of withdrawal of a payment at an instant. */
export interface Standing {
  country: string;
  /** Whether it is a sale to a consumer of the area. */
  isConsumer: boolean;
  period: WithdrawalPeriod;
  lines: LineStanding[];
}

type SoldTo = Pick<Payment, 'lines' | 'billing' | 'evidence' | 'taxId' | 'supplyConsents' | 'createdAt' | 'late'>;

/** When the contract was concluded: with the order, or when a payment that had been given up arrived after all. */
const concludedAt = ({ createdAt, late }: Pick<Payment, 'createdAt' | 'late'>): string => late?.at ?? createdAt;

/** The period of a payment. */
export const periodOf = (
  payment: Pick<Payment, 'billing' | 'evidence' | 'createdAt' | 'late'>,
  { confirmedAt }: Pick<SupplyFacts, 'confirmedAt'>,
): WithdrawalPeriod =>
  withdrawalPeriod({
    concludedAt: concludedAt(payment),
    country: consumerCountryOf(payment),
    instructionsAt: confirmedAt,
  });

/** The right of each line at an instant: that of a declaration, or now. What happens later does not count. */
export function standingOf(payment: SoldTo, facts: SupplyFacts, at: string): Standing {
  const country = consumerCountryOf(payment);
  const period = periodOf(payment, facts);
  const isLate = timelinessOf(period, at) === 'late';
  const lines = payment.lines.map((sold, line): LineStanding => {
    const supply = supplyOf(sold);
    const proofs = proofsOf(payment, { line, supply }, facts, at);
    return { line, supply, proofs, ...rightOf(payment, { country, isLate, supply, proofs }) };
  });
  const isConsumer = hasRightOfWithdrawal(country) && !isConfirmedBusiness(payment);
  return { country, isConsumer, period, lines };
}

interface Circumstances {
  country: string;
  isLate: boolean;
  supply: SupplyKind;
  proofs: StandingProofs;
}

function rightOf(
  payment: Pick<Payment, 'taxId'>,
  { country, isLate, supply, proofs }: Circumstances,
): Pick<LineStanding, 'right' | 'why'> {
  if (!hasRightOfWithdrawal(country)) return { right: 'none', why: 'outside_area' };
  if (isConfirmedBusiness(payment)) return { right: 'none', why: 'business' };
  const kept = whyKept(supply, proofs);
  if (kept === undefined) return { right: 'lost', why: supply === 'content' ? 'supplied' : 'performed' };
  return isLate ? { right: 'ended_late', why: 'period_over' } : { right: 'open', why: kept };
}

/**
 * The first thing that is missing for a loss of the right; undefined if nothing is (art. 16(a) and (m)). Supply must
 * not begin before the consent or before the confirmation was accepted.
 */
function whyKept(supply: SupplyKind, proofs: StandingProofs): StandingReason | undefined {
  const { words, consentAt, confirmedAt, supplyBegunAt, performedAt } = proofs;
  if (words === null || consentAt === null) return 'no_consent';
  if (confirmedAt === null) return 'no_confirmation';
  if (supplyBegunAt === null) return 'not_begun';
  if (Date.parse(supplyBegunAt) < Date.parse(consentAt)) return 'begun_before_consent';
  if (Date.parse(supplyBegunAt) < Date.parse(confirmedAt)) return 'begun_before_confirmation';
  return supply === 'service' && performedAt === null ? 'in_use' : undefined;
}

function proofsOf(
  { supplyConsents = [] }: Pick<Payment, 'supplyConsents'>,
  { line, supply }: { line: number; supply: SupplyKind },
  { confirmedAt, lines }: SupplyFacts,
  at: string,
): StandingProofs {
  const by = (instant: string | null): string | null =>
    instant !== null && Date.parse(instant) <= Date.parse(at) ? instant : null;
  const consent = supplyConsents.find((one) => isAbout(one, { line, supply }) && by(one.at) !== null);
  return {
    words: consent?.text ?? null,
    language: consent?.language ?? null,
    consentAt: consent?.at ?? null,
    confirmedAt: by(confirmedAt),
    supplyBegunAt: by(lines[line]?.begunAt ?? null),
    performedAt: supply === 'service' ? by(lines[line]?.until ?? null) : null,
  };
}

const isAbout = (
  { kind, lines, text }: SupplyConsent,
  { line, supply }: { line: number; supply: SupplyKind },
): boolean => kind === consentToSupply[supply] && lines.includes(line) && text.trim() !== '';
