import {
  challengeDispute,
  closeDispute,
  escalateDispute,
  openDispute,
  warnOfFraud,
} from '../../../infra/local/stripe/disputes.ts';
import { cancelStripeRefund, endStripeRefund, failRefund } from '../../../infra/local/stripe/refunds.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { payments, sessions } from '../../../shared/wiring/runtime.ts';
import { between, pickOne } from '../../support/seeded.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import { hourMinutes } from './behaviours.ts';
import type { ProcessorWorld } from './processor-world.ts';

/** A refund that a client requested, and the answer. */
export interface AskedRefund {
  key: string;
  paymentId: string;
  body: Record<string, unknown>;
  answer: ApiAnswer | undefined;
}

const triesAtMost = 8;

/** Asks as a client does that loses answers: again, under the same key. */
async function refund(world: ProcessorWorld, asked: AskedRefund[], paymentId: string, body: object): Promise<void> {
  const key = `campaign-${asked.length}`;
  const one: AskedRefund = { key, paymentId, body: { payment_id: paymentId, reason: key, ...body }, answer: undefined };
  asked.push(one);
  for (let tries = 0; tries < triesAtMost; tries += 1) {
    const answer = await world.ask('POST /refunds', { body: one.body, headers: { 'idempotency-key': key } }, 0.5);
    if (answer) world.count(`refunds answered ${answer.status}${answer.status === 200 ? '' : ` ${answer.body.code}`}`);
    if (answer && answer.status !== 503) {
      one.answer = answer;
      return;
    }
    await world.time.sleep(between(world.random, 1, 20));
  }
}

const intentOf = ({ fake }: ProcessorWorld, { id }: Payment) =>
  [...fake.account.intents.values()].find(({ metadata }) => metadata['payment_id'] === id);

async function dispute(world: ProcessorWorld, payment: Payment, random: () => number): Promise<void> {
  const { account } = world.fake;
  const intent = intentOf(world, payment);
  const charge = account.charges.get(String(intent?.latest_charge));
  const left = charge ? charge.amount - charge.amount_refunded : 0;
  if (!intent || !charge || charge.disputed || left < 2) return;
  const status = world.deal('disputes', ['warning_needs_response', 'needs_response', 'needs_response'] as const);
  const part = random() < 0.3 ? { amount: between(random, 1, left) } : {};
  openDispute(account, intent, { reason: pickOne(random, ['fraudulent', 'product_not_received']), status, ...part });
}

/** The bank goes on with every dispute of a payment, until it decides. */
async function decide(world: ProcessorWorld, payment: Payment, random: () => number): Promise<void> {
  const { account } = world.fake;
  const open = [...account.disputes.values()].filter(
    ({ payment_intent }) => payment_intent === intentOf(world, payment)?.id,
  );
  for (const { id, status } of open) {
    world.count(status.startsWith('warning') ? 'inquiries' : 'disputes opened');
    await world.time.sleep(between(random, 1, 72) * hourMinutes);
    if (random() < 0.6) {
      challengeDispute(account, id);
      world.count('disputes challenged');
      await world.time.sleep(between(random, 1, 96) * hourMinutes);
    }
    if (status.startsWith('warning') && world.deal('inquiries', [true, false])) {
      escalateDispute(account, id);
      world.count('inquiries that became chargebacks');
      await world.time.sleep(between(random, 1, 48) * hourMinutes);
    }
    const outcome = account.disputes.get(id)?.status.startsWith('warning')
      ? 'warning_closed'
      : pickOne(random, ['won', 'lost'] as const);
    closeDispute(account, id, outcome);
    world.count(`disputes ${outcome}`);
  }
}

