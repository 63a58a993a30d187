import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failRefund } from '../../../infra/local/stripe/refunds.ts';
import { mailComposer } from '../../../shared/documents/document-mail.ts';
import { documentedBy } from '../../../shared/events/queued-document.ts';
import { issueDocuments } from '../../../shared/use-cases/documents/issue-documents.ts';
import { reportTaxes } from '../../../shared/use-cases/reports/report-taxes.ts';
import { brands, disputes, events, paymentLists, payments, site, table } from '../../../shared/wiring/runtime.ts';
import { contradictions, moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { issuing } from '../../support/shop/dependencies.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterEach(() => {
  shop.fake.fate = () => 'answered';
});
afterAll(() => shop.stop());

/** Sends the notification of the newest event of a type. */
const tell = (type: string) =>
  shop.notify(JSON.stringify(shop.fake.notifications.events.findLast((event) => event.type === type)));
const faults = async () => moneyContradictions(await scanRows(table().client, table().name));

/** A payment of 19.99 of which 5.00 are refunded. */
async function refunded() {
  const payment = await shop.begin();
  shop.payAt(String(payment.reference));
  await tell('checkout.session.completed');
  const { body } = await shop.api.call('POST /refunds', { body: { payment_id: payment.id, amount: 500 } });
  expect(body.status).toBe('succeeded');
  const { reference } = await payments().getRefund(body.refund_id);
  return {
    id: payment.id,
    refundId: body.refund_id as string,
    comeBack: () => failRefund(shop.fake.account, String(reference)),
  };
}

const eventsOf = async (id: string): Promise<string[]> => {
  const events: { type: string; sequence: number }[] = (
    await shop.api.call('GET /webhook-events', { query: `payment_id=${id}` })
  ).body.items;
  return events.sort((a, b) => a.sequence - b.sequence).map(({ type }) => type);
};
const waitsForDocument = async (id: string, type: string) => {
  const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${id}&type=${type}` })).body;
  return (await events().find(items[0].event_id))?.open.document;
};
const alerts = () => shop.api.log.filter((line) => line.includes('refund-came-back')).length;

describe('a refund that fails after it had succeeded', () => {
  it('makes its amount refundable again, with one event and one alarm, when it is reported many times', async () => {
    const { id, refundId, comeBack } = await refunded();
    expect(await payments().get(id)).toMatchObject({ refundable: 1_499, refunded: 500 });
    const before = alerts();
    comeBack();
    await Promise.all([tell('refund.failed'), tell('refund.failed'), tell('refund.failed')]);
    expect((await tell('refund.failed')).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({ refundable: 1_999, refunded: 0, refunds: [{ status: 'failed' }] });
    expect(await payments().getRefund(refundId)).toMatchObject({
      status: 'failed',
      failureReason: 'expired_or_canceled_card',
      reverted: { succeededAt: expect.any(String), at: expect.any(String) },
    });
    expect(await eventsOf(id)).toEqual(['payment.succeeded', 'refund.succeeded', 'refund.failed']);
    expect(alerts() - before).toBe(1);
    expect(await waitsForDocument(id, 'refund.failed')).toBe(true);
    expect(await faults()).toEqual([]);
    const again = await shop.api.call('POST /refunds', { body: { payment_id: id } });
    expect(again.body).toMatchObject({ status: 'succeeded', amount: 1_999 });
    expect(shop.fake.ledger().find(({ paymentId }) => paymentId === id)).toMatchObject({
      paid: 1_999,
      refunded: 1_999,
    });
    expect(await faults()).toEqual([]);
  });

  it('keeps its credit note, and a separate document cancels the credit note, even if both are issued late', async () => {
    const { id, refundId, comeBack } = await refunded();
    comeBack();
    await tell('refund.failed');
    const event = {
      'detail-type': 'refund.failed',
      detail: { event_id: 'evt_1', payment_id: id, data: { refund_id: refundId } },
    };
    const subjects = documentedBy(event).map(({ subject }) => subject);
    for (const _ of [1, 2]) await issueDocuments(issuing(), [{ refundId }, ...subjects], () => true);
    const read = async (query: string) => (await shop.api.call(`GET /invoices/refunds/${refundId}`, { query })).body;
    const note = await read('format=json');
    const cancellation = await read('format=json&cancellation=true');
    expect(note).toMatchObject({ kind: 'credit_note', total_amount: -500 });
    expect(cancellation).toMatchObject({
      kind: 'credit_note_cancellation',
      number: expect.stringMatching(/^CAN-\d{4}-00000\d$/),
      total_amount: 500,
      tax: 0 - note.tax,
      net_amount: 0 - note.net_amount,
      cancels: { number: note.number },
    });
    expect(String(cancellation.url)).toContain('cancellation=true');
    const year = note.issued_on.slice(0, 4);
    const audit = (await shop.api.call('GET /invoices/audit', { query: `series=CAN-${year}` })).body;
    expect(audit).toMatchObject({ is_continuous: true, missing: [] });
    const about = (await contradictions(await scanRows(table().client, table().name))).filter((fault) =>
      [refundId, refundId.replace('ref_', 'can_')].some((one) => fault.startsWith(one)),
    );
    expect(about).toEqual([]);
    const mail = mailComposer({ site: site(), isSandbox: true, from: undefined, mailWords: brands().mailWords });
    const issued = [...(await issueDocuments(issuing(), subjects, () => true)).values()];
    const cancelled = issued.find(({ document }) => document.kind === 'CAN');
    const { text } = await mail(cancelled!.document, { documentSecret: 'doc_secret', offersWithdrawal: true });
    expect(text).toContain('sent the refund of €5.00 back');
  });

  it('is reversed in the tax report on the day when the money was returned', async () => {
    const { refundId, comeBack } = await refunded();
    const day = (shift: number) => new Date(Date.now() + shift * 86_400_000).toISOString().slice(0, 10);
    const period = { from: day(-2), to: day(2) };
    const returned = async () =>
      (await reportTaxes({ payments: { ...payments(), ...paymentLists() }, disputes: disputes() }, period)).reduce(
        (sum, row) => sum + row.refundedNet + row.refundedTax,
        0,
      );
    const before = await returned();
    comeBack();
    await tell('refund.failed');
    expect((await payments().getRefund(refundId)).status).toBe('failed');
    expect(await returned()).toBe(before - 500);
  });

  it('has no credit note to cancel when it had never succeeded', async () => {
    const { refundId } = await refunded();
    expect((await issueDocuments(issuing(), [{ refundId, isCancelled: true }], () => true)).size).toBe(0);
  });

  it('stays succeeded when the processor says so, even if the notification says otherwise', async () => {
    const { id } = await refunded();
    const made = shop.fake.notifications.events.findLast((event) => event.type === 'refund.created');
    const lie = JSON.stringify({ ...made, type: 'refund.failed' });
    expect((await shop.notify(lie)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({ refundable: 1_499, refunded: 500 });
  });

  it('makes the processor send its notification again while the processor does not answer our check', async () => {
    const { id, comeBack } = await refunded();
    comeBack();
    shop.fake.fate = ({ path }) => (path.startsWith('refunds') ? 'broken' : 'answered');
    expect((await tell('refund.failed')).status).toBe(503);
    expect((await payments().get(id)).refunded).toBe(500);
    shop.fake.fate = () => 'answered';
    expect((await tell('refund.failed')).status).toBe(200);
    expect((await payments().get(id)).refunded).toBe(0);
  });
});
