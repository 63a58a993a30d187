import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { StaleVersion } from '../../shared/domain/idempotency.ts';
import { findItem } from '../../shared/store/table/read.ts';
import { commit, ifAbsent, versionedWrite } from '../../shared/store/table/transaction.ts';
import type { Write } from '../../shared/store/table/write.ts';
import { table } from '../../shared/wiring/runtime.ts';
import {
  type Faults,
  faultsAtRandom,
  faultsInOrder,
  injectFaults,
  type PlannedFault,
} from '../support/faults/faults-by-plan.ts';
import { campaign, inTurn, seeded, tally, times } from '../support/seeded.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';
import { addProduct } from '../support/shop/shop.ts';
import { useShortPauses } from '../support/short-pauses.ts';
import { sendThrough } from '../support/table/send-through.ts';

let api: Api;
let faults: Faults | undefined;
beforeAll(async () => {
  api = await startApiThroughSdk();
});
afterEach(() => faults?.heal());
afterAll(() => api.stop());
useShortPauses();

let serial = 0;
const newKey = () => {
  serial += 1;
  return { pk: `ALONE#${serial}`, sk: 'ALONE' };
};
type Key = ReturnType<typeof newKey>;

const rowOf = async (key: Key) => (await findItem(table(), key)) ?? {};
const isPut = ({ operation }: { operation: string }) => operation === 'PutItem';
const under = (...plan: PlannedFault[]) => {
  faults = injectFaults(faultsInOrder(plan, isPut));
};

const created = (key: Key, text = 'mine'): Write => ({
  put: { ...key, entity: 'ALONE', text },
  condition: ifAbsent,
  refusal: (existing) => new Error(`there is ${existing?.['text']}`),
});

const versioned = (key: Key, version: number, text: string): Write =>
  versionedWrite({ version, text }, { ...key, entity: 'ALONE' }, () => new StaleVersion());

const send = (write: Write) => commit(table(), [write]);

/** Overwrites the table's row. */
const overwrite = (key: Key, row: object) =>
  table().client.send(new PutCommand({ TableName: table().name, Item: { ...key, ...row } }));

