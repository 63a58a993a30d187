import { currencyFloor, isPaidCurrency } from '../../../domain/money/currency.ts';
import { maxAmount } from '../../../domain/money/money.ts';
import type { ChargeState, PaidBy } from '../../../domain/payments/charge-state.ts';
import type { RefundState } from '../../../domain/payments/refund.ts';
import type { ChargeAttempt, PaymentProcessor, RefundAttempt, StartedCharge } from '../payment-processor.ts';
import { testCards } from './sandbox-cards.ts';
import { sandboxDisputes } from './sandbox-disputes.ts';

/** The buyer's action on the page of an open charge: confirm or refuse. */
type Step = 'confirm' | 'leave';

interface SandboxProcessorOptions {
  now: () => Date;
  /**
   * The address of the sandbox's page for an open charge. It redirects back with `step=confirmed` or `step=refused`. If
   * absent, cards that need this page are not offered.
   */
  stepUrl?: (charge: { sessionId: string; step: Step; locale: string | null }) => string;
}

/**
 * The sandbox's processor. It moves no money and stores nothing, because the chosen card decides everything. The
 * reference contains the card and the end of the charge, so every process gives the same answer.
 */
export function sandboxPayments({ now, stepUrl }: SandboxProcessorOptions): PaymentProcessor {
  const offered = testCards.filter(({ charge }) => stepUrl || (charge !== 'step' && charge !== 'later'));
  const isOver = (expiresAt: string) => now().toISOString() >= expiresAt;
  const known = (charge: Pick<StartedCharge, 'reference'>) => ({
    isOver: isOver(readReference(charge).expiresAt),
    stepUrl,
  });
  return {
    name: 'sandbox',
    methods: () => ({
      kind: 'test-cards',
      cards: offered.map(({ number, label }) => ({ number, network: 'VISA', label })),
    }),
    limits: (currency) =>
      isPaidCurrency(currency)
        ? { minimum: currencyFloor(currency) || 1, maximum: maxAmount, step: 1, unit: 1 }
        : undefined,
    begin: async (attempt) => begin(attempt, { isOver: isOver(attempt.expiresAt), stepUrl }),
    find: async (charge, returned) => find(charge, { ...known(charge), returned }),
    close: async (charge) => close(charge, known(charge)),
    refund: async (order) => refundState(order, 'started'),
    findRefund: async (order) => refundState(order, 'later'),
    available: async () => undefined,
    ...sandboxDisputes(now),
    read: async () => [],
    repeatableMs: Number.POSITIVE_INFINITY,
  };
}

const lastFourOf = ({ number }: { number: string }): string => number.slice(-4);

const byLastFour = new Map(testCards.map((card) => [lastFourOf(card), card]));

const referenceOf = (lastFour: string, expiresAt: string): string =>
  `${lastFour}_${Math.ceil(Date.parse(expiresAt) / 1_000).toString(36)}`;

function readReference({ reference }: Pick<StartedCharge, 'reference'>): { lastFour: string; expiresAt: string } {
  const [lastFour = '', expiresAt = ''] = reference.split('_');
  return { lastFour, expiresAt: new Date(Number.parseInt(expiresAt, 36) * 1_000).toISOString() };
}

const refused = (reason: 'late' | 'request', errorCode: string, errorMessage: string): ChargeState => ({
  status: 'refused',
  reason,
  errorCode,
  errorMessage,
});

const cancelled = (reference: string): ChargeState => ({ status: 'cancelled', reference });

type Known = { stepUrl: SandboxProcessorOptions['stepUrl']; isOver: boolean };

function begin(attempt: ChargeAttempt, { isOver, stepUrl }: Known): ChargeState {
  if (isOver) return refused('late', 'ORDER_CREATION_FAILED', 'The time to begin this payment is over.');
  const lastFour = attempt.card ?? '';
  const known = byLastFour.get(lastFour);
  if (!known) return refused('request', 'INVALID_REQUEST', 'Choose one of the test cards.');
  const expiresAt = known.charge === 'later' ? paidLaterAt(attempt) : attempt.expiresAt;
  const reference = referenceOf(lastFour, expiresAt);
  if (known.charge === 'processing') return { status: 'processing', reference };
  return openState({ ...attempt, reference }, stepUrl) ?? endOf(reference, lastFour);
}

