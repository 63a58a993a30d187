import { afterAll, beforeAll, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { customers, payments, withdrawals } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { finishRefund } from '../../support/shop/settle.ts';
import { sell } from '../../support/shop/shop.ts';
import { declareByForm, declareByLink } from '../../support/shop/withdrawals.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let admin: string;
beforeAll(async () => {
  api = await startApi();
  admin = await api.addKey({ access: 'admin', refunds: { perDay: null } });
});
afterAll(() => api.stop());

const decide = (id: string, body: object) => api.call(`POST /withdrawals/${id}/decide`, { body });
const erase = (customerId: string) => api.call(`POST /customers/${customerId}/erase`, { key: admin });
let buyers = 0;
async function sold(card: string = cards.good) {
  buyers += 1;
  const email = `erased${buyers}@buyer.example`;
  const { paymentId } = await sell(api, { email, name: 'Grace Hopper', card });
  return { paymentId, customerId: (await payments().get(paymentId)).customer.id, email };
}

it('an erasure is refused while a withdrawal of the customer is undecided, also in the dashboard', async () => {
  const { paymentId, customerId } = await sold();
  const id = await declareByLink(api, paymentId);
  expectProblem(await erase(customerId), 409, 'CONFLICT');
  const browsing = await browse(api, admin);
  const fields = { action: 'erase', confirmation: customerId, token: browsing.token, form_id: 'erase' };
  const form = await postForm(api, `/dashboard/customers/${customerId}`, fields, browsing.cookies);
  expect([form.status, form.text.includes(`The withdrawal ${id} is not decided`)]).toEqual([409, true]);
  await decide(id, { outcome: 'refuse', reason: 'late' });
  expect((await erase(customerId)).status).toBe(200);
});

it('an erasure is refused while the failed refund of a withdrawal is not resolved', async () => {
  const { paymentId, customerId } = await sold(cards.failingRefunds);
  const id = await declareByLink(api, paymentId);
  await finishRefund((await decide(id, { outcome: 'refund' })).body.decisions[0].refund_id);
  expectProblem(await erase(customerId), 409, 'CONFLICT');
  await decide(id, { outcome: 'end' });
  expect((await erase(customerId)).status).toBe(200);
});

it('an erasure waits for what its customer typed about no order, and removes it when it is decided', async () => {
  const { customerId, email } = await sold();
  await sell(api, { email }); // one of two orders cannot be meant
  const decided = await declareByForm(api, { email });
  expectProblem(await erase(customerId), 409, 'CONFLICT');
  await decide(decided, { outcome: 'close' });
  expect((await erase(customerId)).status).toBe(200);
  const open = await declareByForm(api, { email: email.toUpperCase() });
  const emails = async () => {
    await invokeFunction('customers/erase-customers', {});
    return Promise.all([decided, open].map(async (id) => (await withdrawals().get(id)).declaration.email));
  };
  const isErasing = async () => (await customers().find(customerId))?.erasure?.endedAt === null;
  expect([await emails(), await isErasing()]).toEqual([['', email.toUpperCase()], true]);
  await decide(open, { outcome: 'close' });
  expect(await emails()).toEqual(['', '']);
  await emails();
  expect(await isErasing()).toBe(false);
});

it('an erasure waits for what was typed with any address that the customer had, and removes it', async () => {
  const { customerId, email: first } = await sold();
  await sell(api, { email: first }); // one of two orders cannot be meant
  const email = `moved${buyers}@buyer.example`;
  for (const next of [email, `again${buyers}@buyer.example`])
    await api.call(`PATCH /customers/${customerId}`, { body: { email: next } });
  const typed = await declareByForm(api, { reference: 'none', email });
  expectProblem(await erase(customerId), 409, 'CONFLICT');
  await decide(typed, { outcome: 'close' });
  expect((await erase(customerId)).status).toBe(200);
  for (const _ of [1, 2]) await invokeFunction('customers/erase-customers', {});
  expect((await withdrawals().get(typed)).declaration.email).toBe('');
  const { erasure, typedAs } = (await customers().find(customerId)) ?? {};
  expect([typeof erasure?.endedAt, typedAs]).toEqual(['string', undefined]);
});

it('an erasure removes contact data and texts from declarations, and keeps their proofs', async () => {
  const { paymentId, customerId } = await sold();
  const proven = await declareByLink(api, paymentId);
  const typed = await declareByForm(api, { reference: `Grace’s ${paymentId}`, email: 'grace@elsewhere.example' });
  const note = 'Dear Grace, it was late.';
  for (const id of [proven, typed]) await decide(id, { outcome: 'refuse', reason: 'late', note });
  const before = await Promise.all([proven, typed].map((id) => withdrawals().get(id)));
  await erase(customerId);
  await invokeFunction('customers/erase-customers', {});
  const after = await Promise.all([proven, typed].map((id) => withdrawals().get(id)));
  expect(JSON.stringify(after)).not.toMatch(/grace|hopper/i);
  for (const [index, { declaration, current }] of after.entries()) {
    const { declaration: declared, current: decided } = before[index] as (typeof before)[number];
    const contactless = { name: '', email: '', reference: declared.paymentId ?? '' };
    expect(declaration).toEqual({ ...declared, ...contactless });
    expect(current.decisions).toEqual(decided.decisions.map((one) => ({ ...one, note: null })));
    expect([current.proof, current.createdAt, current.paymentId]).toEqual([
      decided.proof,
      decided.createdAt,
      paymentId,
    ]);
  }
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  for (const { event_id } of items)
    expect((await api.call(`GET /webhook-events/${event_id}`)).text).not.toMatch(/grace|hopper/i);
  expect((await api.call(`GET /withdrawals/${proven}`)).status).toBe(200);
});
