import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { clock } from '../../support/clock.ts';
import { onNextCommit } from '../../support/faults/faults.ts';
import { admitGuardScript } from '../../support/faults/guards.ts';
import { campaign, inTurn, pickOne, seeded, times } from '../../support/seeded.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { addProduct, fieldGuide, pay, sell } from '../../support/shop/shop.ts';
import { countRows } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
beforeAll(async () => {
  api = await startApi();
  admitGuardScript();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

let serial = 0;
const newKey = (): string => {
  serial += 1;
  return `key-${serial}`;
};

interface Command {
  request: string;
  body: object;
}

const under = (key: string, { request, body }: Command, on = api): Promise<ApiAnswer> =>
  on.call(request, { body, headers: { 'idempotency-key': key } });

/** One request of each writing kind, on things of their own. */
async function commandsOn(on: Api, shop = { addProduct, sell }): Promise<Command[]> {
  const productId = await shop.addProduct(on);
  const { paymentId } = await shop.sell(on);
  const registration = { country: 'FR', active_from: '2026-01-01' };
  const { body } = await on.call('POST /tax/registrations', { body: { ...registration, country: 'PL' } });
  return [
    { request: 'POST /products', body: fieldGuide },
    { request: `PATCH /products/${productId}`, body: { name: 'Another name' } },
    { request: 'POST /checkouts', body: { product_cart: [{ product_id: productId, quantity: 1 }] } },
    { request: 'POST /refunds', body: { payment_id: paymentId, amount: 100 } },
    { request: 'POST /tax/registrations', body: registration },
    { request: `PATCH /tax/registrations/${body.id}`, body: { tax_id: 'PL1234563218' } },
  ];
}

describe('an Idempotency-Key', () => {
  it('repeats the same status and bytes for every kind of command, which has one effect', async () => {
    const commands = await commandsOn(api);
    const repetitions = campaign(100, 10);
    let identical = 0;
    for (const command of commands) {
      const key = newKey();
      const first = await under(key, command);
      expect(first.status).toBe(200);
      const rows = await countRows(api);
      for (const again of await inTurn(times(repetitions), 4, () => under(key, command))) {
        if (again.text === first.text && again.headers['idempotent-replayed'] === 'true') identical += 1;
      }
      expect(await countRows(api)).toEqual(rows);
    }
    console.log(`A1: ${identical} of ${commands.length * repetitions} replays identical, one effect each`);
    expect(identical).toBe(commands.length * repetitions);
  });

  const asked = { amount: 100, reason: 'broken', metadata: { ticket: 'T-1', level: 2 }, tax_inclusive: true };
  const spellings = (body: object, random: () => number): string => {
    const entries = Object.entries(body).sort(() => random() - 0.5);
    const space = () => pickOne(random, ['', ' ', '\n', '\t ', '   ']);
    const members = entries.map(([name, value]) => `${space()}"${name}"${space()}:${space()}${JSON.stringify(value)}`);
    return `${space()}{${members.join(`${space()},`)}${space()}}${space()}`;
  };

  it('is refused with any of 200 different requests, except when only white space or order differs (ietf-wg-httpapi/idempotency#22)', async () => {
    const random = seeded(2);
    const { paymentId } = await sell(api);
    const [key, body] = [newKey(), { payment_id: paymentId, ...asked }];
    const first = await under(key, { request: 'POST /refunds', body });
    const changes = times(200).map((n) =>
      pickOne(random, [
        { amount: 101 + n },
        { reason: `broken ${n}` },
        { metadata: { ticket: `T-${n + 2}` } },
        { tax_inclusive: false, amount: 90 + (n % 10) },
        { amount: null, items: [{ item_id: 'pdt_x', amount: n + 1 }] },
      ]),
    );
    const mutated = await inTurn(changes, 4, (change) =>
      under(key, { request: 'POST /refunds', body: { ...body, ...change } }),
    );
    const respelled = await inTurn(times(200), 4, () =>
      api.call('POST /refunds', { raw: Buffer.from(spellings(body, random)), headers: { 'idempotency-key': key } }),
    );
    const refused = mutated.filter((answer) => answer.body.code === 'IDEMPOTENCY_KEY_REUSED').length;
    const replayed = respelled.filter(({ text }) => text === first.text).length;
    console.log(`A2: ${refused} of 200 other requests refused, ${replayed} of 200 other spellings replayed`);
    expect([refused, replayed]).toEqual([200, 200]);
    expect((await countRows(api))['REFUND']).toBeGreaterThan(0);
    expect((await api.call(`GET /payments/${paymentId}`)).body.refundable_amount).toBe(1_899);
  });

  it('is refused with a request to another path', async () => {
    const [one, other] = [await addProduct(api), await addProduct(api)];
    const key = newKey();
    await under(key, { request: `PATCH /products/${one}`, body: { name: 'One' } });
    expectProblem(
      await under(key, { request: `PATCH /products/${other}`, body: { name: 'One' } }),
      422,
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('lasts 48 hours, even if the stored row exists longer', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const [key, command] = [newKey(), { request: 'POST /products', body: fieldGuide }];
    const first = await under(key, command);
    clock.forward({ hours: 47 });
    expect((await under(key, command)).text).toBe(first.text);
    clock.forward({ hours: 2 });
    const second = await under(key, command);
    expect(second.body.product_id).not.toBe(first.body.product_id);
    expect((await under(key, command)).text).toBe(second.text);
  });

  it('has 1 to 255 printable ASCII characters, and is the same with and without quotes', async () => {
    const command = { request: 'POST /products', body: fieldGuide };
    const long = 'k'.repeat(255);
    const accepted = ['a7', '"a7"', 'a 7', 'ä'.normalize('NFD')[0] ?? '', long, `"${long}"`, '~!@#$%^&*()', '9'];
    const refused = ['k'.repeat(256), '', '""', 'ä', 'a\tb', ' a '];
    for (const key of accepted)
      expect({ key, status: (await under(key, command)).status }).toEqual({ key, status: 200 });
    for (const key of refused)
      expect({ key, code: (await under(key, command)).body.code }).toEqual({ key, code: 'INVALID_REQUEST_PARAMETERS' });
    const [bare, quoted] = [await under('a7', command), await under('"a7"', command)];
    expect(bare.text).toBe(quoted.text);
  });

  it('keeps the answers of refusals, but not of invalid input, missing API keys or faults', async () => {
    const { paymentId } = await sell(api, { card: cards.pendingRefunds });
    await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 1_000 } });
    const refund = (body: object): Command => ({ request: 'POST /refunds', body });
    const kept: [Command, number][] = [
      [refund({ payment_id: paymentId, amount: 100 }), 200],
      [refund({ payment_id: paymentId, amount: 1_900 }), 422],
      [refund({ payment_id: paymentId, expected_refundable: 1 }), 409],
      [refund({ payment_id: `pay_${'x'.repeat(21)}` }), 404],
    ];
    for (const [command, status] of kept) {
      const key = newKey();
      const answers = [await under(key, command), await under(key, command)];
      expect(answers.map((answer) => [answer.status, answer.headers['idempotent-replayed']])).toEqual([
        [status, undefined],
        [status, 'true'],
      ]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
      expect(answers[1]?.headers['content-type']).toBe(answers[0]?.headers['content-type']);
      expect(answers[1]?.headers['x-should-retry']).toBe(answers[0]?.headers['x-should-retry']);
    }
    const good = { payment_id: paymentId, amount: 1 };
    const headers = (key: string) => ({ 'idempotency-key': key });
    const readKey = await api.addKey({ access: 'read' });
    const unkept: [number, (key: string) => Promise<ApiAnswer>][] = [
      [422, (key) => under(key, refund({ payment_id: paymentId, amount: -1 }))],
      [400, (key) => api.call('POST /refunds', { raw: Buffer.from('{'), headers: headers(key) })],
      [401, (key) => api.call('POST /refunds', { body: good, headers: headers(key), key: null })],
      [403, (key) => api.call('POST /refunds', { body: good, headers: headers(key), key: readKey })],
      [
        500,
        (key) => {
          onNextCommit(() => Promise.reject(new Error('a defect')));
          return under(key, refund(good));
        },
      ],
    ];
    for (const [status, attempt] of unkept) {
      const key = newKey();
      expect((await attempt(key)).status).toBe(status);
      const corrected = await under(key, refund(good));
      expect([corrected.status, corrected.headers['idempotent-replayed']]).toEqual([200, undefined]);
    }
  });

  it('keeps answers far below the limit of a row, even the largest answer of the API', async () => {
    const metadata = Object.fromEntries(times(50).map((n) => [`${'k'.repeat(36)}-${100 + n}`, 'é'.repeat(500)]));
    const product = { ...fieldGuide, name: 'é'.repeat(100), description: 'é'.repeat(1_000), metadata };
    const cart: object[] = [];
    for (const _ of times(20)) cart.push({ product_id: await addProduct(api, product), quantity: 1 });
    const fields = { product_cart: cart, metadata };
    const session = await under(newKey(), { request: 'POST /checkouts', body: fields });
    const { id } = await pay(session.body.session_id, { expectedTotal: 20 * 1_999 });
    const refund = await under(newKey(), {
      request: 'POST /refunds',
      body: { payment_id: id, reason: 'é'.repeat(3_000), metadata },
    });
    const created = await under(newKey(), { request: 'POST /products', body: product });
    const kilobytes = [session, refund, created].map(({ text }) => Math.ceil(Buffer.byteLength(text) / 1_024));
    console.log(
      `A13: the largest kept answers have ${kilobytes.join(', ')} kB (session, refund, product); a row holds 400`,
    );
    expect([session, refund, created].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(kilobytes[0]).toBeLessThanOrEqual(16);
    expect(Math.max(...kilobytes)).toBeLessThan(100);
  });

  it('stores only the answer and a mark that identifies the request', async () => {
    const { table } = await import('../../../shared/wiring/runtime.ts');
    const { ScanCommand } = await import('@aws-sdk/lib-dynamodb');
    const { Items = [] } = await table().client.send(new ScanCommand({ TableName: table().name }));
    const names = new Set(Items.filter(({ entity }) => entity === 'IDEM').flatMap((item) => Object.keys(item)));
    const documented = ['pk', 'sk', 'entity', 'fingerprint', 'status', 'body', 'createdAt', 'expiresAt', 'ttl'];
    // what is written by itself has a stamp, by which its repetition is known; a refund is named until its answer is stored, and then
    expect([...names].sort()).toEqual([...documented, 'begun', 'isRetry', 'stamp'].sort());
  });
});

describe('two stacks with the same Idempotency-Key', () => {
  it('have separate effects: one key on six routes in each stack has twelve effects', async () => {
    const key = newKey();
    const effects: string[] = [];
    for (const round of ['one', 'other']) {
      vi.resetModules();
      vi.doUnmock('../../../infra/local/invoke.ts'); // which keeps the handlers of the stack before
      const { startApi: startAnother } = await import('../../support/shop/api.ts');
      const stack = await startAnother();
      const commands = await commandsOn(stack, await import('../../support/shop/shop.ts'));
      for (const command of commands) {
        const answer = await under(key, command, stack);
        if (answer.status === 200 && !answer.headers['idempotent-replayed'])
          effects.push(`${round} ${command.request}`);
      }
      await stack.stop();
    }
    console.log(`A8: one key, two stacks, six routes: ${new Set(effects).size} effects`);
    expect(new Set(effects).size).toBe(12);
  });
});
