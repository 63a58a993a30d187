import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { raiseCounters } from '../../../infra/commands/books/raise-counters.ts';
import { rebuildNumbers } from '../../../infra/commands/books/rebuild-numbers.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { grantsOwedBy } from '../../../shared/domain/entitlements/grant.ts';
import { keys } from '../../../shared/store/keys.ts';
import { documents } from '../../../shared/wiring/books.ts';
import { disputes, grants, licenseKeys, payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { finishRefund, hearBank, loseDispute, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let viewer: Browsing;
let forms = 0;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  clock.run();
  await api.stop();
});
beforeEach(async () => {
  clock.stopAt('2031-03-10T12:00:00.000Z');
  viewer = await browse(api, localKey);
});

const choose = (disputeId: string, ground: string, headers: Record<string, string> = {}) =>
  api.call(`POST /disputes/${disputeId}/adjustments`, { body: { ground }, headers });
const faults = async () => moneyContradictions(await scanRows(table().client, table().name));
const eventsOf = async (id: string): Promise<{ type: string; event_id: string; sequence: number }[]> =>
  (await api.call('GET /webhook-events', { query: `payment_id=${id}` })).body.items.toSorted(
    (a: { sequence: number }, b: { sequence: number }) => a.sequence - b.sequence,
  );

/** Gives the newest event of a payment to the worker of documents, and returns what that was told. */
async function document(paymentId: string): Promise<void> {
  const newest = (await eventsOf(paymentId)).at(-1);
  const body = (await api.call(`GET /webhook-events/${newest?.event_id}`)).body.body;
  const [last] = body.data.adjustments.slice(-1);
  const data = last.ground === 'rescinded' ? { adjustment_id: last.adjustment_id } : {};
  const detail = { event_id: newest?.event_id, payment_id: paymentId, data };
  await invokeFunction('documents/issue-documents', { 'detail-type': newest?.type, detail });
}

