import { paySession, sessionById } from '../../infra/local/stripe/checkout.ts';
import { closeDispute } from '../../infra/local/stripe/disputes.ts';
import { type FakeStripe, startFakeStripe } from '../../infra/local/stripe/fake-stripe.ts';
import { paymentMeansNamed } from '../../infra/local/stripe/payment-means.ts';
import type {
  ChargeAttempt,
  PaymentProcessor,
  RefundAttempt,
} from '../../shared/outside/processor/payment-processor.ts';
import type { ProcessorConnection } from '../../shared/outside/processor/processor-description.ts';
import { sandboxPayments } from '../../shared/outside/processor/sandbox/sandbox-processor.ts';
import type { StripeClientOptions } from '../../shared/outside/processor/stripe/client.ts';
import { stripeNotifications } from '../../shared/outside/processor/stripe/notification.ts';
import { stripeCharges } from '../../shared/outside/processor/stripe/stripe-charges.ts';
import { stripeDisputes } from '../../shared/outside/processor/stripe/stripe-disputes.ts';
import { stripeRefunds } from '../../shared/outside/processor/stripe/stripe-refunds.ts';

/** A clock that stands still until the test moves it. */
export function steppedClock(start = '2026-11-22T10:00:00.000Z') {
  let at = Date.parse(start);
  return {
    now: () => new Date(at),
    forward: ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) => {
      at += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
    },
  };
}
export type SteppedClock = ReturnType<typeof steppedClock>;

let count = 0;

/** The first request of a payment of 19.99 that expires in two hours. */
export function anAttempt(clock: Pick<SteppedClock, 'now'>, fields: Partial<ChargeAttempt> = {}): ChargeAttempt {
  count += 1;
  const now = clock.now().getTime();
  return {
    paymentId: `pay_${now.toString(36)}${count}`,
    sessionId: 'cks_1',
    amount: 1_999,
    currency: 'EUR',
    description: 'Field Guide (e-book)',
    order: null,
    email: 'buyer@example.com',
    locale: 'de',
    statementSuffix: null,
    card: '4242',
    takesCardsOnly: false,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 2 * 3_600_000).toISOString(),
    ...fields,
  };
}

/** A refund of a charge that has succeeded. */
export function aRefund(
  charge: ChargeAttempt,
  { reference, transaction }: { reference: string; transaction: string },
  fields: Partial<RefundAttempt> = {},
): RefundAttempt {
  count += 1;
  const { paymentId, currency, createdAt } = charge;
  const refundId = fields.refundId ?? `ref_${count}`;
  return {
    refundId,
    key: refundId,
    isRenewed: false,
    keyedAt: createdAt,
    known: null,
    paymentId,
    reference,
    transaction,
    amount: 500,
    currency,
    ...fields,
  };
}

/** The shop of the tests. */
export const place = {
  merchantId: 'demo',
  returnUrls: ({ sessionId }: { sessionId: string }) => ({
    returnUrl: `https://shop.example/checkout/${sessionId}/return`,
    cancelUrl: `https://shop.example/checkout/${sessionId}`,
  }),
};

export const stripeSigningSecret = 'whsec_of_a_test';

/** All parts of Stripe in one. */
const stripeProcessor = (connection: ProcessorConnection & { account: StripeClientOptions }): PaymentProcessor => ({
  name: 'stripe',
  ...stripeCharges(connection),
  ...stripeRefunds(connection),
  ...stripeDisputes(connection),
  ...stripeNotifications(connection),
});

/**
 * The Stripe adapter of the functions, connected to the simulated Stripe. It has short timeouts, so tests of failures
 * are short.
 */
export function stripeAt(
  fake: FakeStripe,
  clock: Pick<SteppedClock, 'now'>,
  { timeoutMs = 5_000, patienceMs = 10_000 } = {},
): PaymentProcessor {
  return stripeProcessor({
    account: {
      key: async () => fake.key,
      baseUrl: fake.url,
      timeoutMs,
      patienceMs,
      random: () => 0,
    },
    ...place,
    isLive: fake.account.isLive,
    signingSecrets: async () => [stripeSigningSecret],
    now: clock.now,
  });
}

/** The Stripe adapter, connected to the real Stripe in test mode. */
export const stripeTestModeProcessor = (key: string): PaymentProcessor =>
  stripeProcessor({
    account: { key: async () => key },
    ...place,
    isLive: false,
    signingSecrets: async () => [],
    now: () => new Date(),
  });

/** The behaviours of a buyer, named like the cards and the buttons of the simulated page. */
export type BuyerMood =
  | 'pays'
  | 'pays-later'
  | 'fails-later'
  | 'gets-refunds-later'
  | 'disputes'
  | 'confirms'
  | 'hesitates';

/** A processor outside this process, with a simulated buyer and bank. */
export interface Bench {
  processor: PaymentProcessor;
  clock: SteppedClock;
  /** The card that this buyer uses first. */
  card(mood: BuyerMood): string;
  /** Performs the buyer's steps for an open charge. Returns what the browser sends back. */
  visit(reference: string, mood: BuyerMood): ReadonlyMap<string, string>;
  /** Finishes charges and refunds that are still pending. */
  finish(): void;
  /** The bank decides every dispute against the merchant. */
  decide(): void;
  stop(): Promise<void>;
}

const sandboxCards: Readonly<Record<BuyerMood, string>> = {
  pays: '4242',
  'pays-later': '3220',
  'fails-later': '3238',
  'gets-refunds-later': '7726',
  disputes: '0259',
  confirms: '3063',
  hesitates: '3063',
};

export async function sandboxBench(): Promise<Bench> {
  const clock = steppedClock();
  const processor = sandboxPayments({
    now: clock.now,
    stepUrl: ({ sessionId }) => `https://shop.example/checkout/${sessionId}/step`,
  });
  const visit = (_: string, mood: BuyerMood) => new Map(mood === 'hesitates' ? [] : [['step', 'confirmed']]);
  return {
    processor,
    clock,
    card: (mood) => sandboxCards[mood],
    visit,
    finish: () => {},
    decide: () => clock.forward({ minutes: 5 }),
    stop: async () => {},
  };
}

const stripeMeans: Readonly<Record<Exclude<BuyerMood, 'hesitates'>, string>> = {
  pays: '4242424242424242',
  'pays-later': 'debit',
  'fails-later': 'debit-fails',
  'gets-refunds-later': '4000000000007726',
  disputes: '4000000000000259',
  confirms: '4000000000003220',
};

export async function stripeBench(): Promise<Bench & { fake: FakeStripe }> {
  const clock = steppedClock();
  const fake = await startFakeStripe({ now: clock.now, seed: 'contract' });
  const visit = (reference: string, mood: BuyerMood) => {
    if (mood !== 'hesitates')
      paySession(fake.account, sessionById(fake.account, reference), paymentMeansNamed(stripeMeans[mood]));
    return new Map<string, string>();
  };
  const { stop } = fake;
  const decide = () => {
    for (const { id } of fake.account.disputes.values()) closeDispute(fake.account, id, 'lost');
  };
  return {
    processor: stripeAt(fake, clock),
    clock,
    card: () => '',
    visit,
    finish: () => fake.finish(),
    decide,
    stop,
    fake,
  };
}
