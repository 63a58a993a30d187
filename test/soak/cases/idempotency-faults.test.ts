import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Faults, faultsAtRandom, injectFaults } from '../../support/faults/faults-by-plan.ts';
import { campaign, inTurn, seeded, tally, times } from '../../support/seeded.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession, fieldGuide, pay, sell } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { countRows } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
let faults: Faults | undefined;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => faults?.heal());
afterAll(() => api.stop());
useShortPauses();

const refund = (paymentId: string, amount: number, headers: Record<string, string>): Promise<ApiAnswer> =>
  api.call('POST /refunds', { body: { payment_id: paymentId, amount }, headers });
const refundedOf = async (id: string): Promise<number> => {
  const { body } = await api.call(`GET /payments/${id}`);
  return body.total_amount - body.refundable_amount;
};

/** Asks again as the dialect's clients do, for what they repeat by themselves. */
async function insist(ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if ((answer.status !== 503 && answer.headers['x-should-retry'] !== 'true') || tries === 40) return answer;
  }
}

/** Field guides sold from one product. */
async function sellMany(count: number): Promise<string[]> {
  const productId = await addProduct(api);
  return inTurn(times(count), 8, async () => {
    const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    return (await pay(session, { expectedTotal: 1_999 })).id;
  });
}

describe('requests with one Idempotency-Key at the same time', () => {
  it('have one effect, and each caller gets the same 200 or a 409 that allows a retry (powertools-typescript#5678, fossasia/eventyay#1405)', async () => {
    const keys = campaign(200, 6);
    const payments = await sellMany(keys);
    const before = (await countRows(api))['REFUND'] ?? 0;
    let bodies = 0;
    const statuses: string[] = [];
    for (const [index, paymentId] of payments.entries()) {
      const headers = { 'idempotency-key': `a3-${index}` };
      const answers = await Promise.all(times(50).map(() => refund(paymentId, 100, headers)));
      bodies += new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size;
      statuses.push(...answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()));
      expect(await refundedOf(paymentId)).toBe(100);
    }
    const effects = ((await countRows(api))['REFUND'] ?? 0) - before;
    console.log(
      `A3: ${keys} keys × 50 at once: ${effects} effects, ${bodies} bodies, ${JSON.stringify(tally(statuses))}`,
    );
    expect({ effects, bodies }).toEqual({ effects: keys, bodies: keys });
    expect(
      Object.keys(tally(statuses)).filter((key) => key !== '200' && key !== '409 IDEMPOTENCY_IN_PROGRESS'),
    ).toEqual([]);
  });

  it('get 409 with Retry-After while the first is being written, and its answer afterwards (ietf-wg-httpapi/idempotency#22)', async () => {
    const { paymentId } = await sell(api);
    const headers = { 'idempotency-key': 'in-flight' };
    faults = injectFaults(({ entities }) => (entities.includes('IDEM') ? { conflictOn: 'IDEM' } : undefined));
    const answer = await refund(paymentId, 100, headers);
    expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS');
    expect(answer.headers).toMatchObject({ 'retry-after': '1', 'x-should-retry': 'true' });
    faults.heal();
    expect((await refund(paymentId, 100, headers)).status).toBe(200);
    expect(await refundedOf(paymentId)).toBe(100);
  });

  it('never leave a lock behind, so a retry succeeds at once (powertools-python#4759, powertools-java#1281)', async () => {
    const { paymentId } = await sell(api);
    const headers = { 'idempotency-key': 'no-lock' };
    faults = injectFaults(({ entities }) => (entities.includes('IDEM') ? 'never_sent' : undefined));
    expect((await refund(paymentId, 100, headers)).status).toBe(503);
    faults.heal();
    const again = await refund(paymentId, 100, headers);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
  });
});

describe('a table with faults', () => {
  it('that loses three answers in ten still lets every refund end in 200 with one effect (aws/aws-sdk-java#2667)', async () => {
    const count = campaign(1_000, 80);
    const payments = await sellMany(count);
    faults = injectFaults(faultsAtRandom(seeded(5), 0.3, ['ack_lost']));
    const answers = await inTurn(payments, 8, (id, index) =>
      insist(() => refund(id, 100, { 'idempotency-key': `a5-${index}` })),
    );
    faults.heal();
    const effects = await inTurn(payments, 8, refundedOf);
    const once = effects.filter((amount) => amount === 100).length;
    console.log(`A5: ${count} refunds, ${faults.counts.ack_lost} acknowledgements lost: ${once} with one effect`);
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: count });
    expect(once).toBe(count);
  });

  it.each([5, 6])(
    'that has a fault in one of five calls still lets every refund end in 200 with one effect (seed %i)',
    async (seed) => {
      const count = campaign(300, 30);
      const payments = await sellMany(count);
      faults = injectFaults(faultsAtRandom(seeded(seed), 0.2));
      const answers = await inTurn(payments, 8, (id, index) =>
        insist(() => refund(id, 100, { 'idempotency-key': `any-${seed}-${index}` })),
      );
      faults.heal();
      const effects = await inTurn(payments, 8, refundedOf);
      console.log(`any fault, seed ${seed}: ${count} refunds under ${JSON.stringify(faults.counts)}`);
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: count });
      expect(tally(effects)).toEqual({ 100: count });
    },
  );

  it('that never answers changes nothing, and every command gets 503 with a time to retry', async () => {
    const { paymentId, productId } = await sell(api);
    const before = await countRows(api);
    const commands: [string, object][] = [
      ['POST /products', fieldGuide],
      [`PATCH /products/${productId}`, { name: 'Other' }],
      ['POST /checkouts', { product_cart: [{ product_id: productId, quantity: 1 }] }],
      ['POST /refunds', { payment_id: paymentId }],
    ];
    faults = injectFaults(() => 'throttle');
    const answers = await Promise.all(
      commands.map(([request, body]) => api.call(request, { body, headers: { 'idempotency-key': `a12 ${request}` } })),
    );
    faults.heal();
    for (const answer of answers) expectProblem(answer, 503, 'SERVICE_UNAVAILABLE');
    console.log(`A12: ${answers.length} commands, all 503; ${faults.counts.throttle} calls throttled, 0 effects`);
    expect(await countRows(api)).toEqual(before);
  });
});

describe('a product', () => {
  it('has twenty versions after twenty simultaneous changes, and loses no field', async () => {
    const { products } = await import('../../../shared/wiring/runtime.ts');
    const productId = await addProduct(api);
    const versionOf = async () => (await products().get(productId)).version;
    const before = await versionOf();
    const names = times(20).map((n) => `field-${n}`);
    const change = (name: string) => ({ headers: { 'idempotency-key': `a11 ${name}` } });
    const metadataOf = async () => (await api.call(`GET /products/${productId}`)).body.metadata;
    const answers = await Promise.all(
      names.map((name) => insist(() => api.call(`PATCH /products/${productId}`, { body: { name }, ...change(name) }))),
    );
    console.log(`A11: 20 concurrent changes: ${JSON.stringify(tally(answers.map(({ status }) => status)))}`);
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 20 });
    expect(await versionOf()).toBe(before + 20);
    const fields = [{ description: 'Changed.' }, { metadata: { a: 1 } }, { tax_category: 'saas' }, { name: 'Changed' }];
    await Promise.all(fields.map((body) => insist(() => api.call(`PATCH /products/${productId}`, { body }))));
    expect((await api.call(`GET /products/${productId}`)).body).toMatchObject(Object.assign({}, ...fields));
    expect(await metadataOf()).toEqual({ a: 1 });
  });
});
