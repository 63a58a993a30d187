import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { expireSession, sessionById } from '../../../infra/local/stripe/checkout.ts';
import { payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { times } from '../../support/seeded.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { sendThrough } from '../../support/table/send-through.ts';

let shop: StripeShop;
let product: string;
beforeAll(async () => {
  shop = await startStripeShop();
  product = await addProduct(shop.api);
});
beforeEach(() => clock.stopAt('2030-03-01T12:00:00.000Z'));
let heal = () => {};
afterEach(() => {
  heal();
  clock.run();
});
afterAll(() => shop.stop());
useShortPauses();

interface Code {
  id: string;
  code: string;
}

async function newCode(terms: object): Promise<Code> {
  const body = { type: 'percentage', amount: 2_000, ...terms };
  const { discount_id: id, code } = (await shop.api.call('POST /discounts', { body })).body;
  return { id, code };
}

const usesOf = async ({ id }: Code): Promise<number> => (await shop.api.call(`GET /discounts/${id}`)).body.times_used;
const faults = async () => moneyContradictions(await scanRows(table().client, table().name));

const openWith = ({ code }: Code): Promise<ApiAnswer> => {
  const body = { product_cart: [{ product_id: product, quantity: 1 }], discount_codes: [code] };
  return shop.api.call('POST /checkouts', { body });
};
const open = async (code: Code): Promise<string> => (await openWith(code)).body.session_id;

/** A buyer at a network, who has a browser unless it is a program. */
interface Buyer {
  email?: string;
  browser?: string;
  network?: string;
}

function payIn(sessionId: string, { email = 'buyer@example.com', browser, network = '192.0.2.1' }: Buyer = {}) {
  const body = { customer: { email, name: 'A Buyer' }, billing_address: { country: 'DE' } };
  const cookies = browser ? [`browser=${browser}`] : [];
  return shop.api.call(`POST /checkout/${sessionId}/pay`, { key: null, body, cookies, source: network });
}

/** A buyer who goes to the page of Stripe with a code, and is not heard of again. */
async function begin(code: Code, buyer: Buyer = {}) {
  const sessionId = await open(code);
  const { status, body } = await payIn(sessionId, buyer);
  expect([status, body.status]).toEqual([200, 'requires_customer_action']);
  const { id: paymentId, reference } = await shop.paymentOf(sessionId);
  return { sessionId, paymentId, reference: String(reference) };
}

/** Why a buyer cannot use a code: it is refused when the checkout opens, or when it is paid. */
async function refusal(code: Code, buyer: Buyer = {}): Promise<string> {
  const { status, body } = await openWith(code);
  return status === 200 ? (await payIn(body.session_id, buyer)).body.code : body.code;
}

const sweep = () => invokeFunction('events/sweep-due', {});
const hear = (type: string, reference: string): Promise<ApiAnswer> =>
  shop.notify(
    JSON.stringify(
      shop.fake.notifications.events.findLast(
        (event) => event.type === type && JSON.stringify(event).includes(reference),
      ),
    ),
  );
async function paid({ reference, paymentId }: { reference: string; paymentId: string }): Promise<void> {
  shop.payAt(reference);
  await hear('checkout.session.completed', reference);
  expect((await payments().get(paymentId)).status).toBe('succeeded');
}

describe('Unpaid payments with a code', () => {
  it('from one network hold at most ten of twenty uses, and other networks can still buy', async () => {
    const code = await newCode({ usage_limit: 20 });
    const opened = await Promise.all(times(20).map(() => open(code)));
    const answers = await Promise.all(opened.map((session) => payIn(session, { network: '192.0.2.66' })));
    const taken = answers.filter(({ status }) => status === 200).length;
    expect(taken).toBeLessThanOrEqual(10);
    expect(taken).toBeGreaterThan(0);
    for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.code).toBe('TOO_MANY_REQUESTS');
    expect(await usesOf(code)).toBe(taken);
    await begin(code, { network: '198.51.100.7' });
    expect(await faults()).toEqual([]);
  });

  it('from one network may hold a quarter of a large limit', async () => {
    const code = await newCode({ usage_limit: 80 });
    for (let taken = 0; taken < 20; taken += 1) await begin(code);
    expect(await refusal(code)).toBe('TOO_MANY_REQUESTS');
  });

  it('no longer count against the network’s limit once they are paid', async () => {
    const code = await newCode({ usage_limit: 20 });
    for (let sold = 0; sold < 12; sold += 1) await paid(await begin(code));
    await begin(code);
    expect(await usesOf(code)).toBe(13);
  });

  it('from one session take one use, even after a second click', async () => {
    const code = await newCode({ usage_limit: 2 });
    const session = await open(code);
    await Promise.all([payIn(session), payIn(session), payIn(session)]);
    expect(await usesOf(code)).toBe(1);
  });
});