describe('a write of one row', () => {
  it('is sent without a transaction, for half of the cost', async () => {
    const units: number[] = [];
    const restore = sendThrough(table().client, (through) => async (command) => {
      Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
      const answer = await through(command);
      const consumed = [answer['ConsumedCapacity']].flat() as { CapacityUnits: number }[];
      units.push(...consumed.map(({ CapacityUnits }) => CapacityUnits));
      return answer;
    });
    await send(created(newKey()));
    await commit(table(), [created(newKey()), created(newKey())]);
    restore();
    expect(units).toEqual([1, 4]);
  });

  it('is refused when the row exists, and the error contains the existing row', async () => {
    const key = newKey();
    await send(created(key, 'the first'));
    await expect(send(created(key, 'the second'))).rejects.toThrow('there is the first');
    expect(await rowOf(key)).toMatchObject({ text: 'the first' });
  });

  it('is refused for one of two equal rows that are written at the same time', async () => {
    const key = newKey();
    const outcomes = await Promise.allSettled([send(created(key)), send(created(key))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('succeeds even if its answer is lost several times, for a new and for a changed row', async () => {
    const key = newKey();
    under('ack_lost', 'ack_lost', 'ack_lost', 'ack_lost', 'ack_lost', 'ack_lost', 'ack_lost');
    await send(versioned(key, 0, 'new'));
    expect(faults?.counts.ack_lost).toBeGreaterThan(1);
    faults?.heal();
    under('ack_lost', 'never_sent', 'ack_lost');
    await send(versioned(key, 1, 'changed'));
    expect(await rowOf(key)).toMatchObject({ version: 2, data: { text: 'changed' } });
  });

  it.each<PlannedFault>(['throttle', 'never_sent', 'slow'])('succeeds after the fault %s', async (fault) => {
    const key = newKey();
    under(fault);
    await send(created(key));
    expect(await rowOf(key)).toMatchObject({ text: 'mine' });
  });

  it('ends with a 503 if another process changed the row after the answer was lost', async () => {
    const key = newKey();
    await send(versioned(key, 0, 'new'));
    let puts = 0;
    const restore = sendThrough(table().client, (through) => async (command) => {
      puts += 1;
      if (puts > 1) return through(command);
      await through(command);
      await overwrite(key, { version: 3, data: { text: 'another' } });
      throw Object.assign(new Error('socket hang up on purpose'), { code: 'ECONNRESET' });
    });
    const outcome = send(versioned(key, 1, 'changed')).finally(restore);
    await expect(outcome).rejects.toMatchObject({ message: 'The store did not answer in time. Try again.' });
  });

  it('is refused as outdated if another write came first, even after a failed attempt', async () => {
    const key = newKey();
    await overwrite(key, { version: 2, data: { text: 'another' } });
    under('never_sent');
    await expect(send(versioned(key, 1, 'changed'))).rejects.toMatchObject({ name: 'StaleVersion' });
  });

  it('is refused at the first conflict if it changes a row, and is repeated if it creates a row', async () => {
    const key = newKey();
    under({ conflictOn: 'ALONE' });
    await expect(send(versioned(key, 1, 'changed'))).rejects.toMatchObject({ name: 'StaleVersion' });
    faults?.heal();
    under({ conflictOn: 'ALONE' });
    await send(created(newKey()));
    expect(faults?.calls.filter(isPut)).toHaveLength(2);
  });

  it('is done once even if three calls in ten fail, and is never refused because of its own row', async () => {
    const count = campaign(2_000, 100);
    const keys = times(count).map(newKey);
    faults = injectFaults(faultsAtRandom(seeded(21), 0.3, ['ack_lost', 'never_sent', 'slow']));
    const told = await inTurn(keys, 8, (key) => send(created(key)).catch(({ code, message }) => code ?? message));
    faults.heal();
    const outcomes = await inTurn(keys, 8, async (key, index) => {
      const isThere = (await rowOf(key))['text'] === 'mine';
      return told[index] ?? (isThere ? 'written' : 'lost');
    });
    console.log(`${count} single writes under ${JSON.stringify(faults.counts)}: ${JSON.stringify(tally(outcomes))}`);
    expect(outcomes.filter((outcome) => outcome !== 'written' && outcome !== 'SERVICE_UNAVAILABLE')).toEqual([]);
    expect(tally(outcomes)['written']).toBeGreaterThan(count * 0.9);
  });
});

describe('a checkout session, which the API writes in one row,', () => {
  it('is written once even if answers of the table are lost, with and without an Idempotency-Key', async () => {
    const productId = await addProduct(api);
    const losing = faultsAtRandom(seeded(22), 0.4, ['ack_lost']);
    faults = injectFaults((call) => (/Put|Write/.test(call.operation) ? losing(call) : undefined));
    const body = { product_cart: [{ product_id: productId, quantity: 1 }] };
    const answers = await inTurn(times(campaign(500, 40)), 4, (index) =>
      api.call('POST /checkouts', { body, headers: index % 2 ? { 'idempotency-key': `alone-${index}` } : {} }),
    );
    faults.heal();
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: answers.length });
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'])).toEqual([]);
    for (const { body: session } of answers)
      expect((await api.call(`GET /checkouts/${session.session_id}`)).status).toBe(200);
  });

  it('exists once its request is answered, even if its write with an Idempotency-Key has conflicts', async () => {
    const product_cart = [{ product_id: await addProduct(api), quantity: 1 }];
    const open = (key: string) =>
      api.call('POST /checkouts', { body: { product_cart }, headers: { 'idempotency-key': key } });
    const isSession = ({ entities }: { entities: string[] }) => entities.includes('SESSION');
    faults = injectFaults(faultsInOrder([{ conflictOn: 'SESSION' }], isSession));
    const opened = await open('conflict-once');
    expect((await api.call(`GET /checkouts/${opened.body.session_id}`)).status).toBe(200);
    faults.heal();
    faults = injectFaults((call) => (isSession(call) ? { conflictOn: 'SESSION' } : undefined));
    expect((await open('conflicts')).status).toBe(503);
    faults.heal();
    const again = await open('conflicts');
    expect(again.status).toBe(200);
    expect((await api.call(`GET /checkouts/${again.body.session_id}`)).status).toBe(200);
  });
});
