import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DisputeGround } from '../../../../shared/domain/disputes/dispute-adjustment.ts';
import { DomainError } from '../../../../shared/domain/errors.ts';
import { chooseGround } from '../../../../shared/use-cases/disputes/choose-ground.ts';
import { disputes, newId, now, payments, table } from '../../../../shared/wiring/runtime.ts';
import { clock } from '../../../support/clock.ts';
import { explore, type Race } from '../../../support/schedules/explore.ts';
import { openRacingShop, type RacingShop } from '../../../support/schedules/racing-shop.ts';
import { campaign } from '../../../support/seeded.ts';
import { moneyContradictions, scanRows } from '../../../support/shop/books.ts';
import { hearBank, loseDispute } from '../../../support/shop/settle.ts';
import { sell } from '../../../support/shop/shop.ts';
import { sendThrough } from '../../../support/table/send-through.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

const noon = '2026-03-01T12:00:00.000Z';
let shop: RacingShop;
beforeAll(async () => {
  shop = await openRacingShop(noon);
});
afterAll(() => shop.stop());

/** A choice, whose refusal is an outcome. */
const choosing = (disputeId: string, ground: DisputeGround, replaces?: DisputeGround) => async () => {
  const deps = { disputes: disputes(), payments: payments(), now, newId };
  try {
    return (await chooseGround(deps, { disputeId, ground, replaces }, () => [])).adjustments?.length;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

const givesBack = (paymentId: string) => () => hearBank(paymentId, { status: 'won', withdrawn: 0, isRefundable: true });

interface Setting {
  paymentId: string;
  disputeId: string;
  racers: Race['racers'];
}

async function lost(): Promise<{ paymentId: string; disputeId: string }> {
  const { paymentId } = await sell(shop.api);
  return { paymentId, disputeId: await loseDispute(paymentId) };
}

const races: Record<string, () => Promise<Setting>> = {
  'the same ground twice': async () => {
    const { disputeId, ...sale } = await lost();
    const racers = [choosing(disputeId, 'rescinded'), choosing(disputeId, 'rescinded')];
    return { ...sale, disputeId, racers };
  },
  'two different grounds': async () => {
    const { disputeId, ...sale } = await lost();
    const racers = [choosing(disputeId, 'rescinded'), choosing(disputeId, 'uncollectible')];
    return { ...sale, disputeId, racers };
  },
  'a ground while the money comes back': async () => {
    const { disputeId, paymentId } = await lost();
    return { paymentId, disputeId, racers: [choosing(disputeId, 'rescinded'), givesBack(paymentId)] };
  },
  'a change of the ground, twice': async () => {
    const { disputeId, ...sale } = await lost();
    await choosing(disputeId, 'rescinded')();
    const change = choosing(disputeId, 'uncollectible', 'rescinded');
    return { ...sale, disputeId, racers: [change, change] };
  },
  'a change of the ground while the money comes back': async () => {
    const { disputeId, paymentId } = await lost();
    await choosing(disputeId, 'rescinded')();
    return { paymentId, disputeId, racers: [choosing(disputeId, 'uncollectible', 'rescinded'), givesBack(paymentId)] };
  },
  'the money that comes back, heard twice': async () => {
    const { disputeId, paymentId } = await lost();
    await choosing(disputeId, 'uncollectible')();
    return { paymentId, disputeId, racers: [givesBack(paymentId), givesBack(paymentId)] };
  },
};

async function raceOf(name: string): Promise<Race> {
  await shop.reopen();
  clock.stopAt(noon);
  const { paymentId, disputeId, racers } = await (races[name] as () => Promise<Setting>)();
  const at = now().toISOString();
  const restore = await shop.keep();
  return {
    racers,
    reset: async () => {
      clock.stopAt(at);
      await restore();
    },
    verify: async () => {
      const { adjustments = [], lines } = await disputes().get(disputeId);
      const kinds = adjustments.map(({ kind }) => kind);
      expect(kinds).toEqual(['lost', 'won', 'lost', 'won'].slice(0, kinds.length));
      if (lines.length === 0) expect(kinds.length % 2).toBe(0);
      expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
      const { refundable, disputed, gross } = await payments().get(paymentId);
      expect(refundable + disputed).toBe(gross);
    },
  };
}

describe('A lost dispute in every order of calls, with a crash at every point,', () => {
  it.each(Object.keys(races))('has each ground once, and loses it with the money: %s', async (name) => {
    const explored = await explore(table().client, await raceOf(name));
    console.log(`${name}: ${JSON.stringify(explored)}`);
    expect(explored.schedules).toBeGreaterThan(1);
    expect(explored.crashes).toBeGreaterThan(1);
  });
});

describe('the check of these tests', () => {
  it('finds a lost dispute with two different tax adjustments, if no commit compares the rows with their read state', async () => {
    const race = await raceOf('two different grounds');
    const restore = sendThrough(table().client, (send) => (command) => {
      const items = (command.input['TransactItems'] ?? []) as { Put?: Record<string, unknown> }[];
      for (const { Put } of items) {
        delete Put?.['ConditionExpression'];
        delete Put?.['ExpressionAttributeNames'];
        delete Put?.['ExpressionAttributeValues'];
      }
      return send(command);
    });
    await expect(explore(table().client, race)).rejects.toThrow('in the order');
    restore();
  });
});
