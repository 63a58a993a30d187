import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Row } from '../../../infra/commands/books/read-books.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { describeWith020 } from '../../support/released/version-0-2-0.ts';
import { contradictions, scanRows } from '../../support/shop/books.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { sendThrough } from '../../support/table/send-through.ts';
import { type ChangingStack, sellOn, startChangingStack, type Version, type Versions } from './changing-stack.ts';

const versions: readonly Version[] = ['0.2.0', 'today'];

const everyOrder: readonly Versions[] = versions.flatMap((relay) =>
  versions.flatMap((dispatcher) =>
    versions.flatMap((sweep) => versions.map((issuer) => ({ relay, dispatcher, sweep, issuer }))),
  ),
);

describeWith020('Events while a stack has functions of 0.2.0 and of this version', () => {
  let stack: ChangingStack;
  let productId: string;
  beforeAll(async () => {
    stack = await startChangingStack();
    productId = await addProduct(stack.api);
  });
  afterAll(async () => {
    clock.run();
    await stack.stop();
  });
  beforeEach(() => {
    clock.stopAt(new Date().toISOString()); // a receiver refuses a signature that is five minutes away from now
    stack.failed.length = 0;
  });

  const rows = () => scanRows(table().client, table().name);
  const of = (entity: string, all: readonly Row[]) => all.filter((row) => row['entity'] === entity);

  /** Three sales of each version, and a refund. */
  async function sellAndRefund(): Promise<void> {
    const { api, before } = stack;
    const sold: string[] = [];
    for (const version of [api, before, api, before, api, before]) sold.push(await sellOn(version, productId));
    await api.call('POST /refunds', { body: { payment_id: sold[0] } });
  }

  /** How often each endpoint has got each event with a signature that is right. */
  const arrivalsOf = (id: string) =>
    stack.receivers.map(({ deliveries }) => deliveries.filter((one) => one.id === id && one.verified).length);

  /** What the table got since these rows were read. */
  async function addedTo(before: readonly Row[]): Promise<Row[]> {
    const known = new Set(before.map(({ pk, sk }) => `${pk} ${sk}`));
    return (await rows()).filter(({ pk, sk }) => !known.has(`${pk} ${sk}`));
  }

  const eventIds = (added: readonly Row[]) => of('EVENT', added).map(({ id }) => String(id));

  it.each(everyOrder)(
    'are delivered once and get one document: relay $relay, dispatcher $dispatcher, sweep $sweep, issuer $issuer',
    async (mixed) => {
      const before = await rows();
      await sellAndRefund();
      await stack.relay(mixed.relay);
      const carried = await stack.handOver(mixed);
      for (const minutes of [2, 1, 1]) {
        clock.forward({ minutes, milliseconds: 100 });
        await stack.sweep(mixed.sweep);
        carried.push(...(await stack.handOver(mixed)));
      }
      for (const version of versions) for (const entry of carried) await stack.dispatch(version, entry); // the archive replays them
      expect(stack.failed).toEqual([]);
      const added = await addedTo(before);
      const ids = eventIds(added);
      expect(ids).toHaveLength(7);
      expect(ids.map(arrivalsOf)).toEqual(ids.map(() => [1, 1]));
      expect(added.filter(({ dueSk }) => dueSk !== undefined)).toEqual([]);
      expect(of('DOCUMENT', added)).toHaveLength(7); // six invoices and a credit note
      const numbers = of('DOCUMENT_NUMBER', added).map(({ kind, serial }) => `${kind} ${serial}`);
      expect(new Set(numbers).size).toBe(7);
      expect(await contradictions(await rows())).toEqual([]);
    },
  );

  const successions = versions.flatMap((dies) =>
    versions.flatMap((sweep) => versions.map((lives) => ({ dies, sweep, lives }))),
  );

  it.each(successions)(
    'are delivered two minutes after the sale if a dispatcher crashes: it $dies, sweep $sweep, the next one $lives',
    async ({ dies, sweep, lives }) => {
      const before = await rows();
      await sellAndRefund();
      await stack.relay('today');
      const revive = dieOnceClaimed(dies === 'today' ? table().client : stack.before.table.client);
      await stack.handOver({ relay: 'today', sweep, dispatcher: dies, issuer: 'today' });
      revive();
      clock.forward({ minutes: 2, milliseconds: 100 });
      await stack.sweep(sweep);
      await stack.handOver({ relay: 'today', sweep, dispatcher: lives, issuer: 'today' });
      const arrivals = eventIds(await addedTo(before)).map(arrivalsOf);
      expect(arrivals).toHaveLength(7);
      for (const arrived of arrivals.flat()) expect([1, 2]).toContain(arrived);
      expect(arrivals).toContainEqual([2, 2]); // sent, and dead before that was written
    },
  );
});

/** Lets everything that uses a client die as soon as an event is claimed. Returns how it comes back to life. */
function dieOnceClaimed(client: DynamoDBDocumentClient): () => void {
  let isDead = false;
  return sendThrough(client, (send) => async (command) => {
    if (isDead) throw new Error('killed');
    isDead = String(command.input['UpdateExpression']).includes('claimedFor = ');
    return send(command);
  });
}