describe('POST /disputes/{dispute_id}/adjustments', () => {
  it('200: books the disputed share on the day of the loss, once, and tells it', async () => {
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    clock.forward({ minutes: 60 * 24 * 40 });
    const { status, body } = await choose(disputeId, 'uncollectible');
    expect(status).toBe(200);
    const { tax, gross } = await payments().get(paymentId);
    const booked = {
      adjustment_id: `${disputeId.replace('dsp_', 'adj_')}1`,
      kind: 'lost',
      ground: 'uncollectible',
      counts_at: '2031-03-10T12:00:00.000Z',
      booked_at: '2031-04-19T12:00:00.000Z',
      net_amount: gross - tax,
      tax,
      total_amount: gross,
    };
    expect(body.adjustments).toEqual([booked]);
    expect((await choose(disputeId, 'uncollectible')).body).toEqual(body);
    expect((await eventsOf(paymentId)).map(({ type }) => type)).toEqual([
      'payment.succeeded',
      'dispute.lost',
      'dispute.adjusted',
    ]);
    expect(await faults()).toEqual([]);
  });

  it('200: a repetition under an idempotency key gets the same answer', async () => {
    const disputeId = await loseDispute((await sell(api)).paymentId);
    const key = { 'idempotency-key': 'ground-1' };
    const first = await choose(disputeId, 'rescinded', key);
    expect((await choose(disputeId, 'rescinded', key)).text).toBe(first.text);
    expect((await choose(disputeId, 'rescinded', { 'idempotency-key': 'ground-2' })).body).toEqual(first.body);
  });

  it('409: a dispute that is not lost, another ground, and a dispute that took nothing', async () => {
    const { paymentId } = await sell(api);
    const disputeId = await hearBank(paymentId);
    expectProblem(await choose(disputeId, 'rescinded'), 409, 'CONFLICT');
    await loseDispute(paymentId);
    await choose(disputeId, 'rescinded');
    expectProblem(await choose(disputeId, 'uncollectible'), 409, 'CONFLICT');
    const refunded = await sell(api);
    const { body } = await api.call('POST /refunds', { body: { payment_id: refunded.paymentId } });
    await finishRefund(body.refund_id);
    expectProblem(await choose(await loseDispute(refunded.paymentId), 'rescinded'), 409, 'CONFLICT');
  });

  it('200: changes a wrong ground if the request names it, on the day of the loss, with both documents', async () => {
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    await choose(disputeId, 'rescinded');
    await document(paymentId);
    clock.forward({ minutes: 60 * 24 * 40 });
    const change = { ground: 'uncollectible', replaces: 'rescinded' };
    const { status, body } = await api.call(`POST /disputes/${disputeId}/adjustments`, { body: change });
    expect(status).toBe(200);
    const booked = body.adjustments.map((one: Record<string, string>) => [
      one['kind'],
      one['ground'],
      one['counts_at'],
    ]);
    const day = '2031-03-10T12:00:00.000Z';
    expect(booked).toEqual([
      ['lost', 'rescinded', day],
      ['won', 'rescinded', day],
      ['lost', 'uncollectible', day],
    ]);
    const again = await api.call(`POST /disputes/${disputeId}/adjustments`, { body: change });
    expect(again.body).toEqual(body);
    const events = (await eventsOf(paymentId)).map(({ type }) => type);
    expect(events.filter((type) => type === 'dispute.adjusted')).toHaveLength(3);
    const query = `format=html&lang=en&adjustment=${body.adjustments[1].adjustment_id}`;
    const { text } = await api.call(`GET /invoices/payments/${paymentId}`, { query });
    expect(text).toContain('The credit note was not right.');
    expect(text).not.toContain('returned the payment');
    const back = { ground: 'rescinded', replaces: 'uncollectible' };
    expect((await api.call(`POST /disputes/${disputeId}/adjustments`, { body: back })).body.adjustments).toHaveLength(
      5,
    );
    await hearBank(paymentId, { status: 'won', withdrawn: 0, isRefundable: true });
    expect((await disputes().get(disputeId)).adjustments?.map(({ isChoice }) => isChoice ?? false)).toEqual([
      ...[false, true, false, true],
      ...[false, false],
    ]);
    expect(await faults()).toEqual([]);
  });

  it('200: keeps the changed ground in the first loss’s period, even if the dispute was reopened and lost again', async () => {
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    await choose(disputeId, 'uncollectible');
    clock.forward({ days: 20 });
    await hearBank(paymentId, { status: 'challenged' });
    clock.forward({ days: 30 });
    await loseDispute(paymentId);
    const change = { ground: 'rescinded', replaces: 'uncollectible' };
    const { body } = await api.call(`POST /disputes/${disputeId}/adjustments`, { body: change });
    const days = body.adjustments.map(({ counts_at }: Record<string, string>) => counts_at);
    expect(days).toEqual(Array(3).fill('2031-03-10T12:00:00.000Z'));
    await document(paymentId);
    const query = `format=json&adjustment=${body.adjustments[2].adjustment_id}`;
    const { body: note } = await api.call(`GET /invoices/payments/${paymentId}`, { query });
    expect([note.series, note.paid_on]).toEqual(['RSC-2031', '2031-03-10']);
    expect(await faults()).toEqual([]);
  });

  it('409: a change of a ground that another person has changed meanwhile', async () => {
    const disputeId = await loseDispute((await sell(api)).paymentId);
    await choose(disputeId, 'rescinded');
    const body = { ground: 'uncollectible', replaces: 'uncollectible' };
    expect((await api.call(`POST /disputes/${disputeId}/adjustments`, { body })).status).toBe(409);
  });

  it('422: an unknown ground; 404: an unknown dispute; 403: a key that only reads', async () => {
    const disputeId = await loseDispute((await sell(api)).paymentId);
    expectProblem(await choose(disputeId, 'other'), 422, 'INVALID_REQUEST_BODY', 'ground');
    expectProblem(await choose('dsp_000000000000000000000', 'rescinded'), 404, 'NOT_FOUND');
  });

  it('takes only the disputed share: not what was refunded before', async () => {
    const { paymentId } = await sell(api);
    const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 999 } });
    await finishRefund(body.refund_id);
    const disputeId = await loseDispute(paymentId);
    const [adjustment] = (await choose(disputeId, 'uncollectible')).body.adjustments;
    const { tax } = await payments().get(paymentId);
    expect(adjustment.total_amount).toBe(1_000);
    expect(adjustment.tax).toBe(tax - body.tax);
    expect(await faults()).toEqual([]);
  });
});

