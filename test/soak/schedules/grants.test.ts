import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DomainError } from '../../../shared/domain/errors.ts';
import { restoreGrant, revokeGrant } from '../../../shared/use-cases/entitlements/change-grant.ts';
import { reissueKey } from '../../../shared/use-cases/entitlements/reissue-key.ts';
import { settlePayment } from '../../../shared/use-cases/payments/settle-payment.ts';
import { newKeys } from '../../../shared/wiring/new-keys.ts';
import {
  countedPayments,
  entitlements,
  grants,
  licenseKeys,
  newId,
  now,
  payments,
  sessions,
  table,
} from '../../../shared/wiring/runtime.ts';
import { processor } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Explored, explore, type Race } from '../../support/schedules/explore.ts';
import {
  refundComesBack,
  settlingGrants,
  soldWith,
  sweepLater,
  withoutComparison,
} from '../../support/schedules/grant-race.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import { campaign } from '../../support/seeded.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund } from '../../support/shop/settle.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

const noon = '2026-03-01T12:00:00.000Z';
let shop: RacingShop;
let flag: string;
let license: string;

beforeAll(async () => {
  shop = await openRacingShop(noon, async ({ api }) => {
    const make = async (integration_type: string, integration_config: object) =>
      (await api.call('POST /entitlements', { body: { name: 'Atlas', integration_type, integration_config } })).body.id;
    flag = await make('feature_flag', { feature_id: 'pro' });
    license = await make('license_key', {});
  });
});
afterAll(() => shop.stop());

const sold = (entitlement: string, card?: string) => soldWith(shop, entitlement, card);

interface Told {
  statuses: string[];
  /** The types of the events about grants and keys, by their numbers. */
  events: string[];
  keys: number;
  isRefunded: boolean;
}

/** The rows of a payment's grants, and their events. */
async function toldOf(paymentId: string): Promise<Told> {
  const [line] = (await payments().get(paymentId)).lines;
  const entitlement = line?.entitlements?.[0]?.id ?? '';
  const listed = (await shop.api.call(`GET /entitlements/${entitlement}/grants`)).body.items;
  const own = listed.filter(({ payment_id: id }: { payment_id: string }) => id === paymentId);
  const { items } = (await shop.api.call('GET /webhook-events', { query: 'page_size=100' })).body;
  const events = items
    .filter(
      ({ payment_id: id, type }: { payment_id: string; type: string }) =>
        id === paymentId && /grant|license/.test(type),
    )
    .sort((a: { sequence: number }, b: { sequence: number }) => a.sequence - b.sequence)
    .map(
      ({ sequence, type }: { sequence: number; type: string }) =>
        `${sequence} ${type.replace('entitlement_grant.', '')}`,
    );
  const keys = (await shop.api.call('GET /license_keys')).body.items.length;
  const isRefunded = line !== undefined && line.refunded === line.gross;
  return { statuses: own.map(({ status }: { status: string }) => status), events, keys, isRefunded };
}

type Racing = Pick<Race, 'racers' | 'mortals'> & { paymentId: string; verify: (told: Told) => void | Promise<void> };

async function run(prepare: () => Promise<Racing>): Promise<Explored> {
  await shop.reopen();
  clock.stopAt(noon);
  const { paymentId, verify, ...race } = await prepare();
  const restore = await shop.keep();
  const at = now().toISOString();
  const reset = async () => {
    clock.stopAt(at);
    await restore();
  };
  const check = async () => {
    await sweepLater();
    await verify(await toldOf(paymentId));
  };
  return explore(table().client, { ...race, reset, verify: check });
}

const refunding = (paymentId: string) => () => shop.api.call('POST /refunds', { body: { payment_id: paymentId } });

/** A sale whose refund of the whole has succeeded and has revoked its grant. */
async function refunded(entitlement: string): Promise<{ paymentId: string; refundId: string }> {
  const paymentId = await sold(entitlement);
  await settlingGrants(paymentId)();
  const { body } = await shop.api.call('POST /refunds', { body: { payment_id: paymentId } });
  await finishRefund(body.refund_id);
  await settlingGrants(paymentId)();
  return { paymentId, refundId: body.refund_id };
}

const once = ['1 created', '2 delivered'];
const onceWithKey = ['1 created', '2 license_key.created', '3 delivered'];

