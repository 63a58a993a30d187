import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newPoolCodes } from '../../../shared/domain/entitlements/pool-code.ts';
import { codePools, payments } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { finishRefund, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const pool = {
  name: 'Game',
  integration_type: 'license_key',
  integration_config: { fulfillment_mode: 'manual', pool: true },
};
const newPool = async (): Promise<string> => (await api.call('POST /entitlements', { body: pool })).body.id;
const add = (id: string, codes: string[]) => api.call(`POST /entitlements/${id}/codes`, { body: { codes } });
const codes = (count: number, name = 'GAME') => Array.from({ length: count }, (_, index) => `${name}-${index}`);

async function productOf(id: string): Promise<string> {
  return addProduct(api, { entitlements: [{ entitlement_id: id }] });
}

async function sell(productId: string, quantity = 1): Promise<string> {
  const session = await createSession(api, [{ product_id: productId, quantity }]);
  return (await pay(session, { expectedTotal: 1_999 * quantity })).id;
}

interface Given {
  payment_id: string;
  status: string;
  license_key: { key: string } | null;
}

const given = async (id: string): Promise<Given[]> =>
  (await api.call(`GET /entitlements/${id}/grants`, { query: 'page_size=100' })).body.items;
const keysOf = async (id: string): Promise<string[]> =>
  (await given(id)).flatMap((grant) => grant.license_key?.key ?? []);

describe('POST /entitlements/{id}/codes', () => {
  it('200: adds each code once, even over several transactions, and answers how many are free', async () => {
    const id = await newPool();
    expect((await add(id, [...codes(120), 'GAME-0'])).body).toEqual({ added: 120, repeated: 1, free: 120, waiting: 0 });
    expect((await add(id, codes(121))).body).toEqual({ added: 1, repeated: 120, free: 121, waiting: 0 });
  });

  it('200: accepts the same code in two pools', async () => {
    const [one, other] = [await newPool(), await newPool()];
    for (const id of [one, other]) {
      await add(id, ['SAME']);
      await sell(await productOf(id));
    }
    await sweep();
    expect([await keysOf(one), await keysOf(other)]).toEqual([['SAME'], ['SAME']]);
  });

  it('200: adds each code once when two imports have the same codes', async () => {
    const id = await newPool();
    const answers = await Promise.all([add(id, codes(30)), add(id, codes(30))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(30);
  });

  it('200: adds all codes when two imports with different codes arrive in the same millisecond', async () => {
    const id = await newPool();
    clock.stopAt(new Date().toISOString());
    const answers = await Promise.all([add(id, codes(3, 'ONE')), add(id, codes(3, 'TWO'))]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await add(id, ['LAST'])).body.free).toBe(7);
  });

  it('409: refuses codes for an entitlement without a pool', async () => {
    const keys = { name: 'Keys', integration_type: 'license_key', integration_config: {} };
    const { id } = (await api.call('POST /entitlements', { body: keys })).body;
    expectProblem(await add(id, ['X']), 409, 'CONFLICT');
  });

  it.each([[[]], [['x'.repeat(256)]], [Array.from({ length: 1_001 }, (_, index) => `${index}`)]])(
    '422: refuses a list that is empty, or too long, or has a code that is too long',
    async (list) => {
      expect((await add(await newPool(), list)).status).toBe(422);
    },
  );
});

describe('the events of a pool', () => {
  const told = async (id: string) => {
    const { items } = (await api.call('GET /webhook-events', { query: 'page_size=100' })).body;
    const own = items.filter(({ type }: { type: string }) => type.startsWith('code_pool.'));
    const bodies = await Promise.all(
      own.map(async (event: { event_id: string }) => (await api.call(`GET /webhook-events/${event.event_id}`)).body),
    );
    return bodies.map(({ body }) => body).filter(({ data }) => data.entitlement_id === id);
  };

  it('are sent once when a tenth of the codes is left, once when sales wait, and again after an import', async () => {
    const id = await newPool();
    const productId = await productOf(id);
    await add(id, codes(120));
    for (let sold = 0; sold < 108; sold += 18) await sell(productId, 18);
    await sweep();
    const [low, ...others] = await told(id);
    expect(others).toEqual([]);
    expect([low.type, low.data]).toEqual([
      'code_pool.ran_low',
      {
        ...{ entitlement_id: id, entitlement_name: 'Game', product_id: productId, level: 'low' },
        ...{ free: 12, waiting: 0, payload_type: 'CodePool' },
      },
    ]);
    await sell(productId, 12);
    for (const _ of [1, 2, 3]) await sell(productId);
    await sweep();
    const types = async () => (await told(id)).map(({ type }) => type).sort();
    expect(await types()).toEqual(['code_pool.ran_low', 'code_pool.ran_out']);
    await add(id, ['MORE']);
    expect((await types()).filter((type) => type === 'code_pool.ran_out')).toHaveLength(2);
  });
});

describe('a sale of a code', () => {
  it('assigns one code to each unit, and no code twice', async () => {
    const id = await newPool();
    const productId = await productOf(id);
    await add(id, codes(20));
    for (const quantity of [1, 3, 2]) await sell(productId, quantity);
    await Promise.all([sweep(), sweep(), sweep()]);
    await sweep();
    const keys = await keysOf(id);
    expect(keys).toHaveLength(6);
    expect(new Set(keys).size).toBe(6);
    expect((await add(id, ['ONE-MORE'])).body.free).toBe(15);
  });

  it('gets the last code while a second sale waits for the next imported code', async () => {
    const id = await newPool();
    const productId = await productOf(id);
    await add(id, ['LAST']);
    await Promise.all([sell(productId), sell(productId)]);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect((await given(id)).map(({ status }) => status).sort()).toEqual(['Delivered', 'Pending']);
    expect((await add(id, ['NEXT'])).body).toEqual({ added: 1, repeated: 0, free: 0, waiting: 0 });
    expect((await keysOf(id)).sort()).toEqual(['LAST', 'NEXT']);
  });

  it('gets an imported code first if it has waited longest', async () => {
    const id = await newPool();
    const productId = await productOf(id);
    const waiting: string[] = [];
    for (const minutes of [0, 1, 2]) {
      clock.forward({ minutes });
      waiting.push(await sell(productId));
      await sweep();
    }
    await add(id, codes(2));
    const served = (await given(id)).filter(({ status }) => status === 'Delivered').map((grant) => grant.payment_id);
    expect(served.sort()).toEqual(waiting.slice(0, 2).sort());
  });

  it('that is older keeps its turn before a newer one, and the newer one still gets a code', async () => {
    const id = await newPool();
    const productId = await productOf(id);
    const older = [await sell(productId), await sell(productId)];
    await sweep();
    await codePools().add(newPoolCodes(id, codes(2), new Date().toISOString()), () => []);
    clock.forward({ minutes: 1 });
    const newer = await sell(productId);
    await sweep();
    const served = (await given(id)).filter(({ status }) => status === 'Delivered').map((grant) => grant.payment_id);
    expect(served.sort()).toEqual(older.sort());
    expect(await codePools().get(id)).toMatchObject({ free: 0, given: 2, waiting: 1 });
    await add(id, ['NEXT']);
    expect((await given(id)).find((grant) => grant.payment_id === newer)?.license_key?.key).toBe('NEXT');
  });

  it('that is older gets its code first, even if the newer buyer opens the order first', async () => {
    const id = await newPool();
    const productId = await productOf(id);
    const older = await sell(productId);
    await sweep();
    await codePools().add(newPoolCodes(id, ['FIRST'], new Date().toISOString()), () => []);
    const newer = await sell(productId);
    const { pathname, search } = new URL(await orderUrlOf(await payments().get(newer)));
    const anyone = { key: null, headers: { 'accept-language': 'en' } };
    const { cookies } = await api.call(`GET ${pathname}`, { ...anyone, query: search.slice(1) });
    const kept = cookies.map((cookie) => cookie.split(';')[0] ?? '');
    const { status, text } = await api.call(`GET ${pathname}`, { ...anyone, cookies: kept });
    expect([status, text.includes('FIRST')]).toEqual([200, false]);
    const served = (await given(id)).filter((grant) => grant.status === 'Delivered');
    expect(served.map((grant) => grant.payment_id)).toEqual([older]);
  });

  it('leaves the queue when its grant is revoked or delivered by hand', async () => {
    const id = await newPool();
    const productId = await productOf(id);
    for (const _ of [1, 2]) await sell(productId);
    await sweep();
    expect((await codePools().get(id)).waiting).toBe(2);
    const { items } = (await api.call(`GET /entitlements/${id}/grants`)).body;
    await api.call(`DELETE /entitlements/${id}/grants/${items[0].id}`);
    expect((await codePools().get(id)).waiting).toBe(1);
    await api.call(`POST /grants/${items[1].id}/license-key`, { body: { key: 'BY-HAND' } });
    expect((await add(id, ['FREE'])).body).toEqual({ added: 1, repeated: 0, free: 1, waiting: 0 });
  });

  it('gets its code from the sweep if the import was interrupted', async () => {
    const id = await newPool();
    await sell(await productOf(id));
    await sweep();

    await codePools().add(newPoolCodes(id, ['LATE'], new Date().toISOString()), () => []);
    clock.forward({ minutes: 16 });
    await sweep();
    expect(await keysOf(id)).toEqual(['LATE']);
  });

  it('gets its code from an import, and the sweep revokes a refunded line of the same payment', async () => {
    const id = await newPool();
    const body = { name: 'Keys', integration_type: 'license_key', integration_config: {} };
    const keys = (await api.call('POST /entitlements', { body })).body.id;
    const [game, program] = [await productOf(id), await productOf(keys)];
    const session = await createSession(
      api,
      [game, program].map((product_id) => ({ product_id, quantity: 1 })),
    );
    const { id: paymentId } = await pay(session, { expectedTotal: 2 * 1_999 });
    await sweep();
    const item = { item_id: program, amount: 1_999, tax_inclusive: true };
    const { refund_id } = (await api.call('POST /refunds', { body: { payment_id: paymentId, items: [item] } })).body;
    await finishRefund(refund_id);
    await add(id, ['WAITED']);
    expect(await keysOf(id)).toEqual(['WAITED']);
    await sweep();
    expect((await given(keys)).map(({ status }) => status)).toEqual(['Revoked']);
  });

  it('keeps its code after a refund, so a code that was shown never returns to the pool', async () => {
    const id = await newPool();
    const productId = await productOf(id);
    await add(id, ['SHOWN']);
    const paymentId = await sell(productId);
    await sweep();
    const { refund_id } = (await api.call('POST /refunds', { body: { payment_id: paymentId } })).body;
    await finishRefund(refund_id);
    await sweep();
    expect((await add(id, ['OTHER', 'SHOWN'])).body).toEqual({ added: 1, repeated: 1, free: 1, waiting: 0 });
    expect((await given(id)).map(({ status }) => status)).toEqual(['Revoked']);
  });

  it('gets no code if it was refunded while it waited', async () => {
    const id = await newPool();
    const paymentId = await sell(await productOf(id));
    await sweep();
    const { refund_id } = (await api.call('POST /refunds', { body: { payment_id: paymentId } })).body;
    await finishRefund(refund_id);
    expect((await add(id, ['FREE'])).body.free).toBe(1);
  });

  it('accepts a code of sixteen digits, although it looks like a card number', async () => {
    const id = await newPool();
    expect((await add(id, ['4111111111111111'])).body).toEqual({ added: 1, repeated: 0, free: 1, waiting: 0 });
    await sell(await productOf(id));
    await sweep();
    expect(await keysOf(id)).toEqual(['4111111111111111']);
  });

  it('has a code that the licence routes refuse, because only the store that made the code can check it', async () => {
    const [id, byHand] = [await newPool(), await newPool()];
    await add(id, ['STORE-CODE']);
    for (const pool of [id, byHand]) await sell(await productOf(pool));
    await sweep();
    const [waiting] = (await api.call(`GET /entitlements/${byHand}/grants`)).body.items;
    const delivered = await api.call(`POST /grants/${waiting.id}/license-key`, { body: { key: 'STORE-CODE-2' } });
    expect(delivered.body.license_key.key).toBe('STORE-CODE-2');
    for (const license_key of ['STORE-CODE', 'STORE-CODE-2']) {
      const use = (verb: string, fields: object = {}) =>
        api.call(`POST /licenses/${verb}`, { body: { license_key, ...fields }, key: null });
      expectProblem(await use('activate', { name: 'PC' }), 404, 'LICENSE_KEY_NOT_FOUND');
      expect((await use('validate')).body).toEqual({ valid: false });
      const instance = { license_key_instance_id: `lki_${'x'.repeat(21)}` };
      expectProblem(await use('deactivate', instance), 404, 'LICENSE_KEY_NOT_FOUND');
    }
  });
});
