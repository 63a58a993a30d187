import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { timelinessOf } from '../../../shared/domain/withdrawal/period.ts';
import { periodOf } from '../../../shared/domain/withdrawal/standing.ts';
import { brands, payments, withdrawals } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';
import { declareByLink } from '../../support/shop/withdrawals.ts';

const mails = mkdtempSync(join(tmpdir(), 'decide-'));
let api: Api;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const declare = (paymentId: string, fields: [string, string][] = []) => declareByLink(api, paymentId, fields);
const decide = (id: string, body: object) => api.call(`POST /withdrawals/${id}/decide`, { body });
const get = async (id: string) => (await api.call(`GET /withdrawals/${id}`)).body;

/** The state by which a declaration is listed, if it is listed by one state only. */
async function listedAs(id: string): Promise<string | undefined> {
  const states = [];
  for (const status of ['declared', 'decided', 'refund_failed']) {
    const { items } = (await api.call('GET /withdrawals', { query: `status=${status}&page_size=100` })).body;
    const found = items.find((item: { withdrawal_id: string }) => item.withdrawal_id === id);
    if (found) states.push(found.status === status ? status : `${status} as ${found.status}`);
  }
  return states.join();
}

/** Two products in one order, each 19.99. */
async function sellTwo(): Promise<string> {
  const cart = [
    { product_id: await addProduct(api), quantity: 1 },
    { product_id: await addProduct(api), quantity: 1 },
  ];
  return (await pay(await createSession(api, cart), { expectedTotal: 3_998 })).id;
}