describe('the grants of a payment, in every order of calls, with a crash at every point,', () => {
  it('are created once when two workers run at the same time', async () => {
    const explored = await run(async () => {
      const paymentId = await sold(license);
      const verify = (told: Told) =>
        expect(told).toEqual({ statuses: ['Delivered'], events: onceWithKey, keys: 1, isRefunded: false });
      return { paymentId, racers: [settlingGrants(paymentId), settlingGrants(paymentId)], verify };
    });
    expect([explored.schedules, explored.crashes]).toEqual([10, 38]);
  });

  it('are created once when the payment succeeds while an order page creates them', async () => {
    const explored = await run(async () => {
      const paymentId = await sold(flag, cards.slowSuccess);
      clock.forward({ minutes: 1 });
      const deps = { payments: countedPayments(), sessions: sessions(), processor: processor(), now, newId };
      const verify = (told: Told) => expect(told).toMatchObject({ statuses: ['Delivered'], events: once });
      return { paymentId, racers: [() => settlePayment(deps, paymentId), settlingGrants(paymentId)], verify };
    });
    expect([explored.schedules, explored.crashes]).toEqual([3, 12]);
  });

  it('are revoked, or not created, when the payment is fully refunded at the same time', async () => {
    const explored = await run(async () => {
      const paymentId = await sold(flag);
      const verify = ({ statuses, events, isRefunded }: Told) => {
        if (!isRefunded) return expect([statuses, events]).toEqual([['Delivered'], once]);
        return expect([
          [[], []],
          [['Revoked'], [...once, '3 revoked']],
        ]).toContainEqual([statuses, events]);
      };
      return { paymentId, racers: [settlingGrants(paymentId), refunding(paymentId)], verify };
    });
    expect([explored.schedules, explored.crashes]).toEqual([6, 29]);
  });

  it('are restored once when a refund fails after it has revoked them', async () => {
    const explored = await run(async () => {
      const { paymentId, refundId } = await refunded(flag);
      const verify = (told: Told) => {
        const isBack = told.events.length === 4;
        expect(told.statuses).toEqual([isBack ? 'Delivered' : 'Revoked']);
        expect(told.events).toEqual([...once, '3 revoked', ...(isBack ? ['4 delivered'] : [])]);
      };
      return {
        paymentId,
        racers: [refundComesBack(refundId), settlingGrants(paymentId), settlingGrants(paymentId)],
        verify,
        mortals: [1, 2],
      };
    });
    expect([explored.schedules, explored.crashes]).toEqual([30, 114]);
  });

  it('stay revoked if the merchant has revoked them, with any result of a refund', async () => {
    const explored = await run(async () => {
      const { paymentId, refundId } = await refunded(flag);
      await refundComesBack(refundId)();
      const [grant] = (await shop.api.call(`GET /entitlements/${flag}/grants`)).body.items;
      const deps = { entitlements: entitlements(), grants: grants(), licenseKeys: licenseKeys(), now, newId };
      const revoke = () => revokeGrant(deps, { id: grant.id }, () => []);
      const verify = ({ statuses }: Told) => expect(statuses).toEqual(['Revoked']);
      return { paymentId, racers: [settlingGrants(paymentId), revoke], verify, mortals: [0] };
    });
    expect([explored.schedules, explored.crashes]).toEqual([4, 14]);
  });
});

/** A refusal is an answer, not a failure of the race. */
const orRefused = (act: () => Promise<unknown>) => async (): Promise<void> => {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
  }
};

/** In the short form, only the first of two processes dies. The death of the other is explored with others. */
const inBoth = campaign([0, 1], [0]);

interface Licensed {
  paymentId: string;
  grantId: string;
  /** The id and the text of the key that the sale has before the race. */
  id: string;
  key: string;
}

/** A sale whose licence key is issued. */
async function licensed(limit: number | null = null): Promise<Licensed> {
  const paymentId = await sold(license);
  const [grant] = await settlingGrants(paymentId)();
  const { key, ...stored } = await licenseKeys().get(grant?.licenseKeyId ?? '');
  if (limit !== null) await licenseKeys().save({ ...stored, key, activationsLimit: limit });
  return { paymentId, grantId: grant?.id ?? '', id: stored.id, key };
}

/** The shop of these tests sends no mail. */
const unmailed = () => {
  throw new Error('not expected');
};
const reissuing = ({ id }: Licensed) => orRefused(() => reissueKey(newKeys(unmailed), { id, key: null }, () => []));
const activating = (license_key: string) => () =>
  shop.api.call('POST /licenses/activate', { body: { license_key, name: 'Laptop' }, key: null });
const revoking = ({ grantId }: Licensed) =>
  orRefused(() => revokeGrant(changing(), { id: grantId, reason: 'by hand' }, () => []));
const restoring = ({ grantId }: Licensed) => orRefused(() => restoreGrant(changing(), { id: grantId }, () => []));
const changing = () => ({
  ...{ entitlements: entitlements(), grants: grants(), licenseKeys: licenseKeys(), payments: payments() },
  ...{ now, newId },
});

/** Every key of a sale: whether it is valid now, on how many devices it is counted, and how many rows say so. */
async function keysOf({ paymentId }: Licensed) {
  const { items } = (await shop.api.call('GET /license_keys')).body;
  const own = items.filter(({ payment_id: of }: { payment_id: string }) => of === paymentId);
  return Promise.all(
    own.map(async ({ id, key, instances_count: counted }: { id: string; key: string; instances_count: number }) => {
      const body = { license_key: key };
      const { valid } = (await shop.api.call('POST /licenses/validate', { body, key: null })).body;
      const rows = (await shop.api.call('GET /license_key_instances', { query: `license_key_id=${id}` })).body.items;
      return { id, valid, counted, rows: rows.length };
    }),
  );
}

