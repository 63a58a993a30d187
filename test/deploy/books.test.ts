import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { restoreRows } from '../../infra/commands/books/restore-rows.ts';
import { runBooks } from '../../infra/commands/books.ts';
import { type Receiver, startReceiver } from '../../infra/local/demo/receiver.ts';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { createLocalTable } from '../../infra/local/local-table.ts';
import { type FakeStripe, startFakeStripe } from '../../infra/local/stripe/fake-stripe.ts';
import { type LocalParameters, startParameters } from '../../infra/local-aws/parameters.ts';
import type { Payment } from '../../shared/domain/payments/payment.ts';
import { parseEvent } from '../../shared/store/events/event-store.ts';
import { keys } from '../../shared/store/keys.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { scanRows } from '../support/shop/books.ts';
import { sell } from '../support/shop/shop.ts';
import { changeData, dataOf } from '../support/table/change-data.ts';
import { typed, typedInShell } from '../support/wire/command.ts';

const copy = 'restored-copy';
let api: Api;
let client: DynamoDBDocumentClient;
/** A payment of which a part was returned, and one of which nothing was. */
let [part, whole, refundId] = ['', '', ''];
let receiver: Receiver;
let endpointId = '';
const mails = mkdtempSync(join(tmpdir(), 'mails-'));

/** What the bus hands to the workers. */
async function work(): Promise<void> {
  const events = (await scanRows(client, api.tableName)).filter(({ entity }) => entity === 'EVENT');
  for (const event of events.sort((a, b) => (String(a['occurredAt']) < String(b['occurredAt']) ? -1 : 1))) {
    const { id, type, payload } = parseEvent(event);
    const detail = { event_id: id, ...JSON.parse(payload) };
    const carried = { 'detail-type': type, detail: { ...detail, payment_id: event['paymentId'] } };
    await invokeFunction('webhooks/dispatch-webhook', carried);
    await invokeFunction('documents/issue-documents', carried);
  }
}

beforeAll(async () => {
  process.env['MAIL_FOLDER'] = mails;
  api = await startApiThroughSdk();
  receiver = await startReceiver();
  endpointId = (await api.call('POST /webhooks', { body: { url: receiver.url } })).body.id;
  ({ client } = (await import('../../shared/wiring/runtime.ts')).table());
  part = (await sell(api)).paymentId;
  whole = (await sell(api)).paymentId;
  const headers = { 'idempotency-key': 'a key whose answer must not come back' };
  const { body } = await api.call('POST /refunds', { body: { payment_id: part, amount: 500 }, headers });
  refundId = body.refund_id;
  await work();
  await createLocalTable(api.table.call, copy);
  for (const Item of await scanRows(client, api.tableName))
    await client.send(new PutCommand({ TableName: copy, Item }));
});
afterAll(async () => {
  await receiver.stop();
  await api.stop();
  rmSync(mails, { recursive: true });
});

/** What the operator types, and sees. */
async function books(...args: string[]): Promise<{ code: number; said: string }> {
  const { code, out, error } = await typed(runBooks, args);
  return { code, said: out + error };
}
const check = () => books('check', '--table', api.tableName);
const restore = (...more: string[]) => books('restore', '--table', api.tableName, '--from', copy, ...more);
const remove = (Key: object) => client.send(new DeleteCommand({ TableName: api.tableName, Key }));
/** The key of some event. */
async function eventKey(): Promise<{ pk: string; sk: string }> {
  const { pk, sk } = (await scanRows(client, copy)).find(({ entity }) => entity === 'EVENT') ?? {};
  return { pk: String(pk), sk: String(sk) };
}
const rowOf = async (Key: object) => (await client.send(new GetCommand({ TableName: api.tableName, Key }))).Item;