const paidLaterMs = 60_000;

const paidLaterAt = ({ createdAt }: ChargeAttempt): string =>
  new Date(Date.parse(createdAt) + paidLaterMs).toISOString();

/** The open state of a charge that waits for its buyer or for a time. Undefined for cards that end at once. */
function openState(
  { sessionId, reference, locale = null }: Pick<StartedCharge, 'sessionId' | 'reference'> & { locale?: string | null },
  stepUrl: Known['stepUrl'],
): ChargeState | undefined {
  const { lastFour, expiresAt } = readReference({ reference });
  const charge = byLastFour.get(lastFour)?.charge;
  if (!stepUrl || (charge !== 'step' && charge !== 'later')) return undefined;
  const url = stepUrl({ sessionId, step: charge === 'step' ? 'confirm' : 'leave', locale });
  return { status: 'open', reference, url, expiresAt };
}

type Asked = Known & { returned: ReadonlyMap<string, string> | undefined };

/** Finds the state of a charge. The parameters with which the buyer comes back contain the buyer's decision. */
function find(charge: StartedCharge, { isOver, returned, stepUrl }: Asked): ChargeState {
  const { reference } = charge;
  const { lastFour } = readReference(charge);
  const open = openState(charge, stepUrl);
  if (!open) return endOf(reference, lastFour);
  if (byLastFour.get(lastFour)?.charge === 'later') return isOver ? endOf(reference, lastFour) : open;
  const step = returned?.get('step');
  if (step === 'confirmed') return succeeded(reference, lastFour);
  if (step === 'refused')
    return { status: 'failed', reference, errorCode: 'AUTHENTICATION_FAILURE', errorMessage: null };
  return isOver ? cancelled(reference) : open;
}

/** Closes a charge. An open one is cancelled, unless its time is over and its card pays later. */
function close(charge: StartedCharge, { isOver, stepUrl }: Known): ChargeState {
  const { lastFour } = readReference(charge);
  const isPaid = isOver && byLastFour.get(lastFour)?.charge === 'later';
  return openState(charge, stepUrl) && !isPaid ? cancelled(charge.reference) : endOf(charge.reference, lastFour);
}

const paidBy = (lastFour: string): PaidBy => ({ method: 'card', network: 'VISA', lastFour, country: null });

const succeeded = (reference: string, lastFour: string): ChargeState => ({
  status: 'succeeded',
  reference,
  transaction: reference,
  paidBy: paidBy(lastFour),
  isDisputed: byLastFour.get(lastFour)?.dispute !== undefined,
});

/** How a charge with a card ends, at once or later. */
function endOf(reference: string, lastFour: string): ChargeState {
  const card = byLastFour.get(lastFour);
  const isPaid = (card?.ends ?? card?.charge) === 'succeeded';
  if (isPaid) return succeeded(reference, lastFour);
  const { errorCode = 'GENERIC_DECLINE', errorMessage = null } = card ?? {};
  return { status: 'failed', reference, errorCode, errorMessage };
}

/** The payment's card decides whether a refund ends at once, later or never. */
function refundState({ refundId, reference: charge }: RefundAttempt, time: 'started' | 'later'): RefundState {
  const card = byLastFour.get(readReference({ reference: charge }).lastFour);
  const reference = refundId;
  const status =
    card?.refund === 'pending' ? (time === 'later' ? (card.refundEnds ?? 'pending') : 'pending') : 'succeeded';
  if (status === 'succeeded') return { status, reference };
  return status === 'failed'
    ? { status, reference, failureReason: 'declined' }
    : { status: 'pending', reference, why: null };
}