describe('money that comes back after all', () => {
  it('takes the adjustment back on the day of the receipt, and lets the merchant choose again after the next loss', async () => {
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    await choose(disputeId, 'uncollectible');
    clock.forward({ minutes: 60 * 24 * 30 });
    await hearBank(paymentId, { status: 'challenged' });
    expect((await disputes().get(disputeId)).adjustments).toHaveLength(1); // reopened, but the bank keeps the money
    await hearBank(paymentId, { status: 'won', withdrawn: 0, isRefundable: true });
    const kinds = async () => (await disputes().get(disputeId)).adjustments?.map(({ kind, at }) => [kind, at]);
    expect(await kinds()).toEqual([
      ['lost', '2031-03-10T12:00:00.000Z'],
      ['won', '2031-04-09T12:00:00.000Z'],
    ]);
    await loseDispute(paymentId);
    expect((await choose(disputeId, 'rescinded')).body.adjustments).toHaveLength(3);
    expect((await eventsOf(paymentId)).map(({ type }) => type)).toEqual([
      ...['payment.succeeded', 'dispute.lost', 'dispute.adjusted', 'dispute.challenged'],
      ...['dispute.won', 'dispute.adjusted', 'dispute.lost', 'dispute.adjusted'],
    ]);
    expect(await faults()).toEqual([]);
  });

  it('takes the adjustment back if the bank takes another share, so the rest is chosen too', async () => {
    clock.stopAt('2031-03-10T12:00:00.000Z');
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId, { amount: 1_000, withdrawn: 1_000 });
    await choose(disputeId, 'uncollectible');
    clock.stopAt('2031-04-20T12:00:00.000Z');
    await loseDispute(paymentId, { amount: 1_000, withdrawn: 1_500 });
    const amounts = (await disputes().get(disputeId)).adjustments?.map(({ kind, lines }) => [kind, lines[0]?.amount]);
    expect(amounts).toEqual([
      ['lost', 1_000],
      ['won', 1_000],
    ]);
    const [, , last] = (await choose(disputeId, 'uncollectible')).body.adjustments;
    expect([last.kind, last.total_amount]).toEqual(['lost', 1_500]);
    const days = (await disputes().get(disputeId)).adjustments?.map(({ at }) => at.slice(0, 10));
    expect(days).toEqual(['2031-03-10', '2031-04-20', '2031-04-20']); // March counts one share, not both
  });
});

describe('the credit note of a rescinded sale', () => {
  it('has numbers without gaps, names the invoice, moves no money, and is cancelled when the money comes back', async () => {
    clock.stopAt('2032-03-10T12:00:00.000Z');
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    const [adjustment] = (await choose(disputeId, 'rescinded')).body.adjustments;
    await document(paymentId);
    const read = (query: string) => api.call(`GET /invoices/payments/${paymentId}`, { query: `format=json&${query}` });
    const { body: invoice } = await read('');
    const { body: note } = await read(`adjustment=${adjustment.adjustment_id}`);
    expect(note).toMatchObject({
      kind: 'dispute_credit_note',
      series: 'RSC-2032',
      refund_id: null,
      adjustment_id: adjustment.adjustment_id,
      total_amount: 0 - invoice.total_amount,
      tax: 0 - invoice.tax,
      corrects: { number: invoice.number },
    });
    expect(note.url).toContain(`adjustment=${adjustment.adjustment_id}`);
    const page = await api.call(`GET /invoices/payments/${paymentId}`, {
      query: `format=html&lang=de&adjustment=${adjustment.adjustment_id}`,
    });
    expect(page.text).toContain('mit ihm wird kein Geld gezahlt');
    expect(page.text).toContain(`?adjustment=${adjustment.adjustment_id}&amp;format=pdf`);
    await hearBank(paymentId, { status: 'won', withdrawn: 0, isRefundable: true });
    await document(paymentId);
    const { body: cancelled } = await read(`adjustment=${adjustment.adjustment_id.slice(0, -1)}2`);
    expect(cancelled).toMatchObject({
      kind: 'credit_note_cancellation',
      total_amount: invoice.total_amount,
      cancels: { number: note.number },
    });
    for (const series of ['RSC-2032', 'CAN-2032', 'INV-2032'])
      expect((await api.call('GET /invoices/audit', { query: `series=${series}` })).body).toMatchObject({
        is_continuous: true,
        gaps: [],
        missing: [],
      });
    expect(await faults()).toEqual([]);
  });

  it('keeps its number after the series is lost, because the operator’s command rebuilds the series', async () => {
    clock.stopAt('2035-03-10T12:00:00.000Z');
    const rescind = async () => {
      const { paymentId } = await sell(api);
      const disputeId = await loseDispute(paymentId);
      const [{ adjustment_id: id }] = (await choose(disputeId, 'rescinded')).body.adjustments;
      await document(paymentId);
      return (await documents().find(id)).document?.number;
    };
    const numbers = [await rescind(), await rescind()];
    const { client, name } = table();
    const { pk } = keys.series('RSC', '2035');
    for (const row of await scanRows(client, name))
      if (row.pk === pk) await client.send(new DeleteCommand({ TableName: name, Key: { pk, sk: row.sk } }));
    expect(await rebuildNumbers(client, name)).toEqual([pk, pk]);
    expect(await raiseCounters(client, name, new Set([pk]))).toBe(1);
    expect([...numbers, await rescind()]).toEqual(['RSC-2035-000001', 'RSC-2035-000002', 'RSC-2035-000003']);
    const { body } = await api.call('GET /invoices/audit', { query: 'series=RSC-2035' });
    expect(body).toMatchObject({ is_continuous: true, gaps: [], missing: [] });
  });

  it('is issued by the reader if the worker has not, and only for a rescinded sale', async () => {
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    const [adjustment] = (await choose(disputeId, 'uncollectible')).body.adjustments;
    await document(paymentId);
    expect((await documents().find(adjustment.adjustment_id)).document).toBeUndefined();
    expectProblem(
      await api.call(`GET /invoices/payments/${paymentId}`, {
        query: `format=json&adjustment=${adjustment.adjustment_id}`,
      }),
      404,
      'NOT_FOUND',
    );
    const other = await sell(api);
    const lost = await loseDispute(other.paymentId);
    const [rescinded] = (await choose(lost, 'rescinded')).body.adjustments;
    const { status } = await api.call(`GET /invoices/payments/${other.paymentId}`, {
      query: `format=json&adjustment=${rescinded.adjustment_id}`,
    });
    expect(status).toBe(200);
  });
});