describe('A use of a code that has reached its limit', () => {
  it('is freed for the next buyer if the processor closes its payment after fifteen unpaid minutes', async () => {
    const code = await newCode({ usage_limit: 1 });
    const slow = await begin(code);
    clock.forward({ minutes: 14 });
    expect(await refusal(code)).toBe('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    clock.forward({ minutes: 2 });
    await paid(await begin(code));
    expect((await payments().get(slow.paymentId)).status).toBe('cancelled');
    expect(sessionById(shop.fake.account, slow.reference).status).toBe('expired');
    expect((await sessions().get(slow.sessionId)).paymentStatus).toBe('cancelled');
    expect(await usesOf(code)).toBe(1);
    expect(await faults()).toEqual([]);
  });

  it('stays with a buyer whose payment the processor has received, even if no notification came', async () => {
    const code = await newCode({ usage_limit: 1 });
    const slow = await begin(code);
    shop.payAt(slow.reference);
    clock.forward({ minutes: 16 });
    expect(await refusal(code)).toBe('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    expect(await payments().get(slow.paymentId)).toMatchObject({ status: 'succeeded', refunded: 0 });
    expect(await usesOf(code)).toBe(1);
  });

  it('is freed only once, from the oldest open payment, when two buyers come at the same moment', async () => {
    const code = await newCode({ usage_limit: 2 });
    const first = await begin(code);
    clock.forward({ minutes: 16 });
    const second = await begin(code);
    const opened = [await open(code), await open(code)];
    const answers = await Promise.all(opened.map((session) => payIn(session)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await payments().get(first.paymentId)).status).toBe('cancelled');
    expect((await payments().get(second.paymentId)).status).toBe('processing');
    expect(await usesOf(code)).toBe(2);
  });

  it('can be taken from an unpaid payment after fifteen minutes, so the code is found again', async () => {
    const code = await newCode({ usage_limit: 1 });
    await begin(code);
    expect((await shop.api.call(`GET /discounts/code/${code.code}`)).status).toBe(422);
    clock.forward({ minutes: 16 });
    expect((await shop.api.call(`GET /discounts/code/${code.code}`)).status).toBe(200);
  });

  it('becomes free when Stripe closes the payment after two hours', async () => {
    const code = await newCode({ usage_limit: 1 });
    const { reference } = await begin(code);
    expireSession(shop.fake.account, sessionById(shop.fake.account, reference));
    await hear('checkout.session.expired', reference);
    expect(await usesOf(code)).toBe(0);
  });
});

/** The function dies at a call of the table. */
function dieAt(isFatal: (update: string, command: string) => boolean): void {
  let isDead = false;
  heal = sendThrough(table().client, (send) => async (command) => {
    isDead ||= isFatal(String(command.input['UpdateExpression'] ?? ''), command.constructor.name);
    if (isDead) throw Object.assign(new Error('The function has died.'), { name: 'Died' });
    return send(command);
  });
}

describe('A function that crashes', () => {
  it('before it has stored the payment takes no use', async () => {
    const code = await newCode({ usage_limit: 1 });
    const session = await open(code);
    dieAt((_, command) => command === 'TransactWriteCommand');
    expect((await payIn(session)).status).toBe(500);
    heal();
    expect(await usesOf(code)).toBe(0);
    await begin(code);
    expect(await faults()).toEqual([]);
  });

  it('after it took a use keeps the use for the same buyer, who tries again within two minutes', async () => {
    const code = await newCode({ usage_limit: 1 });
    const session = await open(code);
    dieAt((_, command) => command === 'TransactWriteCommand');
    await payIn(session);
    heal();
    clock.forward({ minutes: 1 });
    expect((await payIn(session)).status).toBe(200);
    clock.forward({ minutes: 2 });
    await sweep();
    expect(await usesOf(code)).toBe(1);
    expect(await faults()).toEqual([]);
  });

  it.each([
    { end: 'paid', left: 1 },
    { end: 'closed', left: 0 },
  ])('right after a payment is $end leaves $left uses counted', async ({ end, left }) => {
    const code = await newCode({ usage_limit: 1 });
    const { reference, paymentId } = await begin(code);
    let isEnded = false;
    dieAt((_, command) => {
      const isAfter = isEnded;
      isEnded ||= command === 'TransactWriteCommand';
      return isAfter;
    });
    if (end === 'paid') shop.payAt(reference);
    else expireSession(shop.fake.account, sessionById(shop.fake.account, reference));
    await hear(end === 'paid' ? 'checkout.session.completed' : 'checkout.session.expired', reference);
    heal();
    expect((await payments().get(paymentId)).status).not.toBe('processing');
    expect(await usesOf(code)).toBe(left);
    expect(await faults()).toEqual([]);
  });

  it('leaves no row for the sweep once the code has no unpaid use', async () => {
    const code = await newCode({ usage_limit: 5 });
    await paid(await begin(code));
    clock.forward({ minutes: 3 });
    await sweep();
    const rows = (await scanRows(table().client, table().name)).filter(
      (row) => JSON.stringify(row).includes(code.id) && String(row['pk']).startsWith('DISCOUNT#'),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => row['dueSk'] !== undefined)).toEqual([]);
  });
});

describe('A code that each customer may use only once', () => {
  const once = () => newCode({ per_customer_usage_limit: 1, usage_limit: 50 });
  const [mine, theirs] = [
    { browser: 'a-browser-of-mine', network: '192.0.2.1' },
    { browser: 'another-browser', network: '198.51.100.7' },
  ];

  it('is not blocked when a stranger starts a payment with the customer’s e-mail address', async () => {
    const code = await once();
    await begin(code, theirs);
    await begin(code, mine);
  });

  it('is refused to the same browser during an open payment, and to all browsers after it is paid', async () => {
    const code = await once();
    const opened = [await open(code), await open(code)];
    const answers = await Promise.all(opened.map((session) => payIn(session, mine)));
    expect(answers.map(({ body }) => body.code ?? body.status).sort()).toEqual([
      'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
      'requires_customer_action',
    ]);
    const won = opened[answers.findIndex(({ status }) => status === 200)] as string;
    await paid({ ...(await shop.paymentOf(won)), paymentId: (await shop.paymentOf(won)).id } as never);
    expect(await refusal(code, theirs)).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
  });

  it('can be used again in the same browser when the earlier payment was closed', async () => {
    const code = await once();
    const { reference } = await begin(code, mine);
    expireSession(shop.fake.account, sessionById(shop.fake.account, reference));
    await hear('checkout.session.expired', reference);
    await begin(code, mine);
    expect(await faults()).toEqual([]);
  });

  it('keeps both payments when two browsers have paid, and refunds neither', async () => {
    const code = await once();
    const both = [await begin(code, mine), await begin(code, theirs)];
    for (const one of both) await paid(one);
    for (const { paymentId } of both) expect(await payments().get(paymentId)).toMatchObject({ refunded: 0 });
    expect(await usesOf(code)).toBe(2);
    expect(await faults()).toEqual([]);
    const { cookies } = await browse(shop.api, localKey);
    for (const { paymentId } of both) {
      const { text } = await shop.api.call(`GET /dashboard/payments/${paymentId}`, { cookies, key: null });
      expect(text).toContain(`The customer has used the code ${code.code} more often than it allows`);
    }
    const alone = await begin(await once(), { ...mine, email: 'alone@example.com' });
    await paid(alone);
    const { text } = await shop.api.call(`GET /dashboard/payments/${alone.paymentId}`, { cookies, key: null });
    expect(text).not.toContain('more often than it allows');
  });

  it('recognizes a program without cookies by its network address', async () => {
    const code = await once();
    await begin(code, { network: '192.0.2.9' });
    expect(await refusal(code, { network: '192.0.2.9' })).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
    await begin(code, { network: '192.0.2.10' });
  });
});

describe('A refusal that would reveal what a customer has bought', () => {
  it('gives its reason only to an API key of the merchant', async () => {
    const code = await newCode({ per_customer_usage_limit: 1 });
    await begin(code);
    const body = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
    const pay = async (key: string | null) =>
      (await shop.api.call(`POST /checkout/${await open(code)}/pay`, { key, body, source: '192.0.2.1' })).body.code;
    expect(await pay(null)).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
    expect(await pay(localKey)).toBe('DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED');
  });
});

describe('A code for new customers', () => {
  const [mine, theirs] = [
    { email: 'new@example.com', browser: 'a-browser-of-mine' },
    { email: 'new@example.com', browser: 'another-browser' },
  ];

  it('is refused after a paid payment with the same e-mail address, but not after a stranger’s open payment', async () => {
    const [one, other] = [
      await newCode({ customer_eligibility: 'first_time' }),
      await newCode({ customer_eligibility: 'first_time', usage_limit: 5 }),
    ];
    await begin(one, theirs);
    const own = await begin(other, mine);
    expect(await refusal(one, mine)).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
    await paid(own);
    expect(await refusal(one, theirs)).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
    expect(await faults()).toEqual([]);
  });
});

describe('The limit of a code', () => {
  it('can be raised, lowered and removed while payments hold uses, and no use is lost', async () => {
    const code = await newCode({ usage_limit: 3 });
    const change = (usage_limit: number | null) =>
      shop.api.call(`PATCH /discounts/${code.id}`, { body: { usage_limit } });
    const held = [await begin(code), await begin(code), await begin(code)];
    expect(await refusal(code)).toBe('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    expect((await change(2)).body.code).toBe('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    expect((await change(4)).body.times_used).toBe(3);
    held.push(await begin(code));
    await change(null);
    held.push(await begin(code), await begin(code));
    expect(await usesOf(code)).toBe(6);
    for (const { reference } of held.slice(0, 5)) {
      expireSession(shop.fake.account, sessionById(shop.fake.account, reference));
      await hear('checkout.session.expired', reference);
    }
    expect(await usesOf(code)).toBe(1);
    expect((await change(1)).status).toBe(200);
    expect(await refusal(code)).toBe('DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    expect(await faults()).toEqual([]);
  });

  it('allows no more uses once the code is deleted, not even in a checkout that has the code', async () => {
    const code = await newCode({ usage_limit: 3 });
    const session = await open(code);
    const before = await begin(code);
    await shop.api.call(`DELETE /discounts/${code.id}`);
    expect((await payIn(session)).body.code).toBe('INVALID_DISCOUNT_CODE');
    await paid(before);
    expect(await faults()).toEqual([]);
  });
});