describe('a request to decide a withdrawal, answered with 200,', () => {
  it('is preceded by a proposal of the full refund if no loss of the right is proven', async () => {
    const { paymentId } = await sell(api);
    const { proposal, is_proven, status, due_at, declared_at } = await get(await declare(paymentId));
    expect([is_proven, status]).toEqual([true, 'declared']);
    expect(Date.parse(due_at) - Date.parse(declared_at)).toBe(14 * 86_400_000);
    expect([proposal.outcome, proposal.amount, proposal.currency]).toEqual(['full_refund', 1_999, 'EUR']);
    expect(proposal.lines).toMatchObject([{ line: 0, right: 'open', why: 'no_consent', amount: 1_999 }]);
  });

  it('refunds the remaining amount, notifies the buyer, and sends a webhook', async () => {
    const { paymentId } = await sell(api);
    const id = await declare(paymentId);
    const before = readdirSync(mails).length;
    const { status, body } = await decide(id, { outcome: 'refund' });
    expect([status, body.status]).toEqual([200, 'decided']);
    expect(body.decisions).toMatchObject([{ outcome: 'refunded', reason: null }]);
    const refund = (await api.call(`GET /refunds/${body.decisions[0].refund_id}`)).body;
    expect([refund.amount, refund.payment_id]).toEqual([1_999, paymentId]);
    expect(readdirSync(mails).length).toBe(before + 1);
    const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
    expect(items.map(({ type }: { type: string }) => type)).toContain('withdrawal.decided');
  });

  it('refunds the rest after an earlier partial refund', async () => {
    const { paymentId } = await sell(api);
    await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
    const { body } = await decide(await declare(paymentId), { outcome: 'refund' });
    const refund = (await api.call(`GET /refunds/${body.decisions[0].refund_id}`)).body;
    expect(refund.amount).toBe(1_499); // 1,999 - 500
  });

  it('refunds only the declared lines, or the named amounts', async () => {
    const one = await sellTwo();
    const whole = await decide(await declare(one, [['line', '1']]), { outcome: 'refund' });
    expect(whole.body.decisions).toMatchObject([{ outcome: 'refunded' }]);
    expect((await payments().get(one)).lines.map(({ refundable }) => refundable)).toEqual([1_999, 0]);
    const other = await sellTwo();
    const part = await decide(
      await declare(other, [
        ['line', '0'],
        ['line', '1'],
      ]),
      { outcome: 'refund', lines: [{ line: 0, amount: 700 }] },
    );
    expect(part.body.decisions).toMatchObject([{ outcome: 'refunded_in_part' }]);
    expect((await payments().get(other)).lines.map(({ refundable }) => refundable)).toEqual([1_299, 1_999]);
  });

  it('can change a refusal into a refund, but not a refund into a refusal', async () => {
    const { paymentId } = await sell(api);
    const id = await declare(paymentId);
    expect((await decide(id, { outcome: 'refuse', reason: 'late', note: 'Two months later.' })).status).toBe(200);
    expect((await decide(id, { outcome: 'refuse', reason: 'late' })).status).toBe(409);
    expect((await decide(id, { outcome: 'refund' })).status).toBe(200);
    expect((await decide(id, { outcome: 'refuse', reason: 'late' })).status).toBe(409);
    expect((await get(id)).decisions.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'refused',
      'refunded',
    ]);
  });

  it('refunds once, even if it arrives several times at the same time', async () => {
    const { paymentId } = await sell(api);
    const id = await declare(paymentId);
    const answers = await Promise.all([1, 2, 3].map(() => decide(id, { outcome: 'refund' })));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const { refunds, refundable } = await payments().get(paymentId);
    expect([refunds.length, refundable]).toEqual([1, 0]);
    expect((await get(id)).decisions).toHaveLength(1);
  });

  it('leads to a mail by the sweep if the mail failed at first', async () => {
    const { paymentId } = await sell(api);
    const id = await declare(paymentId);
    await decide(id, { outcome: 'refuse', reason: 'no_consumer' });
    const { current } = await withdrawals().get(id);
    const due = { ...current, reply: { status: 'due' as const, at: null } };
    await withdrawals().save({ current: due, dueAt: '2020-01-01T00:00:00.000Z' });
    const before = readdirSync(mails).length;
    await invokeFunction('events/sweep-due', {});
    expect(readdirSync(mails).length).toBe(before + 1);
    expect((await withdrawals().get(id)).current.reply?.status).toBe('sent');
  });

  it('refunds again after a failed refund, but never twice at the same time', async () => {
    const { paymentId } = await sell(api, { card: cards.failingRefunds });
    const id = await declare(paymentId);
    const failed = (await decide(id, { outcome: 'refund' })).body.decisions[0].refund_id;
    expect((await decide(id, { outcome: 'refund' })).status).toBe(409);
    expect(await listedAs(id)).toBe('decided');
    await finishRefund(failed);
    expect((await payments().get(paymentId)).refunds).toMatchObject([{ id: failed, status: 'failed' }]);
    expect([await listedAs(id), (await get(id)).status]).toEqual(['refund_failed', 'refund_failed']);
    expect((await get(id)).proposal).toMatchObject({ outcome: 'full_refund', amount: 1_999 });
    expect((await decide(id, { outcome: 'refuse', reason: 'late' })).status).toBe(409);
    const again = await Promise.all([1, 2, 3].map(() => decide(id, { outcome: 'refund' })));
    expect(again.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const { refunds } = await payments().get(paymentId);
    expect(refunds.length).toBeGreaterThan(1);
    expect(refunds.filter(({ status }) => status !== 'failed').length).toBeLessThan(2);
    expect((await get(id)).decisions.map(({ refund_id }: { refund_id: string }) => refund_id)).toEqual(
      refunds.map((refund) => refund.id),
    );
  });

  it('ends a contract whose refund failed, because the merchant has paid in another way', async () => {
    const { paymentId } = await sell(api, { card: cards.failingRefunds });
    const id = await declare(paymentId);
    await finishRefund((await decide(id, { outcome: 'refund' })).body.decisions[0].refund_id);
    expect((await decide(id, { outcome: 'end', note: 'Paid by bank transfer.' })).status).toBe(200);
    expect((await decide(id, { outcome: 'refund' })).status).toBe(409);
  });

  it('is preceded by a proposal to wait while another refund is pending', async () => {
    const { paymentId } = await sell(api, { card: cards.pendingRefunds });
    const id = await declare(paymentId);
    await api.call('POST /refunds', { body: { payment_id: paymentId } });
    expect((await get(id)).proposal).toMatchObject({ outcome: 'wait', why: 'refund_pending', amount: null });
  });

  it('changes the state by which declarations can be listed', async () => {
    const { paymentId } = await sell(api);
    const [one, other] = [await declare(paymentId), await declare(paymentId)];
    await decide(one, { outcome: 'refund' });
    const idsOf = async (query: string): Promise<string[]> =>
      (await api.call('GET /withdrawals', { query })).body.items.map(
        (item: { withdrawal_id: string }) => item.withdrawal_id,
      );
    expect((await idsOf(`payment_id=${paymentId}`)).sort()).toEqual([one, other].sort());
    expect(await idsOf(`payment_id=${paymentId}&status=declared`)).toEqual([other]);
    const decided = await idsOf('status=decided');
    expect([decided.includes(one), decided.includes(other)]).toEqual([true, false]);
  });
});

