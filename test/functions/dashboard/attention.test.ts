import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attentionCard } from '../../../shared/dashboard/reports/attention-card.ts';
import { textsOf } from '../../../shared/dashboard/texts.ts';
import { dayMs } from '../../../shared/domain/duration.ts';
import type { DisputeRow } from '../../../shared/domain/payments/dispute.ts';
import { noSales } from '../../../shared/domain/reports/sales.ts';
import { type SalesThreshold, type SoldDay, thresholdStatus } from '../../../shared/domain/reports/thresholds.ts';
import { dashboardTexts } from '../../../shared/texts/texts.ts';
import { loadAttention } from '../../../shared/use-cases/reports/load-attention.ts';
import { mails, thresholds } from '../../../shared/wiring/books.ts';
import {
  apiKeys,
  codePools,
  disputes,
  leftOutFields,
  now,
  paymentLists,
  webhookHealth,
  webhooks,
  withdrawals,
} from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { finishRefund, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';
import { declareByLink } from '../../support/shop/withdrawals.ts';

let api: Api;
let cookies: string[];

beforeAll(async () => {
  api = await startApi();
  ({ cookies } = await browse(api, await api.addKey({ access: 'read' })));
});
afterAll(() => api.stop());

const overview = async (): Promise<string> => (await api.call('GET /dashboard', { cookies, key: null })).text;
const inDays = (days: number): string => new Date(now().getTime() + days * dayMs).toISOString();

const deps = () => ({
  ...{ payments: paymentLists(), disputes: disputes(), webhooks: webhooks() },
  ...{ mails: mails(), apiKeys: apiKeys(), pools: codePools(), leftOutFields: leftOutFields(), now },
  withdrawals: withdrawals(),
  accountLacks: undefined,
});

describe('the dashboard’s list of what needs attention', () => {
  it('leaves out a healthy webhook and a key without an expiry', async () => {
    const url = 'https://example.com/fine';
    expect((await api.call('POST /webhooks', { body: { url } })).status).toBe(200);
    expect((await api.call('POST /api-keys', { body: { name: 'Lasting', expires_at: inDays(20) } })).status).toBe(200);
    const text = await overview();
    expect(text).toContain('Overview');
    expect(text).not.toMatch(/Lasting|example\.com\/fine/);
  });

  it('names a webhook whose delivery attempts are all used up', async () => {
    const { body } = await api.call('POST /webhooks', { body: { url: 'https://example.com/down' } });
    await webhookHealth().noteFailure(body.id, { at: inDays(0), isTimeout: false, isExhausted: true });
    expect(await overview()).toContain(`<a href="/dashboard/webhooks/${body.id}">https://example.com/down</a>`);
  });

  it('names a key that expires within two weeks', async () => {
    const body = { name: 'Web shop', expires_at: inDays(13) };
    expect((await api.call('POST /api-keys', { body })).status).toBe(200);
    expect(await overview()).toContain('“Web shop” stops working on');
  });

  it('names an invoice that could not be mailed', async () => {
    const sellOne = async () => {
      const session = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
      return (await pay(session, { expectedTotal: 1_999 })).id;
    };
    const [refused, sent] = [await sellOne(), await sellOne()];
    await mails().end(refused, { at: inDays(0), outcome: 'refused' });
    await mails().end(sent, { at: inDays(0), outcome: 'sent' });
    const { unsent } = await loadAttention(deps(), await thresholds().getWatch());
    expect(unsent).toContainEqual({ id: refused, paymentId: refused, why: 'refused' });
    expect(unsent.map(({ paymentId }) => paymentId)).not.toContain(sent);
    expect(await overview()).toContain(`<code>${refused}</code>`);
  });

  it('names a withdrawal whose fourteen days are nearly over, until the merchant decides', async () => {
    const { paymentId } = await sell(api);
    const id = await declareByLink(api, paymentId);
    expect(await overview()).not.toContain(`/dashboard/withdrawals/${id}`);
    const later = { ...deps(), now: () => new Date(inDays(10.5)) };
    const named = async () =>
      (await loadAttention(later, await thresholds().getWatch())).withdrawals.map((one) => one.id);
    expect(await named()).toEqual([id]);
    await api.call(`POST /withdrawals/${id}/decide`, { body: { outcome: 'refuse', reason: 'late' } });
    expect(await named()).toEqual([]);
  });

  it('names a withdrawal whose refund has failed, until the merchant decides again', async () => {
    const { paymentId } = await sell(api, { card: cards.failingRefunds });
    const id = await declareByLink(api, paymentId);
    const later = { ...deps(), now: () => new Date(inDays(10.5)) };
    const named = async () =>
      (await loadAttention(later, await thresholds().getWatch())).withdrawals.map((one) => one.id);
    const { body } = await api.call(`POST /withdrawals/${id}/decide`, { body: { outcome: 'refund' } });
    expect(await named()).toEqual([]);
    await finishRefund(body.decisions[0].refund_id);
    expect(await named()).toEqual([id]);
    await api.call(`POST /withdrawals/${id}/decide`, { body: { outcome: 'end' } });
    expect(await named()).toEqual([]);
  });

  it('names a credit note that could not be mailed', async () => {
    const session = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    const { id: payment_id } = await pay(session, { expectedTotal: 1_999 });
    const { body } = await api.call('POST /refunds', { body: { payment_id } });
    const before = await loadAttention(deps(), await thresholds().getWatch());
    expect(before.unsent.map((one) => one.paymentId)).not.toContain(payment_id);
    await mails().end(body.refund_id, { at: inDays(0), outcome: 'refused' });
    expect(await overview()).toContain(
      `no mail server accepts the credit note. Send its link yourself. <a href="/dashboard/payments/${payment_id}">`,
    );
  });

  it('is shown above the sales, and the steps to go live are shown below them', async () => {
    const session = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    await mails().end((await pay(session, { expectedTotal: 1_999 })).id, { at: inDays(0), outcome: 'refused' });
    const text = await overview();
    const places = ['id="attention-title"', 'id="latest-title"', 'From the sandbox to live', 'href="/docs/go-live"'];
    const found = places.map((one) => text.indexOf(one));
    expect(found).toEqual(found.filter((at) => at > 0).sort((one, other) => one - other));
    expect(text.slice(found[2])).toMatch(
      /Done:<\/strong> Buy something with a test card.*Missing:<\/strong> Deploy your live stage/s,
    );
  });

  it('names a pool with few codes left until codes are added, and later the sales that wait for a code', async () => {
    const config = { fulfillment_mode: 'manual', pool: true };
    const game = { name: 'Space game', integration_type: 'license_key', integration_config: config };
    const { id } = (await api.call('POST /entitlements', { body: game })).body;
    const add = (codes: string[]) => api.call(`POST /entitlements/${id}/codes`, { body: { codes } });
    const product_id = await addProduct(api, { entitlements: [{ entitlement_id: id }] });
    const sell = async () => {
      await pay(await createSession(api, [{ product_id, quantity: 1 }]), { expectedTotal: 1_999 });
      await sweep();
    };
    await add(['A', 'B', 'C']);
    await sell();
    expect(await overview()).not.toContain('Space game');
    await sell();
    const link = `<a href="/dashboard/products/${product_id}/entitlements/${id}">Add codes</a>`;
    expect(await overview()).toContain(`“Space game” has 1 code left. ${link}`);
    await add(['D', 'E', 'F', 'G']);
    expect(await overview()).not.toContain('Space game');
    for (let sales = 0; sales < 7; sales += 1) await sell();
    expect(await overview()).toContain(`2 sales of “Space game” wait for a code. ${link}`);
  });

  it('names a dispute that waits for evidence and a tax registration limit that is near', async () => {
    const row: DisputeRow = {
      ...{ id: 'dsp_1', paymentId: 'pay_1', processor: 'stripe', status: 'opened', stage: 'dispute', currency: 'EUR' },
      ...{ amount: 1_250, isRefundable: false, dueBy: '2026-12-24T00:00:00.000Z', url: null, createdAt: inDays(-1) },
    };
    const rows = [row, { ...row, id: 'dsp_2', paymentId: 'pay_2', status: 'won' as const }];
    const list = async ({ matches }: { matches?: ((one: DisputeRow) => boolean) | undefined }) => ({
      ...{ items: rows.filter((one) => matches?.(one) ?? true), hasMore: false, last: undefined },
    });
    const day: SoldDay = {
      ...{ day: '2026-03-01', gross: 1_000_000, count: 1 },
      parts: [{ country: 'FR', region: null, isBusiness: false, currency: 'EUR', net: 1_000_000, count: 1 }],
      sales: noSales,
    };
    const limit: SalesThreshold = {
      ...{ id: 'EU', limit: 10_000, currency: 'EUR', period: 'year', counts: 'consumers' },
      ...{ source: 'a law', confidence: 'high' },
    };
    const status = thresholdStatus(limit, () => true, { days: [day], today: '2026-03-02', rates: undefined });
    const watch = { ...(await thresholds().getWatch()), statuses: [status] };
    const { text } = attentionCard(
      await loadAttention({ ...deps(), disputes: { list } }, watch),
      textsOf(dashboardTexts('reports'), { locale: 'en' }),
    );
    expect(text).toContain('<a href="/dashboard/disputes/dsp_1">a bank asks €12.50 back.</a>');
    expect(text).toContain('Evidence is due until 24 Dec 2026.');
    expect(text).not.toContain('payments/pay_2"');
    expect(text).toContain('near or above it in European Union.');
  });
});
