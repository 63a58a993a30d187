import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '../../../shared/domain/duration.ts';
import { payments, withdrawals } from '../../../shared/wiring/runtime.ts';
import { proofUrlOf } from '../../../shared/wiring/selling.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';
import { declareByForm, declareByLink } from '../../support/shop/withdrawals.ts';

const mails = mkdtempSync(join(tmpdir(), 'withdrawals-board-'));
let api: Api;
let admin: Browsing;
let reader: Browsing;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
  admin = await browse(api, await api.addKey({ access: 'admin', refunds: { perDay: null } }));
  reader = await browse(api, await api.addKey({ access: 'read', refunds: null }));
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const home = '/dashboard/withdrawals';
const see = async (path: string, { cookies } = admin, query = '') =>
  (await api.call(`GET ${path}`, { cookies, key: null, query })).text;
let forms = 0;
async function press(path: string, fields: Record<string, string>, form_id?: string) {
  forms += 1;
  return postForm(api, path, { ...fields, token: admin.token, form_id: form_id ?? `form-${forms}` }, admin.cookies);
}
const sold = async () => (await sell(api)).paymentId;
const proven = async () => {
  const paymentId = await sold();
  return { paymentId, id: await declareByLink(api, paymentId) };
};
/** A declaration by the form for everyone, about an order that was found. */
async function unproven() {
  const paymentId = await sold();
  return { paymentId, id: await declareByForm(api, { reference: paymentId }) };
}
const outcomes = async (id: string) => (await withdrawals().get(id)).current.decisions.map(({ outcome }) => outcome);
const refundsOf = async (paymentId: string) => (await payments().get(paymentId)).refunds.map(({ amount }) => amount);
const proposed = 'full_refund 1999';

describe('the dashboard’s list of withdrawals', () => {
  it('shows buyer, order, remaining days, proof and state, newest first', async () => {
    const [first, second] = [await proven(), await unproven()];
    const text = await see(home);
    expect(text.indexOf(second.id)).toBeLessThan(text.indexOf(first.id));
    expect(text).toContain(`<a class="leads" href="${home}/${first.id}">`);
    expect(text).toContain(`<a href="/dashboard/payments/${first.paymentId}">`);
    for (const words of ['14 days left', 'proven: link', 'unproven', 'Ann Buyer', 'Field Guide (e-book)'])
      expect(text).toContain(words);
  });

  it.each([
    [9, '5 days left', false],
    [10.5, '4 days left', true],
    [14.5, 'overdue', true],
  ])('shows after %d days %j, as a warning: %j', async (days, words, isWarning) => {
    const { id } = await proven();
    const { declaration, current } = await withdrawals().get(id);
    const createdAt = new Date(Date.parse(declaration.receivedAt) - days * dayMs).toISOString();
    await withdrawals().save({ current: { ...current, createdAt }, dueAt: null });
    const text = await see(`${home}/${id}`);
    expect(text).toContain(words);
    expect(text.includes(`<span class="badge bad">${words}</span>`)).toBe(isWarning);
  });

  it('can be filtered by state, and exported as a file that contains no formulas', async () => {
    const [open, done] = [await proven(), await proven()];
    await press(`${home}/${done.id}`, { action: 'confirm', proposed });
    const [isOpen, isDecided] = [await see(home, admin, 'state=open'), await see(home, admin, 'state=decided')];
    expect([isOpen.includes(open.id), isOpen.includes(done.id)]).toEqual([true, false]);
    expect([isDecided.includes(open.id), isDecided.includes(done.id)]).toEqual([false, true]);
    await declareByForm(api, { reference: '=HYPERLINK("https://evil.example")' });
    const file = await see(home, admin, 'format=csv');
    expect(file).toContain(`${done.id},`);
    expect(file).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  });
});

/** A member corrects the e-mail address of an order. */
const correctAddress = (paymentId: string, email: string) =>
  press(`/dashboard/payments/${paymentId}/order`, { action: 'correct', email });

