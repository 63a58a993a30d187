import type { SupplyConsent } from '../checkout/consent.ts';
import type { Payment } from '../payments/payment.ts';
import { consumerCountryOf, hasRightOfWithdrawal, isConfirmedBusiness } from './consumer-area.ts';
import { timelinessOf, type WithdrawalPeriod, withdrawalPeriod } from './period.ts';
import { consentToSupply, type LineSupply, type SupplyFacts, type SupplyKind, supplyOf } from './supply.ts';

/** The state of a right of withdrawal. `open`: the buyer can withdraw. The other values say why not. */
export type Right = 'open' | 'lost' | 'ended_late' | 'none';

/** The reasons for the state of a right, in the order of the law. The first one that applies is used. */
export const standingReasons = [
  /**
   * The right is `none`: the buyer's country gives no right, or a register has confirmed that the buyer is a business.
   */
  'outside_area',
  'business',
  /** The right is `lost`: content was supplied, or a service performed, with consent and after the confirmation. */
  'supplied',
  'performed',
  /** The right is `ended_late`: the period and the days of grace are over. */
  'period_over',
  /** The right is `open`, because one of the conditions for losing it is not met. */
  'no_consent',
  'no_confirmation',
  'confirmed_late',
  'not_begun',
  'begun_before_consent',
  'begun_before_confirmation',
  /** The right is `open`. A service has begun on the buyer's request, so the buyer pays for its used part. */
  'in_use',
] as const;
export type StandingReason = (typeof standingReasons)[number];

/** The facts about a line that can be proven; null for those that cannot. */
export interface StandingProofs {
  /** The words of the consent, their language and time. */
  words: string | null;
  language: string | null;
  consentAt: string | null;
  /** When the mail service accepted the mail with the contract's confirmation. */
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
  /** Whether the buyer is a consumer who has a right of withdrawal. */
  isConsumer: boolean;
  period: WithdrawalPeriod;
  lines: LineStanding[];
}

type SoldTo = Pick<Payment, 'lines' | 'billing' | 'evidence' | 'taxId' | 'supplyConsents' | 'createdAt' | 'late'>;

/**
 * When the contract was concluded: with the order. If the payment was given up here but paid later, it is when we
 * learned of that.
 */
const concludedAt = ({ createdAt, late }: Pick<Payment, 'createdAt' | 'late'>): string => late?.at ?? createdAt;

/** The withdrawal period of a payment. */
export const periodOf = (
  payment: Pick<Payment, 'billing' | 'evidence' | 'createdAt' | 'late'>,
  { confirmedAt }: Pick<SupplyFacts, 'confirmedAt'>,
): WithdrawalPeriod =>
  withdrawalPeriod({
    concludedAt: concludedAt(payment),
    country: consumerCountryOf(payment),
    instructionsAt: confirmedAt,
  });

/** The right of each line at the time of a declaration, or now. Later events do not count. */
export function standingOf(payment: SoldTo, facts: SupplyFacts, at: string): Standing {
  const country = consumerCountryOf(payment);
  const period = periodOf(payment, facts);
  const isLate = timelinessOf(period, at) === 'late';
  const lines = payment.lines.map((sold, line): LineStanding => {
    const supply = supplyOf(sold);
    const proofs = proofsOf(payment, { line, supply }, facts, at);
    const isConfirmedLate = opensBefore(facts.lines[line], proofs.confirmedAt);
    return { line, supply, proofs, ...rightOf(payment, { country, isLate, supply, proofs, isConfirmedLate }) };
  });
  const isConsumer = hasRightOfWithdrawal(country) && !isConfirmedBusiness(payment);
  return { country, isConsumer, period, lines };
}

interface Circumstances {
  country: string;
  isLate: boolean;
  supply: SupplyKind;
  proofs: StandingProofs;
  isConfirmedLate: boolean;
}

/** Whether the content of a line had opened before the mail service accepted the confirmation. */
const opensBefore = (line: LineSupply | undefined, confirmedAt: string | null): boolean =>
  line?.opensAt !== undefined && confirmedAt !== null && Date.parse(line.opensAt) < Date.parse(confirmedAt);

function rightOf(
  payment: Pick<Payment, 'taxId'>,
  { country, isLate, ...circumstances }: Circumstances,
): Pick<LineStanding, 'right' | 'why'> {
  if (!hasRightOfWithdrawal(country)) return { right: 'none', why: 'outside_area' };
  if (isConfirmedBusiness(payment)) return { right: 'none', why: 'business' };
  const kept = whyKept(circumstances);
  if (kept === undefined) return { right: 'lost', why: circumstances.supply === 'content' ? 'supplied' : 'performed' };
  return isLate ? { right: 'ended_late', why: 'period_over' } : { right: 'open', why: kept };
}

/**
 * The first unfulfilled condition for losing the right of withdrawal; undefined if all are fulfilled (art. 16(a) and
 * (m)). The consent and the confirmation must come before the supply. Waiting content must not have opened without the
 * confirmation.
 */
function whyKept({
  supply,
  proofs,
  isConfirmedLate,
}: Pick<Circumstances, 'supply' | 'proofs' | 'isConfirmedLate'>): StandingReason | undefined {
  const { words, consentAt, confirmedAt, supplyBegunAt, performedAt } = proofs;
  if (words === null || consentAt === null) return 'no_consent';
  if (confirmedAt === null) return 'no_confirmation';
  if (isConfirmedLate) return 'confirmed_late';
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