describe('an undisputed full refund of a proven declaration', () => {
  const settings = async (withdrawal: object) => {
    const all = await brands().get();
    await brands().save({ ...all, withdrawal }, []);
  };

  it('waits for a member’s decision by default', async () => {
    const { paymentId } = await sell(api);
    const id = await declare(paymentId);
    await invokeFunction('events/sweep-due', {});
    expect((await get(id)).status).toBe('declared');
  });

  it('is made once by the sweep, if the merchant has enabled it', async () => {
    await settings({ refundsByItself: true });
    const { paymentId } = await sell(api);
    const id = await declare(paymentId);
    await invokeFunction('events/sweep-due', {});
    await invokeFunction('events/sweep-due', {});
    await settings({});
    expect((await get(id)).decisions).toMatchObject([{ outcome: 'refunded', decided_by: 'automatic' }]);
    const { refunds, refundable } = await payments().get(paymentId);
    expect([refunds.length, refundable]).toEqual([1, 0]);
  });

  it('is recorded in the audit log as automatic', async () => {
    await settings({ refundsByItself: true });
    const id = await declare((await sell(api)).paymentId);
    await invokeFunction('events/sweep-due', {});
    await settings({});
    const { items } = (await api.call('GET /audit-log')).body;
    const entry = items.find((one: { subject_id: string }) => one.subject_id === id);
    expect(entry).toMatchObject({
      command: 'withdrawal.decide',
      by: { key_id: null, member_id: null, key_name: 'automatic', via: 'automatic' },
    });
  });

  it.each<[string, (paymentId: string, id: string) => Promise<unknown>]>([
    [
      'came in the days of grace',
      async (paymentId) => {
        const payment = await payments().get(paymentId);
        const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
        const isInGrace = (createdAt: string) =>
          timelinessOf(periodOf({ ...payment, createdAt }, { confirmedAt: null }), daysAgo(0)) === 'in_grace';
        const createdAt = Array.from({ length: 40 }, (_, index) => daysAgo(370 + index)).find(isInGrace);
        await payments().save({ ...payment, createdAt: createdAt ?? '' });
      },
    ],
    [
      'is about an order that a person has decided about before',
      async (paymentId) => {
        const other = await declareByLink(api, paymentId);
        await decide(other, { outcome: 'refuse', reason: 'late' });
      },
    ],
    [
      'is about a disputed order',
      async (paymentId) => {
        const payment = await payments().get(paymentId);
        const dispute = {
          id: 'dsp_1',
          status: 'opened',
          stage: 'dispute',
          amount: 1_999,
          isRefundable: false,
        } as const;
        await payments().save({ ...payment, disputes: [{ ...dispute, createdAt: payment.createdAt }] });
      },
    ],
  ])('is left to a member if the declaration %s', async (_, happens) => {
    await settings({ refundsByItself: true });
    const { paymentId } = await sell(api);
    const id = await declare(paymentId);
    await happens(paymentId, id);
    await invokeFunction('events/sweep-due', {});
    await settings({});
    const { current } = await withdrawals().get(id);
    expect([current.decisions, current.refundsByItself]).toEqual([[], undefined]);
    expect((await payments().get(paymentId)).refunds).toEqual([]);
  });

  it('is left to a member if the merchant has changed the setting in the meantime', async () => {
    await settings({ refundsByItself: true });
    const id = await declare((await sell(api)).paymentId);
    await settings({ refundsByItself: false });
    await invokeFunction('events/sweep-due', {});
    await settings({});
    expect([(await get(id)).status, (await withdrawals().get(id)).current.refundsByItself]).toEqual([
      'declared',
      undefined,
    ]);
  });

  it('is not automatic for a typed declaration, which proves nothing', async () => {
    await settings({ refundsByItself: true });
    const { paymentId } = await sell(api);
    const fields = { name: 'A', reference: paymentId, email: 'x@y.example', step: 'confirm', form_token: 'typed' };
    await api.call('POST /withdraw', {
      key: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: Buffer.from(new URLSearchParams(fields).toString()),
    });
    await invokeFunction('events/sweep-due', {});
    await settings({});
    expect((await payments().get(paymentId)).refunds).toEqual([]);
  });

  it('has no page and no link if the merchant has turned withdrawals off', async () => {
    await settings({ isOff: true });
    const session = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    const form = await api.call('GET /withdraw', { key: null });
    const checkout = await api.call(`GET /checkout/${session}`, { key: null });
    await settings({});
    expect([form.status, checkout.status, checkout.text.includes('/withdraw')]).toEqual([404, 200, false]);
    expect((await api.call(`GET /checkout/${session}`, { key: null })).text).toContain('/withdraw');
  });
});