describe('the search for withdrawals by an e-mail address', () => {
  const found = async (email: string, more = {}) =>
    see(home, admin, new URLSearchParams({ email, ...more }).toString());

  it('finds what was typed with it, with and without an order, and what is about its orders', async () => {
    const mine = await sell(api, { email: 'one@search.example' });
    const ids = [
      await declareByLink(api, mine.paymentId),
      await declareByForm(api, { reference: mine.paymentId, email: 'else@search.example' }),
      await declareByForm(api, { email: 'One@Search.example' }),
    ];
    const other = await proven();
    const text = await found('ONE@search.example');
    expect(ids.map((id) => text.includes(id))).toEqual([true, true, true]);
    expect(text).not.toContain(other.id);
    const typed = await found('else@search.example');
    expect(ids.map((id) => typed.includes(id))).toEqual([false, true, false]);
    const file = await found('one@search.example', { format: 'csv', state: 'open' });
    expect([...ids, other.id].map((id) => file.includes(id))).toEqual([true, true, true, false]);
    expect(await found('one@search.example', { state: 'decided' })).toContain('There is none of this address.');
  });

  it('finds those of an order by its corrected address, and no longer by the old one', async () => {
    const { paymentId } = await sell(api, { email: 'wrong@search.example' });
    const id = await declareByLink(api, paymentId);
    expect(await found('wrong@search.example')).toContain(id);
    await correctAddress(paymentId, 'right@search.example');
    expect([
      (await found('right@search.example')).includes(id),
      (await found('wrong@search.example')).includes(id),
    ]).toEqual([true, false]);
  });
});

it('The page of a withdrawal shows the address to which its mails go, also after the customer’s address changed', async () => {
  const { id, paymentId } = await proven();
  const { customer } = await payments().get(paymentId);
  const body = { email: 'moved@customer.example' };
  expect((await api.call(`PATCH /customers/${customer.id}`, { body })).status).toBe(200);
  const page = await see(`${home}/${id}`);
  expect(page).toContain('<dt>Address of the order</dt><dd>moved@customer.example');
  expect(page).toContain('moved@customer.example gets');
});

describe('the button that confirms a proposed decision', () => {
  it('refunds the proposed amount, records who decided, and mails the buyer', async () => {
    const { id, paymentId } = await proven();
    expect(await see(`${home}/${id}`)).toMatch(/<button class="main"[^>]*value="confirm">Refund €19.99<\/button>/);
    const before = readdirSync(mails).length;
    const { status, headers } = await press(`${home}/${id}`, { action: 'confirm', proposed });
    expect([status, headers['location']]).toEqual([303, `${home}/${id}?done=decided`]);
    expect(await refundsOf(paymentId)).toEqual([1_999]);
    expect(await outcomes(id)).toEqual(['refunded']);
    expect(readdirSync(mails).length).toBe(before + 1);
    expect(await see(`${home}/${id}`)).not.toContain('name="action"');
  });

  it('refunds once, even if it is pressed twice or by two members', async () => {
    const { id, paymentId } = await proven();
    const fields = { action: 'confirm', proposed };
    const answers = await Promise.all([
      press(`${home}/${id}`, fields, 'twice'),
      press(`${home}/${id}`, fields, 'twice'),
    ]);
    expect(answers.map(({ status }) => status)).toContain(303);
    expect((await press(`${home}/${id}`, fields, 'twice')).status).toBe(303);
    expect((await press(`${home}/${id}`, fields)).status).toBe(422);
    expect([await refundsOf(paymentId), await outcomes(id)]).toEqual([[1_999], ['refunded']]);
  });

  it('does nothing if the proposal has changed in the meantime', async () => {
    const { id, paymentId } = await proven();
    await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
    const { status, text } = await press(`${home}/${id}`, { action: 'confirm', proposed });
    expect([status, text.includes('something else changed it first')]).toEqual([422, true]);
    expect([await refundsOf(paymentId), await outcomes(id)]).toEqual([[500], []]);
    expect(text).toContain('Refund €14.99');
  });

  it('is disabled for an unproven declaration, until the order’s own address confirms it', async () => {
    const { id, paymentId } = await unproven();
    const text = await see(`${home}/${id}`);
    expect(text).toContain('a typed address proves nothing');
    expect(text).toMatch(/<button type="button" class="main" disabled>Refund €19.99<\/button>/);
    expect(text).not.toContain('value="confirm"');
    expect((await press(`${home}/${id}`, { action: 'confirm', proposed })).status).toBe(422);
    expect([await refundsOf(paymentId), await outcomes(id)]).toEqual([[], []]);
    const { searchParams } = new URL(await proofUrlOf(id, (await payments().get(paymentId)).customer.email));
    await api.call('POST /withdraw/confirm', {
      key: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: Buffer.from(searchParams.toString()),
    });
    expect(await see(`${home}/${id}`)).toMatch(/value="confirm">Refund €19.99/);
  });
});

