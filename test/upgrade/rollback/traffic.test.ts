import { afterAll, beforeAll, expect, it } from 'vitest';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { giveUpEarly } from '../../support/give-up-early.ts';
import { describeWith020 } from '../../support/released/version-0-2-0.ts';
import { grantContradictions } from '../../support/schedules/grant-books.ts';
import { contradictions, scanRows } from '../../support/shop/books.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { type ChangingStack, sellOn, startChangingStack, type Version } from '../version-0-2-0/changing-stack.ts';
import { allWorkers, workOn } from './carried.ts';

describeWith020('A shop that goes to this version, back to 0.2.0 and forward again, with traffic all the time', () => {
  let stack: ChangingStack;
  let book: string;
  let giving: string;
  beforeAll(async () => {
    clock.stopAt(new Date(Date.now() - 4 * 60_000).toISOString()); // a receiver refuses a signature that is five minutes away from now
    stack = await startChangingStack();
    book = await addProduct(stack.api);
    const license = { name: 'Atlas', integration_type: 'license_key', integration_config: {} };
    const { body } = await stack.api.call('POST /entitlements', { body: license });
    giving = await addProduct(stack.api, { entitlements: [{ entitlement_id: body.id }] });
  });
  afterAll(async () => {
    clock.run();
    await stack.stop();
  });
  giveUpEarly();

  const versionOf = (version: Version) => (version === 'today' ? stack.api : stack.before);
  const sold: string[] = [];

  /** Each version sells, and refunds a part of the sale before, which another version may have made. */
  async function sellOnAll(versions: readonly Version[]): Promise<void> {
    for (const version of versions) {
      sold.push(await sellOn(versionOf(version), book));
      const body = { payment_id: sold.at(-2) ?? sold[0], amount: 500 };
      expect((await versionOf(version).call('POST /refunds', { body })).status).toBe(200);
      if (version === 'today') sold.push(await sellOn(stack.api, giving));
      await stack.relay(version);
    }
  }

  /** The versions whose functions work, one phase after the other. */
  const phases: readonly (readonly [Version, Version?])[] = [
    ['0.2.0'],
    ['0.2.0', 'today'],
    ['today'],
    ['today', '0.2.0'],
    ['0.2.0'],
    ['today'],
  ];

  it('loses nothing and doubles nothing', async () => {
    for (const [first, second = first] of phases) {
      await sellOnAll(first === second ? [first] : [first, second]);
      await stack.handOver(allWorkers(first));
      clock.forward({ minutes: 1 });
      await Promise.all([stack.sweep(first), first === second ? undefined : stack.sweep(second)]);
      await stack.handOver(allWorkers(second));
    }
    for (const minutes of [1, 1]) {
      clock.forward({ minutes });
      await workOn(stack, allWorkers('today'));
    }
    const rows = await scanRows(table().client, table().name);
    const of = (entity: string) => rows.filter((row) => row['entity'] === entity);
    const arrivalsOf = (id: unknown) =>
      stack.receivers.map(({ deliveries }) => deliveries.filter((one) => one.id === id && one.verified).length);
    expect([sold.length, new Set(sold).size]).toEqual([12, 12]); // 8 books, and 4 with a licence key
    expect(rows.filter(({ dueSk }) => dueSk !== undefined)).toEqual([]);
    expect(of('EVENT')).toHaveLength(12 + 8 + 4 * 3); // sales, refunds, and of each key: created, granted, delivered
    expect(of('EVENT').flatMap(({ id }) => arrivalsOf(id))).toEqual(of('EVENT').flatMap(() => [1, 1]));
    expect(of('DOCUMENT')).toHaveLength(12 + 8);
    expect(await contradictions(rows)).toEqual([]);
    expect(grantContradictions(rows)).toEqual([]);
    // the relay of 0.2.0 gives up on types that it does not know
    expect(stack.failed.every((one) => Object.keys(one as object).join() === 'itemIdentifier')).toBe(true);
  });
});