describe('a request to decide a withdrawal', () => {
  it('422: is refused without a reason for a refusal', async () => {
    const { paymentId } = await sell(api);
    expect((await decide(await declare(paymentId), { outcome: 'refuse' })).status).toBe(422);
  });

  it('422: is refused before a request to the processor if the declared lines have no amount left', async () => {
    const paymentId = await sellTwo();
    const id = await declare(paymentId, [['line', '1']]);
    const { lines } = await payments().get(paymentId);
    const items = [{ item_id: lines[1]?.productId, amount: 1_999 }];
    await api.call('POST /refunds', { body: { payment_id: paymentId, items } });
    const { status, body } = await decide(id, { outcome: 'refund' });
    expect([status, body.code]).toEqual([422, 'NOTHING_TO_REFUND']);
    expect((await payments().get(paymentId)).refunds).toHaveLength(1);
    expect((await decide(id, { outcome: 'refund', lines: [{ line: 0, amount: 0 }] })).body.code).toBe(
      'NOTHING_TO_REFUND',
    );
  });

  it('409: is refused for a decided declaration before any other check', async () => {
    const id = await declare((await sell(api)).paymentId);
    await decide(id, { outcome: 'refund' });
    const { status, body } = await decide(id, { outcome: 'refund', lines: [{ line: 7, amount: 1 }] });
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });

  it('404: is refused for an unknown declaration', async () => {
    expect((await decide(`wdr_${'x'.repeat(21)}`, { outcome: 'refund' })).status).toBe(404);
    expect((await api.call(`GET /withdrawals/wdr_${'x'.repeat(21)}`)).status).toBe(404);
  });

  it('403: is refused to a key with write access but without the refund right', async () => {
    const { paymentId } = await sell(api);
    const id = await declare(paymentId);
    const key = await api.addKey({ access: 'read' });
    expect((await api.call(`POST /withdrawals/${id}/decide`, { key, body: { outcome: 'refund' } })).status).toBe(403);
  });
});