describe('the page of a lost dispute', () => {
  const look = async (path: string) =>
    (await api.call(`GET ${path}`, { cookies: viewer.cookies, key: null, query: 'lang=en' })).text;
  const post = (path: string, fields: Record<string, string>) => {
    forms += 1;
    return postForm(api, path, { token: viewer.token, form_id: `form${forms}`, ...fields }, viewer.cookies);
  };

  it('proposes a ground with its figures, books it once, and shows what was booked', async () => {
    const { paymentId } = await sell(api);
    const disputeId = await loseDispute(paymentId);
    const path = `/dashboard/disputes/${disputeId}`;
    const before = await look(path);
    expect(before).toContain('Proposed: uncollectible');
    expect(before).toContain('value="uncollectible" checked');
    const { status, headers } = await post(path, { action: 'choose_ground', ground: 'rescinded' });
    expect([status, headers['location']]).toEqual([303, `${path}?done=saved`]);
    const after = await look(path);
    expect(after).toContain('lost: rescinded');
    expect(after).not.toContain('Proposed:');
    expect(after).toContain('Change to uncollectible');
    expect([before.includes('Choose below why'), after.includes('Nothing is left to do.')]).toEqual([true, true]);
    const refused = await post(path, { action: 'choose_ground', ground: 'uncollectible' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Another ground is booked')]);
    const changed = await post(path, { action: 'choose_ground', ground: 'uncollectible', replaces: 'rescinded' });
    expect(changed.status).toBe(303);
    expect(await look(path)).toContain('no longer rescinded: another ground was chosen');
    const [note] = (await disputes().get(disputeId)).adjustments ?? [];
    const opened = await api.call(`GET /dashboard/payments/${paymentId}`, {
      query: `document=${note?.id}`,
      cookies: viewer.cookies,
      key: null,
    });
    expect(opened.headers['location']).toContain(`adjustment=${note?.id}`);
  });

  it('still lists what the sale delivered after it refused a ground', async () => {
    const license = await api.call('POST /entitlements', {
      body: { name: 'The program', integration_type: 'license_key', integration_config: {} },
    });
    const productId = await addProduct(api, { entitlements: [{ entitlement_id: license.body.id }] });
    const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    const { id: paymentId } = await pay(sessionId, { expectedTotal: 1_999 });
    await sweep();
    const [owed] = grantsOwedBy(await payments().get(paymentId));
    const { licenseKeyId } = await grants().get(owed?.id ?? '');
    const { key } = await licenseKeys().get(licenseKeyId ?? '');
    await api.call('POST /licenses/activate', { key: null, body: { license_key: key, name: 'Studio' } });
    const path = `/dashboard/disputes/${await loseDispute(paymentId)}`;
    await post(path, { action: 'choose_ground', ground: 'rescinded' });
    const { status, text } = await post(path, { action: 'choose_ground', ground: 'uncollectible' });
    expect(status).toBe(422);
    expect(text).toContain('The program: activated on the device “Studio”');
  });

  it('offers nothing while the dispute is open', async () => {
    const { paymentId } = await sell(api);
    expect(await look(`/dashboard/disputes/${await hearBank(paymentId)}`)).not.toContain('Tax of the loss');
  });
});

it('the tax export of the dashboard subtracts a lost dispute on the day of the loss', async () => {
  clock.stopAt('2033-03-10T12:00:00.000Z');
  const { paymentId } = await sell(api);
  clock.forward({ days: 30 });
  const disputeId = await loseDispute(paymentId);
  const { cookies } = await browse(api, localKey);
  const exported = async () => {
    const query = 'from=2033-04-09&to=2033-04-09';
    const { text } = await api.call('GET /dashboard/exports/taxes.csv', { query, cookies, key: null });
    return text.trim().split('\r\n').slice(1);
  };
  expect(await exported()).toEqual([]);
  await choose(disputeId, 'uncollectible');
  expect(await exported()).toEqual(['2033-04,2033-Q2,DE,,DE,VAT,7,,EUR,0,0.00,0.00,1,18.68,1.31,-18.68,-1.31']);
});
