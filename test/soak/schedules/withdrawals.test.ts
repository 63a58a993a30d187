import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { downloadToken } from '../../../shared/domain/entitlements/download-link.ts';
import { grantsOwedBy } from '../../../shared/domain/entitlements/grant.ts';
import { DomainError } from '../../../shared/domain/errors.ts';
import { withdrawalRefundIdOf } from '../../../shared/domain/ids.ts';
import { orderSecret } from '../../../shared/domain/orders/order-link.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { isRefundFailed, type Withdrawal } from '../../../shared/domain/withdrawal/withdrawal-case.ts';
import { sandboxDisputeReference } from '../../../shared/outside/processor/sandbox/sandbox-disputes.ts';
import { issueDocuments } from '../../../shared/use-cases/documents/issue-documents.ts';
import { downloadFile, openDownload } from '../../../shared/use-cases/entitlements/download-file.ts';
import { openLine } from '../../../shared/use-cases/orders/open-line.ts';
import { settleDispute } from '../../../shared/use-cases/payments/settle-dispute.ts';
import { makeCorrection } from '../../../shared/use-cases/tax-ids/make-correction.ts';
import { decideByItself } from '../../../shared/use-cases/withdrawal/decide-by-itself.ts';
import { type DecisionRequest, decideWithdrawal } from '../../../shared/use-cases/withdrawal/decide-withdrawal.ts';
import { storeDeclaration } from '../../../shared/use-cases/withdrawal/declare-withdrawal.ts';
import { supplyFactsOf } from '../../../shared/use-cases/withdrawal/load-supply.ts';
import { documents, exchangeRates, mails } from '../../../shared/wiring/books.ts';
import * as runtime from '../../../shared/wiring/runtime.ts';
import { orderUrlOf, processor, refundStep, taxSettings } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { explore, type Race, sample } from '../../support/schedules/explore.ts';
import { grantContradictions } from '../../support/schedules/grant-books.ts';
import { refundComesBack, settlingGrants, soldWith, sweepLater } from '../../support/schedules/grant-race.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import { campaign, seeded } from '../../support/seeded.ts';
import { testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { disputing, finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { makeFilesReady } from '../../support/table/ready-files.ts';
import { sendThrough } from '../../support/table/send-through.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

const noon = '2026-03-01T12:00:00.000Z';
const { countedPayments, newId, now, payments, sessions, table, withdrawals } = runtime;
let shop: RacingShop;
let flag: string;
/** An entitlement with one file. */
let book: { id: string; fileId: string };
beforeAll(async () => {
  shop = await openRacingShop(noon, async ({ api }) => {
    const make = async (integration_type: string, integration_config: object): Promise<string> =>
      (await api.call('POST /entitlements', { body: { name: 'Atlas', integration_type, integration_config } })).body.id;
    flag = await make('feature_flag', { feature_id: 'pro' });
    const id = await make('digital_files', {});
    const announced = { file_name: 'Atlas.pdf', file_size: 3 };
    book = { id, fileId: (await api.call(`POST /entitlements/${id}/files`, { body: announced })).body.file_id };
    await makeFilesReady(id);
  });
});
afterAll(() => shop.stop());

const deps = () => ({
  withdrawals: withdrawals(),
  payments: countedPayments(),
  allowances: runtime.refundAllowances(),
  refundWindowDays: undefined,
  refundStep,
  processor: processor(),
  mailer: undefined,
  alert: () => {},
  chosenLanguage: async () => undefined,
  currentAddress: async () => '',
  composeReply: () => {
    throw new Error('This shop sends no mail.');
  },
  brands: { get: async () => ({ ...(await runtime.brands().get()), withdrawal: { refundsByItself: true } }) },
  supplyOf: async () => ({ confirmedAt: null, lines: [] }),
  now,
  newId,
});

const person = { hash: 'person', access: 'admin', refunds: { perDay: null } } as const;
const refund = { outcome: 'refund', lines: null, reason: null, note: null } as const;

/** A decision, whose refusal is an outcome. */
const deciding =
  (id: string, request: Omit<DecisionRequest, 'id'> = refund) =>
  async () => {
    try {
      const command = { request: { id, ...request }, by: person, name: 'Ann' };
      return (await decideWithdrawal(deps(), command, () => [])).current.decisions.length;
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  };

const byItself = (withdrawal: Withdrawal) => () => decideByItself(deps(), withdrawal);

/** The same, with a look at what the buyer has opened. */
const byItselfLooking = (withdrawal: Withdrawal) => () => {
  const supplying = { mails: mails(), grants: runtime.grants(), licenseKeys: runtime.licenseKeys() };
  const supplyOf = (payment: Payment) => supplyFactsOf(supplying, payment);
  return decideByItself({ ...deps(), supplyOf }, withdrawal);
};

/** A proven declaration about a payment. */
const declaring =
  (paymentId: string, id = 'wdr_000000000000000000001', lines: number[] | null = null) =>
  () =>
    storeDeclaration(
      { withdrawals: withdrawals(), sendsMail: false, newId, now },
      {
        ...{ id, receivedAt: now().toISOString(), source: 'order_link', name: 'Ann', email: 'buyer@example.com' },
        ...{ reference: paymentId, language: 'en', paymentId, lines },
      },
      { orderId: null, refundsByItself: true },
    );

const merchantRefunds = (paymentId: string, amount?: number) => async () =>
  (await shop.api.call('POST /refunds', { body: { payment_id: paymentId, ...(amount && { amount }) } })).status;

async function chargeback(paymentId: string): Promise<() => Promise<unknown>> {
  const { gross, currency, createdAt } = await payments().get(paymentId);
  const opened = { openedAt: Date.parse(createdAt), decidesWithinMs: 5 * 60_000 };
  const reference = sandboxDisputeReference({ paymentId, amount: gross, currency, ...opened });
  const settling = () => ({ payments: countedPayments(), sessions: sessions(), ...disputing(), now, newId });
  return () => settleDispute(settling(), reference);
}

async function sold(card?: string, entitlement = flag): Promise<string> {
  const paymentId = await soldWith(shop, entitlement, card);
  await settlingGrants(paymentId)();
  return paymentId;
}

async function declared(card?: string, entitlement = flag) {
  const paymentId = await sold(card, entitlement);
  return { paymentId, withdrawal: await declaring(paymentId)() };
}

/**
 * What must hold in the end: no more went back than was paid, each decision that refunds has its refund and each refund
 * of a withdrawal its decision, and only a failed refund is followed by another decision.
 */
async function assertOneTruth(paymentId: string): Promise<void> {
  const payment = await payments().get(paymentId);
  expect(payment.refundable + payment.pending + payment.refunded + payment.disputed).toBe(payment.gross);
  const all = await withdrawals().ofPayment(paymentId);
  const decided = all.flatMap(({ decisions }) => decisions.flatMap(({ refundId }) => refundId ?? []));
  const ofWithdrawals = new Set(all.flatMap(({ id }) => [0, 1, 2, 3].map((count) => withdrawalRefundIdOf(id, count))));
  const made = payment.refunds.map(({ id }) => id).filter((id) => ofWithdrawals.has(id)); // an erasure removes reasons
  expect(decided.sort()).toEqual(made.sort());
  for (const { id, decisions } of all) {
    const known = new Set(decisions.map((_, count) => withdrawalRefundIdOf(id, count)));
    for (const [count, decision] of decisions.entries()) {
      if (decision.refundId !== null) expect(known).toContain(decision.refundId);
      const before = { decisions: decisions.slice(0, count) };
      const last = before.decisions.at(-1);
      if (last && last.outcome !== 'refused') expect(isRefundFailed(before, payment)).toBe(true);
    }
  }
}

/** The buyer opens what the line gives. */
async function opening(paymentId: string): Promise<() => Promise<unknown>> {
  const payment = await payments().get(paymentId);
  return () => openLine({ grants: runtime.grants(), mails: mails(), isMailed: false, now }, payment, 0);
}

/** The buyer downloads the file of an order. */
async function downloading(paymentId: string) {
  const [{ id: grantId = '' } = {}] = grantsOwedBy(await payments().get(paymentId));
  const place = { grantId, fileId: book.fileId };
  const secret = orderSecret(await payments().get(paymentId), await runtime.stackSecret());
  const link = { ...place, token: downloadToken(place, now(), secret) };
  const files = { look: async () => undefined, signDownload: async () => 'https://bucket.example/file' };
  const deps = {
    ...{ grants: runtime.grants(), payments: payments(), entitlements: runtime.entitlements() },
    ...{ throttles: runtime.throttles(), mails: mails(), isMailed: false, files },
    ...{ stackSecret: runtime.stackSecret, hashOf: (text: string) => text, now },
  };
  return {
    press: async () => (await downloadFile(deps, link)).outcome,
    outcome: async () => (await openDownload(deps, link)).outcome,
    count: async () => (await runtime.grants().get(grantId)).downloads?.[book.fileId]?.count ?? 0,
  };
}

/** A worker in a process of its own issues the documents of an order, or those of its refund. */
const issuing = (paymentId: string, refundId?: string) => async () => {
  const deps = {
    ...{ payments: payments(), disputes: runtime.disputes(), taxRules: runtime.taxRules(), brands: runtime.brands() },
    ...{ documents: documents(), merchant: testMerchant, rates: exchangeRates(), awaitsRates: false, isMailed: false },
    ...{ inTurn: <Done>(work: () => Promise<Done>) => work(), now, random: () => 0 },
  };
  const subject = refundId === undefined ? { paymentId } : { refundId };
  const issued = await issueDocuments(deps, [subject], () => true);
  return issued.get(refundId ?? paymentId)?.document.number;
};

/** The page of an order, as its buyer reads it. */
async function orderPageOf(paymentId: string): Promise<string> {
  const { pathname, searchParams } = new URL(await orderUrlOf(await payments().get(paymentId)));
  const cookies = [`order=${searchParams.get('secret')}`];
  const { text } = await shop.api.call(`GET ${pathname}`, { key: null, query: 'lang=en', cookies });
  return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

/** A member requests the erasure of the buyer. It is refused while a declaration is not decided. */
async function requesting(paymentId: string): Promise<() => Promise<unknown>> {
  const customerId = (await payments().get(paymentId)).customer.id;
  const admin = await shop.api.addKey({ access: 'admin', refunds: { perDay: null } });
  return async () => (await shop.api.call(`POST /customers/${customerId}/erase`, { key: admin })).status;
}

const erasing = () => () => invokeFunction('customers/erase-customers', {});

/** A declaration about a sale to France with its tax on top, whose buyer has proposed a tax id after it. */
async function correctable() {
  const price = { type: 'one_time_price', currency: 'EUR', price: 1_000, tax_inclusive: false };
  const product = await addProduct(shop.api, { tax_category: 'saas', price });
  const session = await createSession(shop.api, [{ product_id: product, quantity: 1 }]);
  const billing = { country: 'FR', state: null, city: null, street: null, zipcode: null };
  const { id: paymentId } = await pay(session, { billing, expectedTotal: 1_200 });
  const at = now().toISOString();
  const taxId = { id: 'FR83404833048', country: 'FR', formatName: 'EU VAT', status: 'valid' as const, checkedAt: at };
  const proposed = { status: 'proposed' as const, cause: 'buyer' as const, at, taxId, businessName: null };
  const correction = { ...proposed, isNamed: true, amount: 200, tax: 200 };
  await payments().save({ ...(await payments().get(paymentId)), correction });
  const withdrawal = await declaring(paymentId)();
  return { paymentId, withdrawal, id: withdrawal.declaration.id };
}

/** A member corrects the invoice. */
const correcting = (paymentId: string) => async () => {
  const settings = async () => ({ ...(await taxSettings()), merchantTaxId: 'DE136695976' });
  const correction = { payments: countedPayments(), processor: processor(), alert: () => {}, taxSettings: settings };
  try {
    return (await makeCorrection({ ...correction, refundStep, now, newId }, paymentId)).amount;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

type Setting = Pick<Race, 'racers' | 'mortals'> & { paymentId: string; verify?: Race['verify'] };

const end = { ...refund, outcome: 'end' } as const;
const refuse = { ...refund, outcome: 'refuse', reason: 'late' } as const;

const races: Record<string, () => Promise<Setting>> = {
  'two decisions to refund': async () => {
    const { paymentId, withdrawal } = await declared();
    const { id } = withdrawal.declaration;
    return {
      ...{ paymentId, racers: [deciding(id), deciding(id)] },
      verify: async () => expect((await payments().get(paymentId)).refunds.length).toBeLessThan(2),
    };
  },
  'a decision and the automatic refund': async () => {
    const { paymentId, withdrawal } = await declared();
    return {
      ...{ paymentId, racers: [deciding(withdrawal.declaration.id), byItself(withdrawal)] },
      verify: async () => expect((await payments().get(paymentId)).refunds.length).toBeLessThan(2),
    };
  },
  'a decision to refund and a decision to end': async () => {
    const { paymentId, withdrawal } = await declared();
    const { id } = withdrawal.declaration;
    return {
      ...{ paymentId, racers: [deciding(id), deciding(id, end)] },
      verify: async () => expect((await withdrawals().get(id)).current.decisions.length).toBeLessThan(2),
    };
  },
  'a decision to refund and a refusal': async () => {
    const { paymentId, withdrawal } = await declared();
    const { id } = withdrawal.declaration;
    return { paymentId, racers: [deciding(id), deciding(id, refuse)] };
  },
  'a decision and a full refund by the merchant': async () => {
    const { paymentId, withdrawal } = await declared();
    return { paymentId, racers: [deciding(withdrawal.declaration.id), merchantRefunds(paymentId)] };
  },
  'a decision and a partial refund by the merchant': async () => {
    const { paymentId, withdrawal } = await declared();
    return { paymentId, racers: [deciding(withdrawal.declaration.id), merchantRefunds(paymentId, 500)] };
  },
  'a decision and a dispute': async () => {
    const { paymentId, withdrawal } = await declared();
    return { paymentId, racers: [deciding(withdrawal.declaration.id), await chargeback(paymentId)] };
  },
  'the automatic refund and a dispute': async () => {
    const { paymentId, withdrawal } = await declared();
    return { paymentId, racers: [byItself(withdrawal), await chargeback(paymentId)] };
  },
  'a second decision while the first refund fails': async () => {
    const { paymentId, withdrawal } = await declared(cards.failingRefunds);
    const { id } = withdrawal.declaration;
    await deciding(id)();
    clock.forward({ minutes: 2 });
    return { paymentId, racers: [deciding(id), () => finishRefund(withdrawalRefundIdOf(id, 0))] };
  },
  'two second decisions while the refunded money is returned': async () => {
    const { paymentId, withdrawal } = await declared();
    const { id } = withdrawal.declaration;
    await deciding(id)();
    return {
      ...{ paymentId, racers: [deciding(id), deciding(id), refundComesBack(withdrawalRefundIdOf(id, 0))] },
      verify: async () => {
        const { refunds } = await payments().get(paymentId);
        expect(refunds.filter(({ status }) => status !== 'failed').length).toBeLessThan(2);
      },
    };
  },
  'a decision and the update of the grants': async () => {
    const { paymentId, withdrawal } = await declared();
    return { paymentId, racers: [deciding(withdrawal.declaration.id), settlingGrants(paymentId)] };
  },
  'a decision to end and the update of the grants': async () => {
    const { paymentId, withdrawal } = await declared();
    return { paymentId, racers: [deciding(withdrawal.declaration.id, end), settlingGrants(paymentId)] };
  },
  'a decision and the opening of what was bought': async () => {
    const { paymentId, withdrawal } = await declared();
    return { paymentId, racers: [deciding(withdrawal.declaration.id), await opening(paymentId)] };
  },
  'the automatic refund and the opening of what was bought': async () => {
    const { paymentId, withdrawal } = await declared();
    return { paymentId, racers: [byItselfLooking(withdrawal), await opening(paymentId)] };
  },
  'a declaration and the opening of what was bought': async () => {
    const paymentId = await sold();
    return { paymentId, racers: [declaring(paymentId), await opening(paymentId)] };
  },
  'a decision and the download of what was bought': async () => {
    const { paymentId, withdrawal } = await declared(undefined, book.id);
    const { press, outcome, count } = await downloading(paymentId);
    return {
      ...{ paymentId, racers: [deciding(withdrawal.declaration.id), press] },
      verify: async ([, pressed]) => {
        if (pressed === 'leads') expect(await count()).toBe(1);
        const { refunded } = await payments().get(paymentId);
        expect(await outcome()).toBe(refunded === 0 ? 'open' : 'ended');
      },
    };
  },
  'the automatic refund and the download of what was bought': async () => {
    const { paymentId, withdrawal } = await declared(undefined, book.id);
    const { press, outcome } = await downloading(paymentId);
    return {
      ...{ paymentId, racers: [byItselfLooking(withdrawal), press] },
      verify: async () => {
        const { refunded } = await payments().get(paymentId);
        expect(await outcome()).toBe(refunded === 0 ? 'open' : 'ended');
      },
    };
  },
  'two workers that issue the credit note of a decision': async () => {
    const { paymentId, withdrawal } = await declared();
    const { id } = withdrawal.declaration;
    await issuing(paymentId)();
    await deciding(id)();
    const refundId = withdrawalRefundIdOf(id, 0);
    const page = await orderPageOf(paymentId);
    expect(page).toContain('Credit note');
    return {
      ...{ paymentId, racers: [issuing(paymentId, refundId), issuing(paymentId, refundId)] },
      verify: async () => {
        await issuing(paymentId, refundId)();
        const { rows } = await documents().numbers('CRN', '2026', 0, 10);
        expect(rows.map(({ subjectId }) => subjectId)).toEqual([refundId]);
        expect(await orderPageOf(paymentId)).toBe(page);
      },
    };
  },
  'a declaration and the request to erase its buyer': async () => {
    const paymentId = await sold();
    return { paymentId, racers: [declaring(paymentId), await requesting(paymentId)] };
  },
  'a declaration and the erasure of its buyer': async () => {
    const paymentId = await sold();
    await (await requesting(paymentId))();
    return { paymentId, racers: [declaring(paymentId), erasing()] };
  },
  'a decision and the erasure of its buyer': async () => {
    const paymentId = await sold();
    await (await requesting(paymentId))();
    const { declaration } = await declaring(paymentId)();
    return { paymentId, racers: [deciding(declaration.id), erasing()] };
  },
  'a decision and the correction for a late tax id, which returns the tax': async () => {
    const { paymentId, id } = await correctable();
    return { paymentId, racers: [deciding(id), correcting(paymentId)] };
  },
  'the automatic refund and the correction for a late tax id': async () => {
    const { paymentId, withdrawal } = await correctable();
    return { paymentId, racers: [correcting(paymentId), byItself(withdrawal)] };
  },
  'two declarations and a refund by the merchant': async () => {
    const paymentId = await sold();
    return { paymentId, racers: [declaring(paymentId), declaring(paymentId), merchantRefunds(paymentId)] };
  },
  'decisions about two declarations of one order': async () => {
    const { paymentId, withdrawal } = await declared();
    const other = await declaring(paymentId, 'wdr_000000000000000000002')();
    return { paymentId, racers: [deciding(withdrawal.declaration.id), deciding(other.declaration.id)] };
  },
};

/**
 * How many schedules each race has in which all live, and in which one dies. Only the full campaign explores a race
 * without a line.
 */
const counts: Readonly<Record<string, readonly [schedules: number, crashes: number]>> = {
  'two decisions to refund': [42, 364],
  'a decision and the automatic refund': [59, 455],
  'a decision to refund and a decision to end': [16, 90],
  'a decision to refund and a refusal': [13, 95],
  'a decision and a full refund by the merchant': [13, 45],
  'a decision and a partial refund by the merchant': [17, 104],
  'a decision and a dispute': [10, 61],
  'the automatic refund and a dispute': [11, 84],
  'a second decision while the first refund fails': [2, 16],
  'two second decisions while the refunded money is returned': [45, 393],
  'a decision and the update of the grants': [6, 50],
  'a decision to end and the update of the grants': [3, 15],
  'a decision and the opening of what was bought': [1, 15],
  'the automatic refund and the opening of what was bought': [2, 30],
  'a declaration and the opening of what was bought': [1, 2],
  'a decision and the download of what was bought': [3, 27],
  'the automatic refund and the download of what was bought': [4, 42],
  'two workers that issue the credit note of a decision': [18, 40],
  'a declaration and the request to erase its buyer': [1, 19],
  'a declaration and the erasure of its buyer': [1, 32],
  'a decision and the erasure of its buyer': [111, 3_712],
  'a decision and the correction for a late tax id, which returns the tax': [17, 93],
  'the automatic refund and the correction for a late tax id': [3, 21],
  'two declarations and a refund by the merchant': [1, 4],
  'decisions about two declarations of one order': [16, 80],
};

/** A race with more orders than this is run in a few random ones. The full campaign runs every order. */
const mostOrders = campaign(Number.POSITIVE_INFINITY, 100, 40);
const randomOrders = 12;

async function raceOf(prepare: () => Promise<Setting>): Promise<Race> {
  await shop.reopen();
  clock.stopAt(noon);
  const { racers, mortals, paymentId, verify } = await prepare();
  const at = now().toISOString();
  const restore = await shop.keep();
  return {
    racers,
    ...(mortals && { mortals }),
    reset: async () => {
      clock.stopAt(at);
      await restore();
    },
    verify: async (outcomes) => {
      await sweepLater();
      await assertOneTruth(paymentId);
      await verify?.(outcomes);
      const rows = await scanRows(table().client, table().name);
      const faults = [...(await moneyContradictions(rows)), ...grantContradictions(rows)];
      if (faults.length > 0) throw new Error(faults.join('; '));
    },
  };
}

describe('A withdrawal in every order of calls, with a crash at every point,', () => {
  it.each(Object.entries(races))('is refunded once: %s', async (name, prepare) => {
    const race = await raceOf(prepare);
    const [schedules, crashes] = counts[name] ?? [Number.POSITIVE_INFINITY, 0];
    if (schedules + crashes > mostOrders) {
      await sample(table().client, race, { random: seeded(35), runs: randomOrders });
      return;
    }
    const explored = await explore(table().client, race);
    console.log(`${name}: ${JSON.stringify(explored)}`);
    if (counts[name]) expect(explored).toMatchObject({ schedules, crashes });
  });
});

describe('the check of these tests', () => {
  it('finds two decisions about one declaration, if no commit compares the declaration with its read state', async () => {
    const race = await raceOf(races['a decision to refund and a decision to end'] as () => Promise<Setting>);
    const restore = sendThrough(table().client, (send) => (command) => {
      const items = (command.input['TransactItems'] ?? []) as { Put?: Record<string, unknown> }[];
      for (const { Put } of items)
        if ((Put?.['Item'] as { entity?: string } | undefined)?.entity === 'WITHDRAWAL') {
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