describe('the books of a stack with a processor', () => {
  const key = 'rk_test_of_an_operator';
  const directory = mkdtempSync(join(tmpdir(), 'merchants-'));
  let parameters: LocalParameters;
  let stripe: FakeStripe;
  beforeAll(async () => {
    [parameters, stripe] = await Promise.all([startParameters(), startFakeStripe({ key })]);
    vi.stubEnv('AWS_ENDPOINT_URL_SSM', parameters.url);
    const merchant = { id: 'shop', name: 'Shop', country: 'DE' };
    const stages = { sandbox: { processor: { name: 'stripe' } } };
    writeFileSync(join(directory, 'shop.json'), JSON.stringify({ merchant, stages }));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await Promise.all([parameters.stop(), stripe.stop()]);
    rmSync(directory, { recursive: true });
  });

  const withAccount = (stored: string | undefined, at: string) => {
    parameters.values.clear();
    if (stored !== undefined) parameters.values.set('/tillstack/shop/sandbox/stripe/key', stored);
    const shop = ['--merchant', 'shop', '--stage', 'sandbox', '--merchants', directory];
    return books('check', '--table', api.tableName, ...shop, '--processor-url', at);
  };
  const nowhere = 'http://127.0.0.1:9';

  it.each([
    { why: 'has no key', stored: undefined, at: () => nowhere, says: 'The key is not set' },
    { why: 'has a key of the other mode', stored: 'rk_live_1234', at: () => nowhere, says: 'needs a test key' },
    { why: 'does not answer', stored: key, at: () => nowhere, says: 'did not answer: TypeError. Try again later.' },
    {
      why: 'does not know the key',
      stored: 'rk_test_unknown',
      at: () => stripe.url,
      says: 'say where by --processor-url.',
    },
  ])('are checked in the table alone, with a message, if the processor $why', async ({ stored, at, says }) => {
    const { code, said } = await withAccount(stored, at());
    expect([code, said]).toEqual([1, expect.stringContaining('events: the table balances.\nThey were not compared')]);
    expect(said).toContain(says);
  });

  it('balance if the processor reports the same amounts', async () => {
    expect(await withAccount(key, stripe.url)).toMatchObject({
      code: 0,
      said: expect.stringContaining('the books balance.'),
    });
  });
});