describe('the licence key of a grant, in every order of calls, with a crash at every point,', () => {
  it('is replaced once when two members click at the same time', async () => {
    const explored = await run(async () => {
      const sale = await licensed();
      const verify = async ({ events, keys, statuses }: Told) => {
        const all = await keysOf(sale);
        expect([statuses, keys]).toEqual([['Delivered'], all.length]);
        expect(all.filter(({ valid }) => valid)).toHaveLength(1);
        expect(all.length).toBeLessThanOrEqual(2);
        expect(events.length).toBe(all.length === 2 ? 5 : 3);
      };
      return { paymentId: sale.paymentId, racers: [reissuing(sale), reissuing(sale)], verify, mortals: inBoth };
    });
    expect([explored.schedules, explored.crashes]).toEqual([10, campaign(84, 42)]);
  });

  it('leaves no active device on the old key if it is activated while it is replaced', async () => {
    const explored = await run(async () => {
      const sale = await licensed(1);
      const verify = async () => {
        const all = await keysOf(sale);
        const old = all.find(({ id }) => id === sale.id);
        expect(all.every(({ counted, rows }) => counted === rows && counted <= 1)).toBe(true);
        expect(old).toMatchObject(all.length === 2 ? { valid: false, counted: 0 } : { valid: true });
      };
      return { paymentId: sale.paymentId, racers: [reissuing(sale), activating(sale.key)], verify, mortals: inBoth };
    });
    expect([explored.schedules, explored.crashes]).toEqual([6, campaign(62, 44)]);
  });

  it('is not replaced by a valid key when the payment is fully refunded at the same time', async () => {
    const explored = await run(async () => {
      const sale = await licensed();
      const verify = async ({ isRefunded, statuses }: Told) => {
        const valid = (await keysOf(sale)).filter((one) => one.valid);
        expect([valid.length, statuses]).toEqual(isRefunded ? [0, ['Revoked']] : [1, ['Delivered']]);
      };
      return {
        paymentId: sale.paymentId,
        racers: [reissuing(sale), refunding(sale.paymentId)],
        verify,
        mortals: inBoth,
      };
    });
    expect([explored.schedules, explored.crashes]).toEqual([17, campaign(95, 78)]);
  });

  it('is not replaced by a valid key when the grant is revoked at the same time', async () => {
    const explored = await run(async () => {
      const sale = await licensed();
      const verify = async ({ statuses }: Told) => {
        const valid = (await keysOf(sale)).filter((one) => one.valid);
        expect(valid).toHaveLength(statuses[0] === 'Revoked' ? 0 : 1);
      };
      return { paymentId: sale.paymentId, racers: [reissuing(sale), revoking(sale)], verify, mortals: inBoth };
    });
    expect([explored.schedules, explored.crashes]).toEqual([7, campaign(56, 35)]);
  });
});

describe('a revoked grant that a member restores, in every order of calls, with a crash at every point,', () => {
  it('gives no access when the payment is fully refunded at the same time', async () => {
    const explored = await run(async () => {
      const sale = await licensed();
      await revoking(sale)();
      const verify = async ({ isRefunded, statuses }: Told) => {
        const valid = (await keysOf(sale)).filter((one) => one.valid);
        if (isRefunded) expect([valid, statuses]).toEqual([[], ['Revoked']]);
        else expect(valid).toHaveLength(statuses[0] === 'Delivered' ? 1 : 0);
      };
      return {
        paymentId: sale.paymentId,
        racers: [restoring(sale), refunding(sale.paymentId)],
        verify,
        mortals: inBoth,
      };
    });
    expect([explored.schedules, explored.crashes]).toEqual([4, campaign(16, 8)]);
  });

  it('is restored once when two members click at the same time', async () => {
    const explored = await run(async () => {
      const sale = await licensed();
      await revoking(sale)();
      const verify = ({ events, statuses }: Told) => {
        const isBack = statuses[0] === 'Delivered';
        expect(events).toEqual([...onceWithKey, '4 revoked', ...(isBack ? ['5 delivered'] : [])]);
      };
      return { paymentId: sale.paymentId, racers: [restoring(sale), restoring(sale)], verify, mortals: inBoth };
    });
    expect([explored.schedules, explored.crashes]).toEqual([4, campaign(18, 9)]);
  });
});

describe('the check of these tests', () => {
  it('finds a grant that is delivered after its refund, if no commit compares the payment with its newer state', async () => {
    const restore = withoutComparison();
    const explored = run(async () => {
      const paymentId = await sold(flag);
      const verify = ({ statuses, isRefunded }: Told) => {
        if (isRefunded) expect(statuses).not.toContain('Delivered');
      };
      const refundAndSettle = async () => {
        await refunding(paymentId)();
        await settlingGrants(paymentId)();
      };
      return { paymentId, racers: [settlingGrants(paymentId), refundAndSettle], verify };
    });
    await expect(explored).rejects.toThrow(/Delivered/);
    restore();
  });
});
