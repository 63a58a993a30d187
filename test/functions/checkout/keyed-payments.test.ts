import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testCards } from '../../../shared/outside/processor/sandbox/sandbox-cards.ts';
import { payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { afterNextRead } from '../../support/faults/faults.ts';
import { type Api, type ApiAnswer, type Call, startApi } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { addProduct, createSession, pay as press, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

const declinedCard = testCards.find(({ number }) => number.endsWith('0002'))?.number ?? '';

let api: Api;
let book: string;
let tip: string;

beforeAll(async () => {
  api = await startApi();
  book = await addProduct(api);
  tip = await addProduct(api, support);
});
beforeEach(() => clock.run());
afterAll(() => api.stop());

const newSession = (product = book, fields: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 1 }], fields);

const asked = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  test_card: '4242',
};

const pay = (session: string, key: string | undefined, body: object = {}, options: Call = {}): Promise<ApiAnswer> =>
  api.call(`POST /checkout/${session}/pay`, {
    body: { ...asked, ...body },
    key: null,
    headers: key === undefined ? {} : { 'idempotency-key': key },
    ...options,
  });

/** How many payments the session has begun. */
const attemptsOf = async (session: string): Promise<number> => (await sessions().get(session)).attempts;

const replayed = ({ headers }: ApiAnswer) => headers['idempotent-replayed'];

describe('POST /checkout/{id}/pay with an Idempotency-Key', () => {
  it('200: repeats the same bytes, and charges nothing', async () => {
    const session = await newSession();
    const first = await pay(session, 'one');
    const again = await pay(session, 'one');
    expect([first.status, first.body.status, replayed(first)]).toEqual([200, 'succeeded', undefined]);
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
    expect(await attemptsOf(session)).toBe(1);
  });

  it('200: sets no cookie for a repeated request, because only the first browser has paid', async () => {
    const session = await newSession();
    expect((await pay(session, 'one')).cookies).toHaveLength(2);
    expect((await pay(session, 'one')).cookies).toEqual([]);
  });

  it('200: repeats a decline as well, and a new key starts a new attempt', async () => {
    const session = await newSession();
    const declined = { test_card: '0002' };
    const answers = [
      await pay(session, 'first', declined),
      await pay(session, 'first', declined),
      await pay(session, 'first', declined),
    ];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ status: 'failed', error_code: 'GENERIC_DECLINE' });
    expect(await attemptsOf(session)).toBe(1);
    expect((await pay(session, 'second')).body.status).toBe('succeeded');
    expect((await pay(session, 'first', declined)).text).toBe(answers[0]?.text);
    expect(await attemptsOf(session)).toBe(2);
  });

  it('200: charges once for twenty requests with one key, and every answered request gets that answer', async () => {
    const session = await newSession();
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(session, 'at once')));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 200);
    for (const answer of others) expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS');
    expect(await attemptsOf(session)).toBe(1);
  });

  it('200: repeats the answer for a total of 0 as well', async () => {
    const session = await newSession(tip);
    const first = await pay(session, 'free', { amounts: { [tip]: 500 } });
    const again = await pay(session, 'free', { amounts: { [tip]: 500 } });
    expect([first.status, again.text]).toEqual([200, first.text]);
  });

  it('200: ignores white space, the order of fields, and quotes around the key', async () => {
    const session = await newSession();
    const first = await pay(session, 'quoted');
    const { customer, ...others } = asked;
    const raw = Buffer.from(JSON.stringify({ ...others, customer }, null, 2));
    const headers = { 'idempotency-key': '"quoted"', 'content-type': 'application/json' };
    const again = await api.call(`POST /checkout/${session}/pay`, { key: null, raw, headers });
    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
  });

  it('200: starts another payment when the same key is used at another session', async () => {
    const [one, other] = [await newSession(), await newSession()];
    const [first, second] = [await pay(one, 'shared'), await pay(other, 'shared')];
    expect([first.status, second.status, replayed(second)]).toEqual([200, 200, undefined]);
    expect(second.body.payment_id).not.toBe(first.body.payment_id);
  });

  it('200: continues an unanswered payment with its key', async () => {
    const session = await newSession();
    const first = await pay(session, 'slow', { test_card: '3063' });
    expect(first.body.status).toBe('requires_customer_action');
    expect((await pay(session, 'slow', { test_card: '3063' })).text).toBe(first.text);
    expect((await payments().get(first.body.payment_id)).status).toBe('processing');
  });

  it('200: accepts the same key for a new request after 48 hours', async () => {
    const session = await newSession();
    const first = await pay(session, 'old', { test_card: '0002' });
    clock.forward({ hours: 47 });
    expect((await pay(session, 'old', { test_card: '0002' })).text).toBe(first.text);
    clock.forward({ hours: 2 });
    expectProblem(await pay(session, 'old', { test_card: '0002' }), 410, 'CHECKOUT_SESSION_EXPIRED');
  });

  it.each([
    { change: 'another total', body: { expected_total: 2_499 } },
    { change: 'another currency', body: { expected_currency: 'USD' } },
    { change: 'another card', body: { test_card: '0002' } },
    { change: 'another buyer', body: { customer: { email: 'other@example.com', name: 'A Buyer' } } },
    { change: 'another quantity', body: { quantities: { PRODUCT: 2 } } },
    { change: 'another amount', body: { amounts: { PRODUCT: 1_999 } } },
  ])('422: $change under the same key is another request, and charges nothing', async ({ body }) => {
    const session = await newSession();
    const inRequest = JSON.parse(JSON.stringify(body).replace('PRODUCT', book));
    await pay(session, 'reused', { test_card: '3238', expected_total: 1_999 });
    const other = await pay(session, 'reused', { test_card: '3238', expected_total: 1_999, ...inRequest });
    expectProblem(other, 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await attemptsOf(session)).toBe(1);
  });

  it('409: refuses a total that has changed, and repeats the refusal with the same key', async () => {
    const session = await newSession();
    const first = await pay(session, 'total', { expected_total: 1_000 });
    const again = await pay(session, 'total', { expected_total: 1_000 });
    expectProblem(first, 409, 'CONFLICT');
    expect([again.text, replayed(again), again.headers['x-should-retry']]).toEqual([first.text, 'true', 'false']);
    expect((await pay(session, 'right total', { expected_total: 1_999 })).status).toBe(200);
  });

  it('409: stores the refusal of a paid session, without the payment id that only some callers may know', async () => {
    const session = await newSession();
    const { body } = await pay(session, 'pays');
    const known = await pay(session, 'late', {}, { key: undefined, headers: { 'idempotency-key': 'late' } });
    expect([known.status, known.body.payment_id]).toEqual([409, body.payment_id]);
    const again = await pay(session, 'late');
    expect([again.status, again.body.payment_id, replayed(again)]).toEqual([409, undefined, 'true']);
  });

  it('422: refuses an invalid key and an invalid body, and stores no answer', async () => {
    const session = await newSession();
    expectProblem(await pay(session, 'ä'), 422, 'INVALID_REQUEST_PARAMETERS');
    expectProblem(await pay(session, 'fixed', { test_card: '1' }), 422, 'INVALID_REQUEST_BODY');
    expect((await pay(session, 'fixed')).status).toBe(200);
  });

  it('writes one more row with the header than without it', async () => {
    const idempotencyRows = async () =>
      (await scanRows(table().client, table().name)).filter(({ entity }) => entity === 'IDEM').length;
    const before = await idempotencyRows();
    await pay(await newSession(), undefined);
    expect(await idempotencyRows()).toBe(before);
    await pay(await newSession(), 'kept');
    expect(await idempotencyRows()).toBe(before + 1);
  });
});

