import type { Payment } from '../../shared/domain/payments/payment.ts';
import { between, inTurn, pickOne, times } from '../support/seeded.ts';
import { cards } from '../support/shop/cards.ts';
import { fieldGuide, pay } from '../support/shop/shop.ts';
import type { SoakWorld } from './soak-world.ts';

interface Answer {
  status: number;
  text: string;
  isReplay: boolean;
  mayBeRepeated: boolean;
}

/** A client's final request and its answer; no answer if the client gave up. */
export interface Asked {
  kind: 'product' | 'session' | 'refund' | 'code';
  path: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
  answer: Answer | undefined;
}

export interface Traffic {
  asked: Asked[];
  paid: Payment[];
  /** Statuses of all answers, and how long each took. */
  statuses: string[];
  milliseconds: number[];
  replays: number;
  lostAnswers: number;
  /** The code with a limit that half of the sessions have; undefined until it is made. */
  code?: { id: string; code: string };
}

const tries = 8;

/** What the code takes off. */
const codeAmount = 250;

/** The least number of attempts to pay. A busy machine takes longer for them, because fewer would prove little. */
const leastPaid = 30;
/** The least number of refunds that succeed. */
const leastRefunded = 15;

/** Eight clients that sell and refund until the time is up, lose answers and ask again as the dialect's library does. */
export async function makeTraffic(world: SoakWorld, random: () => number, seconds: number): Promise<Traffic> {
  const traffic: Traffic = { asked: [], paid: [], statuses: [], milliseconds: [], replays: 0, lostAnswers: 0 };
  const until = performance.now() + seconds * 1_000;
  const products: string[] = [];
  const sessions: { id: string; total: number }[] = [];
  let serial = 0;

  async function call(path: string, body: object, headers: Record<string, string>, method = 'POST'): Promise<Answer> {
    const startedAt = performance.now();
    const response = await fetch(world.url + path, {
      method,
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    traffic.milliseconds.push(performance.now() - startedAt);
    traffic.statuses.push(`${response.status} ${response.ok ? '' : JSON.parse(text).code}`.trim());
    const mayBeRepeated = response.status === 503 || response.headers.get('x-should-retry') === 'true';
    return { status: response.status, text, isReplay: response.headers.has('idempotent-replayed'), mayBeRepeated };
  }

  async function ask(kind: Asked['kind'], path: string, body: Record<string, unknown>): Promise<Asked> {
    serial += 1;
    const headers: Record<string, string> =
      random() < 0.5 || kind !== 'refund' ? { 'idempotency-key': `soak-${serial}` } : {};
    const asked: Asked = { kind, path, body, headers, answer: undefined };
    traffic.asked.push(asked);
    for (const count of times(tries)) {
      const answer = await call(path, body, { ...headers, 'x-stainless-retry-count': String(count) });
      if (answer.isReplay) traffic.replays += 1;
      if (random() < 0.1) traffic.lostAnswers += 1;
      else if (!answer.mayBeRepeated) return Object.assign(asked, { answer });
    }
    return asked;
  }

  async function createProduct(): Promise<void> {
    const price = { ...fieldGuide.price, price: 1_999, tax_inclusive: true };
    const { answer } = await ask('product', '/products', {
      ...fieldGuide,
      price,
      tax_category: pickOne(random, ['saas', 'e_book']),
    });
    if (answer?.status === 200) products.push(JSON.parse(answer.text).product_id);
  }

  async function createCode(): Promise<void> {
    const body = { type: 'flat', amount: codeAmount, currency_options: [{ currency: 'EUR' }], usage_limit: 3 };
    const { answer } = await ask('code', '/discounts', body);
    if (answer?.status !== 200) return;
    const { discount_id: id, code } = JSON.parse(answer.text);
    traffic.code ??= { id, code };
  }

  /** The merchant lets a few more buyers use the code, or fewer, while others use it. */
  async function changeLimit({ id }: { id: string }): Promise<void> {
    const body = { usage_limit: between(random, 1, 12) };
    await call(`/discounts/${id}`, body, {}, 'PATCH');
  }

  async function openSession(): Promise<void> {
    const cart = times(between(random, 1, 2)).map((n) => ({
      product_id: products.at(-1 - n),
      quantity: between(random, 1, 2),
    }));
    const code = random() < 0.5 ? traffic.code : undefined;
    const { answer } = await ask('session', '/checkouts', {
      product_cart: cart.filter(({ product_id }) => product_id),
      ...(code && { discount_codes: [code.code] }),
    });
    if (answer?.status !== 200) return;
    const total = cart.reduce((sum, { quantity }) => sum + 1_999 * quantity, code ? -codeAmount : 0);
    sessions.push({ id: JSON.parse(answer.text).session_id, total });
  }

  /** Two tabs press the button at the same time, with any card. */
  async function paySession({ id, total: expectedTotal }: { id: string; total: number }): Promise<void> {
    const card = pickOne(random, [
      cards.good,
      cards.good,
      cards.declined,
      cards.slowSuccess,
      cards.slowDecline,
      cards.failingRefunds,
      cards.slowRefunds,
    ]);
    const attempt = async () => {
      const startedAt = performance.now();
      const payment = await world
        .hurry(() => pay(id, { expectedTotal, card }))
        .catch((error) => {
          traffic.statuses.push(`pay ${error.code ?? error.name}`);
        });
      traffic.milliseconds.push(performance.now() - startedAt);
      if (payment) traffic.paid.push(payment);
    };
    await Promise.all([attempt(), attempt()]);
  }

  async function refundSome(): Promise<void> {
    const likely = traffic.paid.filter(({ status }) => status !== 'failed' || random() < 0.1);
    const payment = pickOne(random, likely.length > 0 ? likely : traffic.paid);
    const asked = pickOne(random, [
      {},
      { amount: between(random, 1, 900) },
      { amount: between(random, 1, 900), tax_inclusive: false },
      { items: [{ item_id: payment.lines[0]?.productId, amount: between(random, 1, 600) }] },
    ]);
    await ask('refund', '/refunds', { payment_id: payment.id, reason: `soak ${serial + 1}`, ...asked });
  }

  async function step(): Promise<void> {
    const dice = random();
    if (products.length < 2 || dice < 0.03) return createProduct();
    if (!traffic.code) return createCode();
    if (random() < 0.03) return changeLimit(traffic.code);
    const session = dice < 0.5 ? sessions.shift() : undefined;
    if (session) return paySession(session);
    return traffic.paid.length > 0 && dice > 0.35 ? refundSome() : openSession();
  }

  const refunded = (): number =>
    traffic.asked.filter(({ kind, answer }) => kind === 'refund' && answer?.status === 200).length;
  await inTurn(times(8), 8, async () => {
    while (performance.now() < until || traffic.paid.length < leastPaid || refunded() < leastRefunded)
      await step().catch((error) => void traffic.statuses.push(`client ${error.code ?? error}`));
  });
  return traffic;
}

/** Repeats what was asked for under a key; says how many answers were the same bytes again. */
export async function repeatKeyed(
  world: SoakWorld,
  { asked }: Traffic,
): Promise<{ repeated: number; identical: number }> {
  const keyed = asked.filter(({ headers, answer }) => headers['idempotency-key'] && answer);
  const same = await inTurn(keyed, 8, async ({ path, body, headers, answer }) => {
    const again = await fetch(world.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return again.status === answer?.status && (await again.text()) === answer?.text;
  });
  return { repeated: keyed.length, identical: same.filter(Boolean).length };
}
