import { currencyFloor, isPaidCurrency } from '../domain/money/currency.ts';
import { maxAmount } from '../domain/money/money.ts';
import type {
  ChargeAttempt,
  ChargeState,
  PaidBy,
  PaymentProcessor,
  RefundAttempt,
  RefundState,
  StartedCharge,
} from './payment-processor.ts';
import { testCards } from './sandbox-cards.ts';
import { sandboxDisputes } from './sandbox-disputes.ts';

/** What a card of the sandbox does when the buyer has to confirm with the bank first. */
const stepCard = { number: '4000000000003063', label: 'asks for 3-D Secure' };

export interface SandboxProcessorOptions {
  now: () => Date;
  /**
   * The page on which the buyer of the step card confirms or refuses; it leads back with `step=confirmed` or `step=refused`.
   * Absent: the card is not offered.
   */
  stepUrl?: (charge: { paymentId: string; reference: string }) => string;
}

/**
 * Moves no money, and remembers nothing: the card that was chosen decides. It is named in the reference, together with the time
 * until which it can be paid, so that each question has the same answer on every machine.
 */
export function sandboxPayments({ now, stepUrl }: SandboxProcessorOptions): PaymentProcessor {
  const isOver = (expiresAt: string) => now().toISOString() >= expiresAt;
  return {
    name: 'sandbox',
    methods: () => ({
      kind: 'test-cards',
      cards: [...testCards, ...(stepUrl ? [stepCard] : [])].map(({ number, label }) => ({
        number,
        network: 'VISA',
        label,
      })),
    }),
    limits: (currency) =>
      isPaidCurrency(currency)
        ? { minimum: currencyFloor(currency) || 1, maximum: maxAmount, step: 1, unit: 1 }
        : undefined,
    begin: async (attempt) => begin(attempt, { isOver: isOver(attempt.expiresAt), stepUrl }),
    find: async (charge, returned) =>
      find(charge, { isOver: isOver(readReference(charge).expiresAt), returned, stepUrl }),
    close: async (charge) => {
      const { lastFour } = readReference(charge);
      return lastFour === lastFourOf(stepCard) ? cancelled(charge.reference) : endOf(charge.reference, lastFour);
    },
    refund: async (order) => refundState(order, 'begun'),
    findRefund: async (order) => refundState(order, 'later'),
    ...sandboxDisputes(now),
    read: async () => [],
    repeatableMs: Number.POSITIVE_INFINITY,
  };
}

const lastFourOf = ({ number }: { number: string }): string => number.slice(-4);

const byLastFour = new Map(testCards.map((card) => [lastFourOf(card), card]));

const referenceOf = (lastFour: string, expiresAt: string): string =>
  `${lastFour}_${Math.ceil(Date.parse(expiresAt) / 1_000).toString(36)}`;

/** Of a reference that names none, as those of version 0.1. */
const lastSecond = 253_402_300_799;

function readReference({ reference }: Pick<StartedCharge, 'reference'>): { lastFour: string; expiresAt: string } {
  const [lastFour = '', expiresAt] = reference.split('_');
  const second = expiresAt === undefined ? lastSecond : Number.parseInt(expiresAt, 36);
  return { lastFour, expiresAt: new Date(second * 1_000).toISOString() };
}

const refused = (reason: 'late' | 'request', errorCode: string, errorMessage: string): ChargeState => ({
  status: 'refused',
  reason,
  errorCode,
  errorMessage,
});

const cancelled = (reference: string): ChargeState => ({ status: 'cancelled', reference });

type Known = { stepUrl: SandboxProcessorOptions['stepUrl']; isOver: boolean };

function begin({ paymentId, card, expiresAt }: ChargeAttempt, { isOver, stepUrl }: Known): ChargeState {
  if (isOver) return refused('late', 'ORDER_CREATION_FAILED', 'The time to begin this payment is over.');
  const lastFour = card ?? '';
  const reference = referenceOf(lastFour, expiresAt);
  if (stepUrl && lastFour === lastFourOf(stepCard))
    return { status: 'open', reference, url: stepUrl({ paymentId, reference }), expiresAt };
  const known = byLastFour.get(lastFour);
  if (!known) return refused('request', 'INVALID_REQUEST', 'Choose one of the test cards.');
  return known.charge === 'processing' ? { status: 'processing', reference } : endOf(reference, lastFour);
}

type Asked = Known & { returned: ReadonlyMap<string, string> | undefined };

/** Only the step card is open; its answer comes back with the buyer. */
function find({ paymentId, reference }: StartedCharge, { isOver, returned, stepUrl }: Asked): ChargeState {
  const { lastFour, expiresAt } = readReference({ reference });
  if (lastFour !== lastFourOf(stepCard)) return endOf(reference, lastFour);
  const step = returned?.get('step');
  if (step === 'confirmed') return succeeded(reference, lastFour);
  if (step === 'refused')
    return { status: 'failed', reference, errorCode: 'AUTHENTICATION_FAILURE', errorMessage: null };
  const url = stepUrl?.({ paymentId, reference });
  return isOver || url === undefined ? cancelled(reference) : { status: 'open', reference, url, expiresAt };
}

const paidBy = (lastFour: string): PaidBy => ({ method: 'card', network: 'VISA', lastFour, country: null });

const succeeded = (reference: string, lastFour: string): ChargeState => ({
  status: 'succeeded',
  reference,
  transaction: reference,
  paidBy: paidBy(lastFour),
  fee: null,
  isDisputed: byLastFour.get(lastFour)?.dispute !== undefined,
});

/** How a charge of a card ends, at once or after a while. */
function endOf(reference: string, lastFour: string): ChargeState {
  const card = byLastFour.get(lastFour);
  const isPaid = (card?.ends ?? card?.charge) === 'succeeded';
  if (isPaid) return succeeded(reference, lastFour);
  const { errorCode = 'GENERIC_DECLINE', errorMessage = null } = card ?? {};
  return { status: 'failed', reference, errorCode, errorMessage };
}

/** As the card of the payment says: some end at once, some after a while, some never. */
function refundState({ refundId, reference: charge }: RefundAttempt, asked: 'begun' | 'later'): RefundState {
  const card = byLastFour.get(readReference({ reference: charge }).lastFour);
  const reference = refundId;
  const status =
    card?.refund === 'pending' ? (asked === 'later' ? (card.refundEnds ?? 'pending') : 'pending') : 'succeeded';
  if (status === 'succeeded') return { status, reference };
  return status === 'failed'
    ? { status, reference, failureReason: 'declined' }
    : { status: 'pending', reference, why: null };
}