/** The bank goes on with every refund of a payment whose card says so. */
async function endRefunds(world: ProcessorWorld, payment: Payment, random: () => number): Promise<void> {
  const { account } = world.fake;
  const intent = intentOf(world, payment);
  await world.time.sleep(between(random, 1, 100) * hourMinutes);
  for (const { id, status, charge } of [...account.refunds.values()].filter(
    ({ payment_intent }) => payment_intent === intent?.id,
  )) {
    const fate = account.meansByCharge.get(String(charge))?.refunds;
    if (account.refunds.get(id)?.pending_reason === 'insufficient_funds') continue;
    if (fate === 'asking' && status === 'requires_action' && world.deal('accounts', [true, false])) {
      cancelStripeRefund(account, id);
      world.count('refunds whose buyer named no account');
    } else if (
      (fate === 'asking' && status === 'requires_action') ||
      (fate === 'after-charge' && status === 'pending')
    ) {
      endStripeRefund(account, id);
      world.count('refunds that waited for the buyer or the charge');
    } else if (fate === 'pending' && status === 'pending') {
      const fails = world.deal('slow refunds', [true, false, false]);
      if (fails) failRefund(account, id);
      else endStripeRefund(account, id);
      world.count(fails ? 'slow refunds that failed' : 'slow refunds that succeeded');
    } else if (fate === 'failing' && status === 'succeeded') {
      failRefund(account, id);
      world.count('refunds that failed after they had succeeded');
    }
  }
}

type Act = (world: ProcessorWorld, asked: AskedRefund[], payment: Payment, random: () => number) => Promise<void>;

/** What a merchant, and the buyer's bank, make of a sale. */
export const acts: Readonly<Record<string, Act>> = {
  'keeps the money': async () => {},
  'refunds all': (world, asked, { id }) => refund(world, asked, id, {}),
  'refunds in parts': async (world, asked, { id, gross }, random) => {
    for (let parts = between(random, 1, 3); parts > 0; parts -= 1) {
      await refund(world, asked, id, { amount: between(random, 1, Math.ceil(gross / 3)) });
      await world.time.sleep(between(random, 0, 300));
    }
  },
  'refunds twice at once': async (world, asked, { id }) => {
    const all = () => refund(world, asked, id, {});
    await world.time.together([all, all]);
  },
  'is warned of a fraud, and refunds or is disputed': async (world, asked, payment, random) => {
    const intent = intentOf(world, payment);
    if (!intent || world.fake.account.charges.get(String(intent.latest_charge))?.disputed) return;
    warnOfFraud(world.fake.account, intent);
    world.count('early fraud warnings');
    await world.time.sleep(between(random, 1, 300));
    if (random() < 0.5) await refund(world, asked, payment.id, {});
    else await dispute(world, payment, random);
  },
  'is disputed': (world, _, payment, random) => dispute(world, payment, random),
  'refunds a part and is disputed': async (world, asked, payment, random) => {
    await refund(world, asked, payment.id, { amount: between(random, 1, payment.gross - 1) });
    await dispute(world, payment, random);
  },
  'refunds and is disputed at once': async (world, asked, payment, random) => {
    await world.time.together([
      () => refund(world, asked, payment.id, { amount: between(random, 1, payment.gross) }),
      () => dispute(world, payment, random),
    ]);
  },
};

const daysOfPatience = 8;

/** Waits until we know of the payment of a session. The news of it may be late, or lost. */
async function paidPayment(world: ProcessorWorld, sessionId: string): Promise<Payment | undefined> {
  for (let hours = 0; hours < daysOfPatience * 24; hours += 4) {
    const session = await sessions().get(sessionId);
    if (session.status === 'completed' && session.paymentId) return payments().get(session.paymentId);
    await world.time.sleep(4 * hourMinutes);
  }
  return undefined;
}

/** What becomes of a sale: kept, paid back or disputed, until every bank has decided. */
export async function attend(world: ProcessorWorld, asked: AskedRefund[], sessionId: string, random: () => number) {
  const payment = await paidPayment(world, sessionId);
  if (!payment) return world.count('sessions that nobody paid');
  world.count('sessions that were paid');
  const fate = world.fake.account.meansByCharge.get(String(intentOf(world, payment)?.latest_charge))?.refunds;
  const kept = fate ? ['refunds all', 'refunds in parts', 'refunds twice at once'] : Object.keys(acts);
  const name = random() < 0.25 && !fate ? 'keeps the money' : pickOne(random, kept);
  world.count(`the merchant: ${name}`);
  await world.time.sleep(between(random, 0, 600));
  await acts[name]?.(world, asked, payment, random);
  await world.time.together([() => decide(world, payment, random), () => endRefunds(world, payment, random)]);
}
