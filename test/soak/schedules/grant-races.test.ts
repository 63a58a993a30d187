import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { downloadToken } from '../../../shared/domain/entitlements/download-link.ts';
import { orderSecret } from '../../../shared/domain/orders/order-link.ts';
import { sandboxDisputeReference } from '../../../shared/outside/processor/sandbox/sandbox-disputes.ts';
import { revokeGrant } from '../../../shared/use-cases/entitlements/change-grant.ts';
import { downloadFile, openDownload } from '../../../shared/use-cases/entitlements/download-file.ts';
import { removeFile } from '../../../shared/use-cases/entitlements/entitlement-files.ts';
import { settleDispute } from '../../../shared/use-cases/payments/settle-dispute.ts';
import { mails } from '../../../shared/wiring/books.ts';
import {
  countedPayments,
  entitlements,
  grants,
  licenseKeys,
  newId,
  now,
  payments,
  sessions,
  stackSecret,
  table,
  throttles,
} from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { explore, type Race, sample } from '../../support/schedules/explore.ts';
import { everything, type Footprint } from '../../support/schedules/footprint.ts';
import { grantBooksOf, grantContradictions } from '../../support/schedules/grant-books.ts';
import {
  refundComesBack,
  settlingGrants,
  soldWith,
  sweepLater,
  withoutComparison,
} from '../../support/schedules/grant-race.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import type { ScheduleStage } from '../../support/schedules/stage.ts';
import { campaign, seeded } from '../../support/seeded.ts';
import { scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { disputing, finishRefund } from '../../support/shop/settle.ts';
import { makeFilesReady } from '../../support/table/ready-files.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

const noon = '2026-03-01T12:00:00.000Z';
let shop: RacingShop;
/** The entitlements of the shop: a flag, a licence key for one device, a pool of codes, and a file. */
let gives: { flag: string; license: string; pool: string; files: string; fileId: string };

beforeAll(async () => {
  shop = await openRacingShop(noon, async ({ api }) => {
    const make = async (integration_type: string, integration_config: object) =>
      (await api.call('POST /entitlements', { body: { name: 'Atlas', integration_type, integration_config } })).body.id;
    const files = await make('digital_files', {});
    const announced = { file_name: 'Atlas.pdf', file_size: 3 };
    const { file_id: fileId } = (await api.call(`POST /entitlements/${files}/files`, { body: announced })).body;
    await makeFilesReady(files);
    gives = {
      flag: await make('feature_flag', { feature_id: 'pro' }),
      license: await make('license_key', { activations_limit: 1 }),
      pool: await make('license_key', { fulfillment_mode: 'manual', pool: true }),
      files,
      fileId,
    };
    await stackSecret();
  });
});
afterAll(() => shop.stop());

const sold = (entitlement: string, card?: string) => soldWith(shop, entitlement, card);
const granted = async (entitlement: string, card?: string): Promise<string> => {
  const paymentId = await sold(entitlement, card);
  await settlingGrants(paymentId)();
  return paymentId;
};
const grantOf = async (entitlement: string) =>
  (await shop.api.call(`GET /entitlements/${entitlement}/grants`)).body.items[0];

const refunding = (paymentId: string) => () => shop.api.call('POST /refunds', { body: { payment_id: paymentId } });

/** A sale whose refund of the whole has succeeded and has revoked its grant. */
async function refunded(entitlement: string): Promise<{ paymentId: string; refundId: string }> {
  const paymentId = await granted(entitlement);
  const { body } = await refunding(paymentId)();
  await finishRefund(body.refund_id);
  await settlingGrants(paymentId)();
  return { paymentId, refundId: body.refund_id };
}

/** Hears of a chargeback of a payment, which is lost five minutes after it was opened. */
async function chargeback(paymentId: string): Promise<() => Promise<unknown>> {
  const { gross, currency, createdAt } = await payments().get(paymentId);
  const reference = sandboxDisputeReference({
    ...{ paymentId, amount: gross, currency },
    openedAt: Date.parse(createdAt),
    decidesWithinMs: 5 * 60_000,
  });
  const deps = () => ({ payments: countedPayments(), sessions: sessions(), ...disputing(), now, newId });
  return () => settleDispute(deps(), reference);
}

const revokingByHand = (grantId: string) => () =>
  revokeGrant(
    { entitlements: entitlements(), grants: grants(), licenseKeys: licenseKeys(), now, newId },
    { id: grantId },
    () => [],
  );

const activating = (licenseKey: string, name: string) => async () => {
  const { status, body } = await shop.api.call('POST /licenses/activate', {
    key: null,
    body: { license_key: licenseKey, name },
  });
  return { status, id: body.id as string };
};
const deactivating = (licenseKey: string, id: string) => async () => {
  const body = { license_key: licenseKey, license_key_instance_id: id };
  return { status: (await shop.api.call('POST /licenses/deactivate', { key: null, body })).status };
};
const validates = async (licenseKey: string): Promise<boolean> =>
  (await shop.api.call('POST /licenses/validate', { key: null, body: { license_key: licenseKey } })).body.valid;

const later = (stage: ScheduleStage) => stage.step(everything, async () => clock.forward({ minutes: 6 }));

const bytes: Footprint = { reads: new Set(['bytes']), writes: new Set(['bytes']) };

/** The bucket of a race. It removes bytes only after no offer names them. */
const bucketAt = (stage: ScheduleStage) => ({
  look: async () => undefined,
  remove: () =>
    stage.step(bytes, async () => {
      const { config } = await entitlements().get(gives.files);
      if (config.type === 'digital_files') expect(config.files).toEqual([]);
    }),
  signDownload: async () => 'https://bucket.example/file',
});
const noBucket = {
  look: async () => undefined,
  remove: async () => undefined,
  signDownload: async () => 'https://bucket.example/file',
};

const downloadDeps = (files: ReturnType<typeof bucketAt> = noBucket) => ({
  ...{ grants: grants(), payments: payments(), entitlements: entitlements(), throttles: throttles() },
  ...{ mails: mails(), isMailed: false },
  ...{ files, stackSecret, hashOf: (text: string) => text, now },
});

/** A link of the order's page to the file of a sale. */
async function linkOf(paymentId: string) {
  const { id: grantId } = await grantOf(gives.files);
  const place = { grantId, fileId: gives.fileId };
  return {
    ...place,
    token: downloadToken(place, now(), orderSecret(await payments().get(paymentId), await stackSecret())),
  };
}
type Link = Awaited<ReturnType<typeof linkOf>>;

const pressing = (link: Link) => async (stage: ScheduleStage) =>
  (await downloadFile(downloadDeps(bucketAt(stage)), link)).outcome;
const opens = async (link: Link) => (await openDownload(downloadDeps(), link)).outcome;
const downloads = async ({ grantId, fileId }: Link) => (await grants().get(grantId)).downloads?.[fileId]?.count ?? 0;

/** Every press that led to the file is counted, and a press whose answer got lost may be. */
async function assertCounted(link: Link, outcomes: readonly unknown[]): Promise<void> {
  const led = outcomes.filter((outcome) => outcome === 'leads').length;
  const lost = outcomes.filter((outcome) => outcome === undefined).length;
  const count = await downloads(link);
  expect(count).toBeGreaterThanOrEqual(led);
  expect(count).toBeLessThanOrEqual(led + lost);
}

type Setting = Pick<Race, 'racers' | 'mortals'> & { verify?: (outcomes: readonly unknown[]) => Promise<void> };

const statusesOf = async (): Promise<string[]> =>
  [...grantBooksOf(await scanRows(table().client, table().name)).grants.values()].map(({ status }) => status);

const races: Record<string, () => Promise<Setting>> = {
  'a chargeback and a refund that is returned': async () => {
    const { paymentId, refundId } = await refunded(gives.flag);
    return { racers: [await chargeback(paymentId), refundComesBack(refundId), settlingGrants(paymentId)] };
  },
  'a lost chargeback and a refund that is returned': async () => {
    const { paymentId, refundId } = await refunded(gives.flag);
    const hear = await chargeback(paymentId);
    return {
      racers: [hear, refundComesBack(refundId), later],
      mortals: [0, 1],
      verify: async () => {
        await hear();
        await sweepLater();
        expect(await statusesOf()).toEqual(['revoked']);
      },
    };
  },
  'a chargeback and a pending refund that fails': async () => {
    const paymentId = await granted(gives.flag, cards.failingRefunds);
    const { body } = await refunding(paymentId)();
    clock.forward({ minutes: 2 });
    return {
      racers: [await chargeback(paymentId), () => finishRefund(body.refund_id), settlingGrants(paymentId)],
    };
  },
  'a chargeback and the creation of the grant': async () => {
    const paymentId = await sold(gives.license);
    return { racers: [await chargeback(paymentId), settlingGrants(paymentId), settlingGrants(paymentId)] };
  },
  'a lost chargeback and the creation of the grant': async () => {
    const paymentId = await sold(gives.flag);
    const hear = await chargeback(paymentId);
    return {
      racers: [hear, settlingGrants(paymentId), later],
      mortals: [0, 1],
      verify: async () => {
        await hear();
        await sweepLater();
        expect(await statusesOf()).not.toContain('delivered');
      },
    };
  },
  'a revocation by the merchant and two activations': async () => {
    await granted(gives.license);
    const { id, license_key: license } = await grantOf(gives.license);
    return {
      racers: [revokingByHand(id), activating(license.key, 'one'), activating(license.key, 'two')],
      verify: async () => {
        await revokingByHand(id)();
        expect([await validates(license.key), await statusesOf()]).toEqual([false, ['revoked']]);
      },
    };
  },
  'a refund and an activation': async () => {
    const paymentId = await granted(gives.license);
    const { license_key: license } = await grantOf(gives.license);
    return {
      racers: [refunding(paymentId), activating(license.key, 'one'), settlingGrants(paymentId)],
      verify: async () => {
        const [line] = (await payments().get(paymentId)).lines;
        expect(await validates(license.key)).toBe(line?.refunded === 0);
      },
    };
  },
  'two activations and a deactivation': async () => {
    await granted(gives.license);
    const { license_key: license } = await grantOf(gives.license);
    const { id } = await activating(license.key, 'first')();
    return {
      racers: [
        activating(license.key, 'one'),
        activating(license.key, 'two'),
        deactivating(license.key, id),
        deactivating(license.key, id),
      ],
      mortals: [0, 2],
    };
  },
  'the removal of a file and two downloads': async () => {
    const paymentId = await granted(gives.files);
    const link = await linkOf(paymentId);
    const place = { entitlementId: gives.files, fileId: gives.fileId };
    const removing = (stage: ScheduleStage) =>
      removeFile({ entitlements: entitlements(), files: bucketAt(stage), now }, place, () => []);
    return {
      racers: [removing, pressing(link), pressing(link)],
      verify: async ([removed, ...outcomes]) => {
        await assertCounted(link, outcomes);
        if (removed !== undefined) expect(await opens(link)).toBe('closed');
      },
    };
  },
  'a refund and a download': async () => {
    const paymentId = await granted(gives.files);
    const link = await linkOf(paymentId);
    return {
      racers: [refunding(paymentId), pressing(link), settlingGrants(paymentId)],
      verify: async ([, outcome]) => {
        await assertCounted(link, [outcome]);
        const [line] = (await payments().get(paymentId)).lines;
        expect(await opens(link)).toBe(line?.refunded === 0 ? 'open' : 'ended');
      },
    };
  },
  'a revocation by the merchant and a download': async () => {
    const paymentId = await granted(gives.files);
    const link = await linkOf(paymentId);
    return {
      racers: [revokingByHand(link.grantId), pressing(link), settlingGrants(paymentId)],
      verify: async ([revoked, outcome]) => {
        await assertCounted(link, [outcome]);
        if (revoked !== undefined) expect(await opens(link)).toBe('ended');
      },
    };
  },
  'two sales and the last code': async () => {
    const [one, other] = [await sold(gives.pool), await sold(gives.pool)];
    await shop.api.call(`POST /entitlements/${gives.pool}/codes`, { body: { codes: ['GAME-1'] } });
    return {
      racers: [settlingGrants(one), settlingGrants(other)],
      verify: async () => expect((await statusesOf()).sort()).toEqual(['delivered', 'pending']),
    };
  },
  'a waiting sale, its new code and its refund': async () => {
    const paymentId = await granted(gives.pool);
    const adding = () => shop.api.call(`POST /entitlements/${gives.pool}/codes`, { body: { codes: ['GAME-1'] } });
    return { racers: [adding, refunding(paymentId)], mortals: [0, 1] };
  },
};

/** How many schedules each race has in which all live, and in which one dies. */
const counts: Readonly<Record<string, readonly [schedules: number, crashes: number]>> = {
  'a chargeback and a refund that is returned': [37, 145],
  'a lost chargeback and a refund that is returned': [46, 139],
  'a chargeback and a pending refund that fails': [32, 123],
  'a chargeback and the creation of the grant': [82, 334],
  'a lost chargeback and the creation of the grant': [76, 247],
  'a revocation by the merchant and two activations': [25, 150],
  'a refund and an activation': [19, 122],
  'two activations and a deactivation': [154, 949],
  'the removal of a file and two downloads': [15, 77],
  'a refund and a download': [22, 128],
  'a revocation by the merchant and a download': [12, 78],
  'two sales and the last code': [8, 58],
  'a waiting sale, its new code and its refund': [9, 72],
};

/** A race with more orders than this is run in a few random ones. The full campaign runs every order. */
const mostOrders = campaign(Number.POSITIVE_INFINITY, 100, 40);
const randomOrders = 12;

async function raceOf(prepare: () => Promise<Setting>): Promise<Race> {
  await shop.reopen();
  clock.stopAt(noon);
  const { racers, mortals, verify } = await prepare();
  const at = now().toISOString();
  const restore = await shop.keep();
  const assertSound = async () => {
    const faults = grantContradictions(await scanRows(table().client, table().name));
    if (faults.length > 0) throw new Error(faults.join('; '));
  };
  return {
    racers,
    ...(mortals && { mortals }),
    reset: async () => {
      clock.stopAt(at);
      await restore();
    },
    verify: async (outcomes) => {
      await sweepLater();
      await assertSound();
      await verify?.(outcomes);
      await assertSound();
    },
  };
}

describe('the grants of a payment', () => {
  it.each(Object.entries(races))(
    'are right after this race, in every order of calls, even if a process crashes: %s',
    async (name, prepare) => {
      const race = await raceOf(prepare);
      const [schedules, crashes] = counts[name] as [number, number];
      if (schedules + crashes > mostOrders) {
        await sample(table().client, race, { random: seeded(34), runs: randomOrders });
        return;
      }
      const explored = await explore(table().client, race);
      console.log(`${name}: ${JSON.stringify(explored)}`);
      expect(explored).toMatchObject({ schedules, crashes });
    },
  );
});

describe('the check of these tests', () => {
  it('finds a grant that outlives its refund, if no commit compares the payment with its newer state', async () => {
    const race = await raceOf(async () => {
      const paymentId = await sold(gives.flag);
      const refundAndSettle = async () => {
        await refunding(paymentId)();
        await settlingGrants(paymentId)();
      };
      return { racers: [settlingGrants(paymentId), refundAndSettle], mortals: [] };
    });
    const restore = withoutComparison();
    await expect(explore(table().client, race)).rejects.toThrow(/and it is refunded/);
    restore();
  });
});