describe('the books of a stack', () => {
  it('balance, and the check reports the number of their records', async () => {
    const balance = '2 payments, 1 refunds, 0 disputes, 3 documents, 2 sessions, 3 events: the books balance.\n';
    expect(await check()).toEqual({ code: 0, said: balance });
    const args = ['check', '--table', api.tableName];
    const script = 'infra/commands/books.ts';
    expect(await typedInShell(script, args, api.endpoint)).toEqual({ code: 0, out: balance, error: '' });
  });

  it.each([
    {
      damage: 'a cent that is nowhere',
      change: (payment: Payment) => ({ ...payment, refunded: 499 }),
      says: 'refundable, pending, refunded and disputed do not add up to the amount',
    },
    {
      damage: 'a refund that is not counted',
      change: (payment: Payment) => ({ ...payment, refunds: [] }),
      says: 'its list of refunds differs from the refund rows',
    },
    {
      damage: 'a tax that is not inside',
      change: (payment: Payment) => ({ ...payment, tax: 0 }),
      says: 'net and tax do not add up to the amount',
    },
    { damage: 'a row of another shape', change: () => 'gone', says: 'the row cannot be read' },
  ])('do not balance with $damage, and are complete again after the restoration', async ({ change, says }) => {
    const before = await rowOf(keys.payment(part));
    await changeData({ client, name: api.tableName }, keys.payment(part), change);
    const damaged = await check();
    expect([damaged.code, damaged.said.includes(says) && damaged.said.includes(part)]).toEqual([1, true]);
    expect((await restore()).said).toContain('0 added, 0 replaced');
    const { code, said } = await restore('--replace', `PAYMENT#${part}`);
    expect([code, said]).toEqual([0, expect.stringContaining('0 added, 1 replaced.')]);
    expect(await rowOf(keys.payment(part))).toEqual(before);
  });

  it.each([
    { lost: 'a payment', key: () => keys.payment(whole), says: /it is being paid, but its payment pay_\w+ is missing/ },
    { lost: 'a refunded payment', key: () => keys.payment(part), says: /its payment pay_\w+ is missing/ },
    { lost: 'a refund', key: () => keys.refund(refundId), says: 'its refunds do not add up to refunded' },
  ])('do not balance when $lost is missing, and the copy restores it', async ({ key, says }) => {
    await remove(key());
    const damaged = await check();
    expect([damaged.code, damaged.said]).toEqual([1, expect.stringMatching(says)]);
    const { code, said } = await restore();
    expect([code, said]).toEqual([0, expect.stringContaining('1 added, 0 replaced.')]);
  });

  it('do not balance if a session names a payment that did not pay it', async () => {
    const { sessionId } = await dataOf({ client, name: api.tableName }, keys.payment(whole));
    const place = { client, name: api.tableName };
    const name = (paymentId: string) => changeData(place, keys.session(sessionId), (data) => ({ ...data, paymentId }));
    await name(part);
    expect((await check()).said).toContain(`${sessionId}: it is open, but has 1 succeeded payments`);
    await name(whole);
    expect((await check()).code).toBe(0);
  });

  it('get a lost session back, even if the session of a refused payment has its row now', async () => {
    const { sessionId } = await dataOf({ client, name: api.tableName }, keys.payment(whole));
    const [createdAt, expiresAt] = [new Date().toISOString(), new Date(Date.now() + 3_600_000).toISOString()];
    const refusal = { fingerprint: '', status: 404, body: '{}', createdAt, expiresAt, isRetry: false };
    const Item = { ...keys.session(sessionId), entity: 'IDEM', ...refusal };
    await client.send(new PutCommand({ TableName: api.tableName, Item }));
    expect((await restore()).said).toContain('1 added, 0 replaced.');
    expect(await rowOf(keys.session(sessionId))).toMatchObject({ entity: 'SESSION', data: { paymentId: whole } });
  });

  /** The event of a payment's success. */
  const eventOf = async (paymentId: string): Promise<string> =>
    String(
      (await scanRows(client, copy)).find(
        (row) => row['type'] === 'payment.succeeded' && row['paymentId'] === paymentId,
      )?.id,
    );
  const year = new Date().getFullYear().toString();
  const invoice = (serial: number) => `INV-${year}-00000${serial}`;

  it.each([
    {
      lost: 'an invoice',
      key: () => keys.document(whole),
      says: () => `${whole}: its document ${invoice(2)} is missing`,
    },
    {
      lost: 'a credit note',
      key: () => keys.document(refundId),
      says: () => `${refundId}: its document CRN-${year}-000001 is missing`,
    },
    {
      lost: 'a number of a series',
      key: () => keys.documentNumber('INV', year, 1),
      says: () => `${part}: its number ${invoice(1)} is missing from the series`,
    },
    {
      lost: 'a number of a series, which leaves a gap',
      key: () => keys.documentNumber('INV', year, 1),
      says: () => `${invoice(1)} is missing from its series`,
    },
    {
      lost: 'the row that keeps a number',
      key: () => keys.takenNumber(whole),
      says: () => `${whole}: the row that reserves its number ${invoice(2)} is missing`,
    },
    {
      lost: 'the counter',
      key: () => keys.series('INV', year),
      says: () => `INV-${year}: the counter is at 0, but number 2 is used`,
    },
    {
      lost: 'the mark of a mail',
      key: () => keys.documentMail(refundId),
      says: () => `${refundId}: its document CRN-${year}-000001 was not mailed`,
    },
    {
      lost: 'a delivery',
      key: async () => keys.delivery(await eventOf(whole), endpointId),
      says: async () => `${await eventOf(whole)}: its delivery to ${endpointId} is missing`,
    },
    {
      lost: 'an event',
      key: async () => keys.event(await eventOf(whole)),
      says: () => `${whole}: it counts 1 events, but finds none`,
    },
    {
      lost: 'a refund, whose credit note stays',
      key: () => keys.refund(refundId),
      says: () =>
        `${refundId}: document CRN-${year}-000001 exists, but its payment or refund has not succeeded or is missing`,
    },
    {
      lost: 'a payment, whose invoice stays',
      key: () => keys.payment(whole),
      says: () => `${whole}: document ${invoice(2)} exists, but its payment or refund has not succeeded or is missing`,
    },
  ])('do not balance when $lost is missing: the check names it, and the copy restores it', async ({ key, says }) => {
    await remove(await key());
    const damaged = await check();
    expect([damaged.code, damaged.said.split('\n')]).toEqual([1, expect.arrayContaining([await says()])]);
    const { code, said } = await restore();
    expect([code, said]).toEqual([0, expect.stringContaining('1 added, 0 replaced.')]);
  });

  it('do not balance if an invoice has another amount than its payment', async () => {
    const place = { client, name: api.tableName };
    const set = (gross: number) => changeData(place, keys.document(whole), (data) => ({ ...data, gross }));
    await set(1);
    expect((await check()).said).toContain(`${whole}: its document ${invoice(2)} has a different amount`);
    await set(1_999);
    expect((await check()).code).toBe(0);
  });

  it('get missing documents from the issue command, with the old number or the next one, and without mails', async () => {
    const before = readdirSync(mails).length;
    const late = (await sell(api)).paymentId;
    expect((await check()).said).toContain(`${late}: it has no document`);
    await remove(keys.document(part));
    const args = ['issue', '--merchant', 'demo', '--table', api.tableName];
    const { code, said } = await books(...args);
    expect([code, said]).toEqual([0, expect.stringContaining('2 documents issued.')]);
    const numberOf = async (id: string) => (await dataOf({ client, name: api.tableName }, keys.document(id))).number;
    expect([await numberOf(part), await numberOf(late)]).toEqual([invoice(1), invoice(3)]);
    expect(readdirSync(mails)).toHaveLength(before);
    expect((await books(...args)).said).toContain('0 documents issued.');
  });

  it.each([
    { row: 'a payment', key: () => keys.payment(part), without: 'data', replaced: 1 },
    { row: 'an event', key: async () => eventKey(), without: 'payload', replaced: 2 },
  ])(
    'do not balance with $row that has lost its content, and are complete again after the restoration',
    async ({ key, without, replaced }) => {
      const Key = await key();
      const before = await rowOf(Key);
      await client.send(
        new UpdateCommand({
          TableName: api.tableName,
          Key,
          UpdateExpression: 'REMOVE #lost',
          ExpressionAttributeNames: { '#lost': without },
        }),
      );
      expect((await check()).said).toContain('the row cannot be read');
      const { code, said } = await restore('--replace', Key.pk);
      expect([code, said]).toEqual([0, expect.stringContaining(`0 added, ${replaced} replaced.`)]);
      expect(await rowOf(Key)).toEqual(before);
    },
  );

  it('are restored completely into an empty table, except the answers stored for repeated requests', async () => {
    await createLocalTable(api.table.call, 'empty-table');
    const { code } = await books('restore', '--table', 'empty-table', '--from', copy);
    expect(code).toBe(0);
    const entities = (rows: { entity?: unknown }[]) => new Set(rows.map(({ entity }) => entity));
    const [there, here] = [await scanRows(client, copy), await scanRows(client, 'empty-table')];
    expect([...entities(there)].filter((entity) => !entities(here).has(entity))).toEqual(['IDEM']);
    expect(here).toHaveLength(there.filter(({ entity }) => entity !== 'IDEM').length);
  });

  it('are restored with a counter at the highest used number, even if the copy’s counter is older', async () => {
    const rows = await scanRows(client, copy);
    const isCounter = (row: { entity?: unknown; pk?: unknown }) =>
      row.entity === 'SERIES' && row.pk === keys.series('INV', year).pk;
    const counter = rows.find(isCounter) as { data: object };
    for (const name of ['behind-table', 'behind-copy']) await createLocalTable(api.table.call, name);
    for (const Item of rows.filter((row) => !isCounter(row)))
      await client.send(new PutCommand({ TableName: 'behind-table', Item }));
    const older = { ...counter, version: 1, data: { ...counter.data, last: 1, version: 1 } };
    for (const Item of [older, ...rows.filter(({ entity }) => entity === 'NUMBER')])
      await client.send(new PutCommand({ TableName: 'behind-copy', Item }));
    const { code, said } = await books('restore', '--table', 'behind-table', '--from', 'behind-copy');
    expect(said).toContain('1 added, 0 replaced.\n1 counters of documents moved up to their highest number.');
    expect([code, said]).toEqual([0, expect.stringContaining('the books balance')]);
  });

  it('use no number again that was given after the copy was made, even if the counter is lost', async () => {
    const rows = await scanRows(client, copy);
    const isOfInvoices = (row: { pk?: unknown }) => row.pk === keys.series('INV', year).pk;
    for (const name of ['later-table', 'earlier-copy']) await createLocalTable(api.table.call, name);
    for (const Item of rows.filter((row) => !isOfInvoices(row)))
      await client.send(new PutCommand({ TableName: 'later-table', Item }));
    const { code, said } = await books('restore', '--table', 'later-table', '--from', 'earlier-copy');
    expect([code, said]).toEqual([0, expect.stringContaining('the books balance')]);
    const counter = (await scanRows(client, 'later-table')).find(
      (row) => isOfInvoices(row) && row['entity'] === 'SERIES',
    );
    expect(counter).toMatchObject({ data: { last: 2 } });
  });

  it.each([
    {
      fault: 'replaces what the copy does not have',
      args: ['--from', copy, '--replace', 'PAYMENT#pay_of_nobody'],
      says: '--replace PAYMENT#pay_of_nobody is in no row of restored-copy. Nothing was restored.',
      code: 2,
    },
    { fault: 'is from the table itself', args: ['--from', '<table>'], says: '--from must be another table', code: 2 },
    {
      fault: 'is from a table that is not there',
      args: ['--from', 'gone'],
      says: 'There is no table gone in',
      code: 1,
    },
  ])('do not change if a restoration $fault', async ({ args, says, code }) => {
    await remove(keys.payment(whole));
    const named = args.map((word) => (word === '<table>' ? api.tableName : word));
    expect(await books('restore', '--table', api.tableName, ...named)).toEqual({
      code,
      said: expect.stringContaining(says),
    });
    expect(await rowOf(keys.payment(whole))).toBeUndefined();
    expect((await restore()).code).toBe(0);
  });

  it('are not checked if the table does not exist, and the message names the table', async () => {
    const { code, said } = await books('check', '--table', 'gone');
    expect([code, said]).toEqual([1, expect.stringContaining('There is no table gone in')]);
  });

  it('are restored with the events last, so each event finds its document and number in the table', async () => {
    await createLocalTable(api.table.call, 'watched-table');
    const written: unknown[] = [];
    const watch = { step: 'initialize', name: 'watch' } as const;
    client.middlewareStack.add(
      (next) => (args) => {
        const { Item } = args.input as { Item?: { entity: string } };
        if (Item) written.push(Item.entity);
        return next(args);
      },
      watch,
    );
    const nothing = { replace: new Set<string>(), now: new Date(), onProgress: () => {} };
    const { read, added } = await restoreRows(client, { from: copy, to: 'watched-table', ...nothing });
    client.middlewareStack.remove(watch.name);
    expect([read, added]).toEqual([(await scanRows(client, copy)).length, written.length]);
    const firstEvent = written.indexOf('EVENT');
    expect(firstEvent).toBeGreaterThan(0);
    expect(new Set(written.slice(firstEvent))).toEqual(new Set(['EVENT']));
  });

  it.each([
    { typed: ['nothing'], says: 'There is no command "nothing"', code: 2 },
    { typed: ['check'], says: '--merchant is required.', code: 2 },
    { typed: ['restore', '--table', 'x'], says: '--from is required.', code: 2 },
    { typed: ['check', '--merchant', 'demo', '--stage', 'live'], says: 'There are 0 tables', code: 1 },
  ])(
    'stay unread if a command line is incomplete, and a message says what is missing: $typed',
    async ({ typed, says, code }) => {
      expect(await books(...typed)).toEqual({ code, said: expect.stringContaining(says) });
    },
  );
});
