import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keyedSessionIdOf, requestMarkOf } from '../../../shared/domain/ids.ts';
import { windowsToRead, windowsToWrite } from '../../../shared/domain/key-windows.ts';
import { formatApiKey } from '../../../shared/http/api-key.ts';
import { slotOf } from '../../../shared/http/idempotency/answer-slot.ts';
import { keys } from '../../../shared/store/keys.ts';
import { sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { addProduct, pay } from '../../support/shop/shop.ts';
import { countRows } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let productId: string;
/** The answers to two callers without the right before the stack had a secret, and the rows after these calls. */
let strangers: { statuses: number[]; rows: Record<string, number> };
beforeAll(async () => {
  api = await startApi();
  const unknown = formatApiKey('sandbox', 'u'.repeat(32));
  const keysOfStrangers = [unknown, await api.addKey({ access: 'read' })];
  const told = await Promise.all(keysOfStrangers.map((key) => ask(key, 'a stranger')));
  strangers = { statuses: told.map(({ status }) => status), rows: await countRows(api) };
  productId = await addProduct(api);
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const unknownProduct = `pdt_${'0'.repeat(21)}`;

let serial = 0;
const newKey = (): string => {
  serial += 1;
  return `keyed-${serial}`;
};

const cart = (id = productId) => ({ product_cart: [{ product_id: id, quantity: 1 }] });
const open = (key: string, body: object = cart()): Promise<ApiAnswer> =>
  api.call('POST /checkouts', { body, headers: { 'idempotency-key': key } });
/** The same with another API key. */
const ask = (apiKey: string, key: string, body: object = cart(unknownProduct)): Promise<ApiAnswer> =>
  api.call('POST /checkouts', { key: apiKey, body, headers: { 'idempotency-key': key } });

function expectAgain(again: ApiAnswer, first: ApiAnswer): void {
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers['idempotent-replayed']).toBe('true');
}

describe('the id of a session that is opened with an Idempotency-Key', () => {
  const at = Date.parse('2026-03-01T12:00:00Z');
  const hours = (count: number) => new Date(at + count * 3_600_000);

  it('is derived from the key, its route, the time window and the secret, and looks like any other id', () => {
    const ids = [
      keyedSessionIdOf('POST /checkouts#a', 1, 'secret'),
      keyedSessionIdOf('POST /checkouts#b', 1, 'secret'),
      keyedSessionIdOf('POST /checkout-sessions/create#a', 1, 'secret'),
      keyedSessionIdOf('POST /checkouts#a', 2, 'secret'),
      keyedSessionIdOf('POST /checkouts#a', 1, 'another'),
    ];
    expect(new Set(ids).size).toBe(5);
    expect(keyedSessionIdOf('POST /checkouts#a', 1, 'secret')).toBe(ids[0]);
    for (const id of ids) expect(id).toMatch(/^cks_[0-9A-Za-z]{21}$/);
    expect(requestMarkOf('a', 'secret')).not.toBe(requestMarkOf('a', 'another'));
  });

  it('is searched in every time window of the last 48 hours, and simultaneous requests share a window', () => {
    const wrong: number[] = [];
    for (let hour = 0; hour < 70 * 24; hour += 1 / 12) {
      const written = windowsToWrite(hours(hour));
      const isFound = [0, 1 / 60, 9.9 / 60, 1, 24, 47.99, 48].every((later) =>
        windowsToRead(hours(hour + later)).includes(written[0] ?? Number.NaN),
      );
      const isShared = [1 / 60, 9.9 / 60, 19.9 / 60].every((apart) =>
        windowsToWrite(hours(hour + apart)).some((window) => written.includes(window)),
      );
      if (!isFound || !isShared) wrong.push(hour);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the secret behind the ids of sessions', () => {
  it('is not created for a request with an unknown or read-only API key', () => {
    expect(strangers).toEqual({ statuses: [401, 403], rows: {} });
  });
});

describe('a stored refusal that takes the place of a session', () => {
  it('is never shown as a session', async () => {
    await open(newKey()); // the secret is there
    const key = newKey();
    const before = await scanRows(table().client, table().name);
    expect((await open(key, cart(unknownProduct))).status).toBe(404);
    const after = await scanRows(table().client, table().name);
    const [refusal, ...others] = after.filter(({ pk }) => !before.some((row) => row.pk === pk));
    expect([refusal?.['entity'], others]).toEqual(['IDEM', []]);
    const id = String(refusal?.pk).replace('SESSION#', '');
    expect(id).toMatch(/^cks_/);
    expect(await sessions().find(id)).toBeUndefined();
    expectProblem(await api.call(`GET /checkouts/${id}`), 404, 'NOT_FOUND');
    expect((await api.call(`GET /checkout/${id}`, { key: null })).status).toBe(404);
  });
});

describe('a session that is opened with an Idempotency-Key', () => {
  it('needs only one row, and a repeated request gets the same answer', async () => {
    const before = await countRows(api);
    const key = newKey();
    const first = await open(key);
    const after = await countRows(api);
    expect(after['SESSION']).toBe((before['SESSION'] ?? 0) + 1);
    expect(after['IDEM']).toBe(before['IDEM']);
    expectAgain(await open(key), first);
    expectProblem(await open(key, { ...cart(), metadata: { other: '1' } }), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await countRows(api)).toEqual(after);
  });

  it('is still the answer to a repeated request after it was paid', async () => {
    const key = newKey();
    const first = await open(key);
    await pay(first.body.session_id, { expectedTotal: 1_999 });
    expectAgain(await open(key), first);
    expectProblem(await open(key, { ...cart(), metadata: { other: '1' } }), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('is still the answer to a repeated request after it expired and its product was archived', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const [key, product] = [newKey(), await addProduct(api)];
    const first = await open(key, cart(product));
    await api.call(`DELETE /products/${product}`);
    clock.forward({ hours: 47 });
    expectAgain(await open(key, cart(product)), first);
    expect((await sessions().get(first.body.session_id)).expiresAt < '2026-03-03').toBe(true);
  });

  it('stays unchanged after 48 hours, when its key can open another session', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const key = newKey();
    const first = await open(key);
    clock.forward({ hours: 49 });
    const second = await open(key, { ...cart(), metadata: { other: '1' } });
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(second.body.session_id).not.toBe(first.body.session_id);
    expectAgain(await open(key, { ...cart(), metadata: { other: '1' } }), second);
    expectProblem(await open(key), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect((await sessions().get(first.body.session_id)).metadata).toEqual({});
    clock.forward({ hours: 49 });
    const ids = [first, second, await open(key)].map(({ body }) => body.session_id);
    expect(new Set(ids).size).toBe(3);
  });

  it('has another id when the same key is used in a later window', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const key = newKey();
    const first = await open(key);
    clock.forward({ days: 64 });
    expect((await open(key)).body.session_id).not.toBe(first.body.session_id);
  });

  it('is not opened within 48 hours after the first request was refused', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const [key, product] = [newKey(), await addProduct(api)];
    await api.call(`DELETE /products/${product}`);
    const refused = await open(key, cart(product));
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await api.call(`POST /products/${product}/unarchive`);
    expectAgain(await open(key, cart(product)), refused);
    expectProblem(await open(key), 422, 'IDEMPOTENCY_KEY_REUSED');
    clock.forward({ hours: 49 });
    const opened = await open(key, cart(product));
    expect([opened.status, opened.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expectAgain(await open(key, cart(product)), opened);
  });

  it('is not opened again when an earlier release stored the answer in a row', async () => {
    const [key, body] = [newKey(), cart()];
    const request = { routeKey: 'POST /checkouts', path: '/checkouts', requestId: '', keyless: undefined };
    const { SessionInput } = await import('../../../shared/wire/checkout/checkout-session.ts');
    const slot = slotOf({ ...request, key, body: SessionInput.parse(body), now: new Date() });
    if (!slot) throw new Error('A request under a key has a slot.');
    const { id, fingerprint, createdAt, expiresAt } = slot.record;
    const answer = (await open(newKey())).text.replace(/cks_\w+/g, 'cks_ofVersionBefore0000000');
    const kept = { fingerprint, createdAt, expiresAt, isRetry: false, begun: 'cks_1', status: 200, body: answer };
    const Item = { ...keys.idempotency(id), entity: 'IDEM', ...kept };
    await table().client.send(new PutCommand({ TableName: table().name, Item }));
    const again = await open(key, body);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([answer, 'true']);
    expectProblem(await open(key, { ...body, metadata: { other: '1' } }), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('has a different id each time when no key is sent', async () => {
    const ids = [
      await api.call('POST /checkouts', { body: cart() }),
      await api.call('POST /checkouts', { body: cart() }),
    ];
    expect(new Set(ids.map(({ body }) => body.session_id)).size).toBe(2);
    expect((await sessions().get(ids[0]?.body.session_id)).requestMark).toBeUndefined();
  });
});