describe('a failed refund of a withdrawal', () => {
  it('makes the decision possible again as a refund or an end, but not as a refusal', async () => {
    const { paymentId } = await sell(api, { card: cards.failingRefunds });
    const id = await declareByLink(api, paymentId);
    await press(`${home}/${id}`, { action: 'confirm', proposed });
    expect(await see(`${home}/${id}`)).not.toContain('name="action"');
    const [{ refundId } = {}] = (await withdrawals().get(id)).current.decisions;
    await finishRefund(refundId ?? '');
    const text = await see(`${home}/${id}`);
    expect(await see(home)).toContain('refund failed, decide again');
    expect([
      (await see(home, admin, 'state=open')).includes(id),
      (await see(home, admin, 'state=decided')).includes(id),
    ]).toEqual([true, false]);
    expect(await see(home, admin, 'state=open&format=csv')).toMatch(new RegExp(`${id},.*,refund_failed`));
    for (const words of [
      'The refund failed',
      'refund failed, decide again',
      'value="confirm">Refund €19.99',
      'value="end"',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('value="refuse"');
    expect((await press(`${home}/${id}`, { action: 'confirm', proposed })).status).toBe(303);
    expect(await outcomes(id)).toEqual(['refunded', 'refunded']);
  });
});

describe('a member in the dashboard', () => {
  it('can refuse with a reason after a warning, and can refund later', async () => {
    const { id, paymentId } = await proven();
    expect(await see(`${home}/${id}`)).toContain('does not prove a reason to refuse');
    expect((await press(`${home}/${id}`, { action: 'refuse' })).status).toBe(422);
    const refused = { action: 'refuse', reason: 'right_lost', note_refuse: 'You read it all.' };
    expect((await press(`${home}/${id}`, refused)).status).toBe(303);
    const text = await see(`${home}/${id}`);
    for (const words of ['You read it all.', 'The right was lost', 'Refund after all']) expect(text).toContain(words);
    expect(text).not.toContain('value="refuse"');
    expect((await press(`${home}/${id}`, { action: 'confirm', proposed })).status).toBe(303);
    expect([await outcomes(id), await refundsOf(paymentId)]).toEqual([['refused', 'refunded'], [1_999]]);
    expect((await press(`${home}/${id}`, refused)).status).toBe(422);
  });

  it('can refund a part, line by line, but no more than is left', async () => {
    const cart = [await addProduct(api), await addProduct(api)].map((product_id) => ({ product_id, quantity: 1 }));
    const { id: paymentId } = await pay(await createSession(api, cart), { expectedTotal: 3_998 });
    const id = await declareByLink(api, paymentId, [
      ['line', '0'],
      ['line', '1'],
    ]);
    expect((await press(`${home}/${id}`, { action: 'refund', amount_0: 'all', amount_1: '' })).status).toBe(422);
    expect((await press(`${home}/${id}`, { action: 'refund', amount_0: '', amount_1: '' })).status).toBe(422);
    const high = { action: 'refund', amount_1: '20.00', confirmed: '2000' };
    expect((await press(`${home}/${id}`, high)).status).toBe(422);
    const typed = { action: 'refund', amount_0: '', amount_1: '7.50', note_refund: 'A part.' };
    for (const confirmed of ['', '2000']) {
      const asked = await press(`${home}/${id}`, { ...typed, confirmed });
      expect([asked.status, await refundsOf(paymentId)]).toEqual([200, []]);
      for (const shown of [
        'This returns €7.50 to the buyer',
        'name="confirmed" value="750"',
        'value="7.50"',
        '>A part.<',
      ])
        expect(asked.text).toContain(shown);
    }
    expect((await press(`${home}/${id}`, { ...typed, confirmed: '750' })).status).toBe(303);
    expect((await payments().get(paymentId)).lines.map(({ refundable }) => refundable)).toEqual([1_999, 1_249]);
    expect(await outcomes(id)).toEqual(['refunded_in_part']);
  });

  it('can assign a declaration to an order once, and then close or refund it', async () => {
    const [paymentId, other] = [await sold(), await sold()];
    const id = await declareByForm(api);
    expect(await see(`${home}/${id}`)).toContain('Find the order first');
    const { text } = await press(`${home}/${id}`, { action: 'match', payment_id: 'pay_unknown' });
    expect(text).toContain('There is no paid order with this id.');
    const before = (await withdrawals().get(id)).declaration;
    expect((await press(`${home}/${id}`, { action: 'match', payment_id: paymentId })).status).toBe(303);
    expect((await press(`${home}/${id}`, { action: 'match', payment_id: other })).status).toBe(422);
    const { declaration, current } = await withdrawals().get(id);
    expect([declaration, current.paymentId, current.proof]).toEqual([before, paymentId, null]);
    expect((await withdrawals().ofPayment(paymentId)).map((one) => one.id)).toEqual([id]);
    const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
    expect(items.map(({ type }: { type: string }) => type)).toContain('withdrawal.declared');
  });

  it('can close a declaration without an order, and end one without an amount', async () => {
    const [one, other] = [await declareByForm(api), (await proven()).id];
    expect((await press(`${home}/${one}`, { action: 'close' })).status).toBe(303);
    expect((await press(`${home}/${other}`, { action: 'end' })).status).toBe(303);
    expect([await outcomes(one), await outcomes(other)]).toEqual([['closed'], ['ended']]);
  });

  it('can enter a declaration that came by post, for an existing order and a valid day', async () => {
    const paymentId = await sold();
    const day = new Date().toISOString().slice(0, 10);
    const entry = { action: 'enter', name: 'Ann Letter', payment_id: paymentId, day };
    for (const wrong of [{ payment_id: 'pay_x' }, { day: '2020-01-01' }, { day: '2999-01-01' }, { day: 'soon' }])
      expect((await press(home, { ...entry, ...wrong })).status).toBe(422);
    const { status, headers } = await press(home, entry);
    expect(status).toBe(303);
    const id = /wdr_\w+/.exec(headers['location'] ?? '')?.[0] ?? '';
    const { declaration, current } = await withdrawals().get(id);
    expect(declaration).toMatchObject({ source: 'merchant', name: 'Ann Letter', receivedAt: `${day}T00:00:00.000Z` });
    expect([current.proof?.by, current.paymentId, current.acknowledgement.status]).toEqual([
      'merchant',
      paymentId,
      'due',
    ]);
  });
});

describe('a member with read access', () => {
  it('sees all withdrawals, but no form', async () => {
    const [one, other] = [await proven(), await declareByForm(api)];
    for (const path of [home, `${home}/${one.id}`, `${home}/${other}`]) {
      const text = await see(path, reader);
      expect([path, text.includes('name="action"'), text.includes(one.id) || text.includes(other)]).toEqual([
        path,
        false,
        true,
      ]);
    }
  });
});

describe('the dashboard page of a payment', () => {
  it('shows its withdrawals, and the state of the right of withdrawal with the reason', async () => {
    const { id, paymentId } = await proven();
    const text = await see(`/dashboard/payments/${paymentId}`);
    expect(text).toContain(`${home}/${id}`);
    for (const words of ['Right of withdrawal', 'twelve months more', 'did not ask for a supply'])
      expect(text).toContain(words);
  });
});

it('404: the dashboard answers for an unknown declaration', async () => {
  const { status } = await api.call(`GET ${home}/wdr_unknown`, { cookies: admin.cookies, key: null });
  expect(status).toBe(404);
});