it('a payment reveals only to API keys why a code is not for a customer, even in a repeated answer', async () => {
  const { body: discount } = await api.call('POST /discounts', {
    body: { type: 'percentage', amount: 1_000, code: 'ONCEEACH', per_customer_usage_limit: 1 },
  });
  const body = { discount_codes: [discount.code] };
  await pay(await newSession(), undefined, body);
  const session = await newSession();
  const known = await pay(session, 'coded', body, { key: undefined, headers: { 'idempotency-key': 'coded' } });
  expectProblem(known, 422, 'DISCOUNT_PER_CUSTOMER_USAGE_LIMIT_EXCEEDED');
  const again = await pay(session, 'coded', body);
  expectProblem(again, 422, 'DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
  expect(replayed(again)).toBe('true');
});

it('two requests of one press on the page’s button start one payment, although both have found an open session', async () => {
  const session = await newSession();
  const pressed = { press: 'a digest', card: declinedCard, expectedTotal: 1_999 };
  const payments = await Promise.all([press(session, pressed), press(session, pressed)]);
  expect(new Set(payments.map(({ id }) => id)).size).toBe(1);
  expect(await attemptsOf(session)).toBe(1);
});

it('a press on the page that is sent twice leads to one receipt, although the first request has used up the code', async () => {
  const { body: discount } = await api.call('POST /discounts', {
    body: { type: 'percentage', amount: 1_000, usage_limit: 1 },
  });
  const session = await newSession(book, { discount_codes: [discount.code] });
  const { formToken: token } = await sessions().get(session);
  const buyer = { email: 'ada@example.com', name: 'Ada', country: 'DE', card: testCards[0]?.number ?? '' };
  const press = () =>
    api.call(`POST /checkout/${session}/pay`, {
      key: null,
      raw: Buffer.from(String(new URLSearchParams({ token, ...buyer, expected_total: '1799' }))),
      headers: {
        ...{ 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        ...{ 'hx-request': 'true', 'idempotency-key': 'one press on the button of the page' },
      },
    });
  let first: ApiAnswer | undefined;
  afterNextRead(`SESSION#${session}`, async () => {
    first = await press();
  });
  const second = await press();
  const receipt = expect.stringContaining(`/checkout/${session}`);
  expect([first, second].map((answer) => answer?.headers['hx-redirect'])).toEqual([receipt, receipt]);
  expect(await attemptsOf(session)).toBe(1);
});
