import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { formatDate } from '../../../shared/pages/format.ts';
import { documents } from '../../../shared/wiring/books.ts';
import { payments, withdrawals } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf, proofUrlOf } from '../../../shared/wiring/selling.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'withdraw-'));
let api: Api;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
});
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const anyone = { key: null, headers: { 'accept-language': 'en' } };
const form = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' };

const get = (url: string, cookie?: string) => {
  const { pathname, search } = new URL(url, 'http://shop.example');
  return api.call(`GET ${pathname}`, { ...anyone, cookies: cookie ? [cookie] : [], query: search.slice(1) });
};
let counter = 0;
const count = () => {
  counter += 1;
  return counter;
};
const token = () => `token-${count()}`;

/** Posts a form from a network of its own, unless the test is about networks. */
const post = (
  path: string,
  fields: Record<string, string> | [string, string][],
  cookie?: string,
  source = `198.51.100.${count()}`,
) =>
  api.call(`POST ${path}`, {
    key: null,
    headers: form,
    source,
    cookies: cookie ? [cookie] : [],
    raw: Buffer.from(new URLSearchParams(fields).toString()),
  });

/** The mails that an act sends: to whom, and their texts. */
async function mailsBy(act: () => Promise<unknown>): Promise<{ to: string; text: string }[]> {
  const before = new Set(readdirSync(mails));
  await act();
  return readdirSync(mails)
    .filter((name) => !before.has(name))
    .map((name) => {
      const raw = readFileSync(join(mails, name), 'utf8');
      const [, text = ''] = /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(raw) ?? [];
      const [, to = ''] = /^To: .*?<?([^\s<>]+@[^\s<>]+?)>?\r?$/m.exec(raw) ?? [];
      return { to, text: Buffer.from(text, 'base64').toString() };
    });
}

const cases = async () => (await withdrawals().list({ size: 100, skip: 0, after: undefined })).items;
const latest = async () => {
  const [current] = await cases();
  if (!current) throw new Error('Nothing was declared.');
  return withdrawals().get(current.id);
};

const declare = (fields: { name?: string; reference: string; email: string; form_token?: string }) =>
  post('/withdraw', { name: 'Ann Buyer', form_token: token(), step: 'confirm', ...fields });

describe('the withdrawal form for guests', () => {
  it('has only the fields name, contract and e-mail address', async () => {
    const { status, text } = await get('/withdraw');
    expect(status).toBe(200);
    expect(text).toContain('Withdraw from contract here');
    expect([...text.matchAll(/<input[^>]* name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      'name',
      'reference',
      'email',
    ]);
  });

  it('first shows the declaration again, with the legally prescribed words on the button that sends it', async () => {
    const before = await cases();
    const checked = await post('/withdraw', {
      name: 'Ann',
      reference: 'my book',
      email: 'ann@buyer.example',
      step: 'check',
    });
    expect(checked.text).toContain('value="confirm">Confirm withdrawal</button>');
    expect(await cases()).toEqual(before);
  });

  it.each([
    [{ name: '' }, 'name-fault'],
    [{ reference: ' ' }, 'reference-fault'],
    [{ email: 'nobody' }, 'email-fault'],
  ])('shows an error at the missing field of %j, and stores nothing', async (change, fault) => {
    const before = await cases();
    const typed = { name: 'Ann', reference: 'my book', email: 'ann@buyer.example', step: 'confirm', ...change };
    const { status, text } = await post('/withdraw', typed);
    expect([status, text.includes(`aria-describedby="${fault}`)]).toEqual([422, true]);
    expect(await cases()).toEqual(before);
  });

  it('answers the same with and without an order, and the declaration is unproven', async () => {
    const { paymentId } = await sell(api);
    const { email } = (await payments().get(paymentId)).customer;
    const before = (await cases()).map(({ id }) => id);
    const [known, unknown] = await Promise.all([
      declare({ reference: paymentId, email }),
      declare({ reference: `pay_${'x'.repeat(21)}`, email }),
    ]);
    const masked = (text: string) => text.replace(/pay_\w{21}/g, 'pay').replace(/\d\d:\d\d:\d\d/g, 'time');
    expect(masked(known.text)).toBe(masked(unknown.text));
    const all = (await cases()).filter(({ id }) => !before.includes(id));
    expect(all.map(({ proof }) => proof)).toEqual([null, null]);
    expect(all.map((one) => one.paymentId)).toContain(paymentId);
  });

  it('finds the order by its invoice number together with its own address', async () => {
    const { paymentId } = await sell(api);
    await issue(paymentId);
    const { document } = await documents().find(paymentId);
    const reference = `Rechnung ${document?.number}, das Buch`;
    await declare({ reference, email: 'other@buyer.example' });
    expect((await latest()).current.paymentId).toBeNull();
    await declare({ reference, email: (await payments().get(paymentId)).customer.email.toUpperCase() });
    expect((await latest()).current.paymentId).toBe(paymentId);
  });

  it('finds an order by the address to which a member has corrected it, and no longer by the old one', async () => {
    const [email, corrected] = [`moved${count()}@buyer.example`, `right${count()}@buyer.example`];
    const cart = [{ product_id: await addProduct(api), quantity: 1 }];
    const { id } = await pay(await createSession(api, cart), { expectedTotal: 1_999, email });
    await declare({ reference: 'the book', email });
    expect((await latest()).current.paymentId).toBe(id);
    await correctAddress(id, corrected);
    await declare({ reference: 'the book again', email });
    expect((await latest()).current.paymentId).toBeNull();
    await declare({ reference: 'the book once more', email: corrected.toUpperCase() });
    expect((await latest()).current.paymentId).toBe(id);
    const { document } = await documents().find(id);
    for (const [address, found] of [
      [email, null],
      [corrected, id],
    ] as const) {
      await declare({ reference: `Rechnung ${document?.number}`, email: address });
      expect((await latest()).current.paymentId).toBe(found);
    }
  });

  it('answers after the same time with and without an order', async () => {
    const { paymentId } = await sell(api);
    const { email } = (await payments().get(paymentId)).customer;
    const timed = async (reference: string, address: string) => {
      const begin = performance.now();
      await declare({ reference, email: address });
      return performance.now() - begin;
    };
    const times = await Promise.all([timed(paymentId, email), timed('nothing', 'nobody@buyer.example')]);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(499);
  });

  it('accepts the longest declaration in the longest characters, and refuses more than 16 kB', async () => {
    const [name, reference] = ['名'.repeat(250), '字'.repeat(1_000)];
    expect((await declare({ name, reference, email: 'long@buyer.example' })).status).toBe(200);
    expect((await latest()).declaration).toMatchObject({ name, reference });
    expect((await declare({ reference: 'x'.repeat(17_000), email: 'long@buyer.example' })).status).toBe(413);
  });

  it('stores one declaration when its button is pressed twice', async () => {
    const before = (await cases()).length;
    const same = { reference: 'twice', email: 'ann@buyer.example', form_token: token() };
    const sent = await mailsBy(() => Promise.all([declare(same), declare(same)]));
    expect((await cases()).length).toBe(before + 1);
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  it('is refused when another site sends it', async () => {
    const before = (await cases()).length;
    const headers = { ...form, 'sec-fetch-site': 'cross-site' };
    const fields = { name: 'A', reference: 'b', email: 'a@b.example', step: 'confirm' };
    const raw = Buffer.from(new URLSearchParams(fields).toString());
    expect((await api.call('POST /withdraw', { key: null, headers, raw })).status).toBe(404);
    expect((await cases()).length).toBe(before);
  });
});

/** Issues the invoice of a payment. */
const issue = async (paymentId: string) =>
  invokeFunction('documents/issue-documents', {
    'detail-type': 'payment.succeeded',
    detail: { event_id: await eventOf(paymentId), payment_id: paymentId, data: {} },
  });

/** A member corrects the e-mail address of an order. */
async function correctAddress(paymentId: string, email: string): Promise<void> {
  await issue(paymentId);
  const { cookies, token: secret } = await browse(api, localKey);
  const fields = { action: 'correct', email, token: secret, form_id: token() };
  const { headers } = await postForm(api, `/dashboard/payments/${paymentId}/order`, fields, cookies);
  expect(headers['location']).toContain('said=corrected');
}

const eventOf = async (paymentId: string): Promise<string> => {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  return items.find((one: { type: string }) => one.type === 'payment.succeeded').event_id;
};

describe('the mail that acknowledges a declaration', () => {
  it('goes to the typed address at once, with content, date and time, and without any acceptance', async () => {
    const [mail, ...others] = await mailsBy(() => declare({ reference: 'The blue book', email: 'blue@buyer.example' }));
    expect(others).toEqual([]);
    expect(mail?.to).toBe('blue@buyer.example');
    expect(mail?.text).toContain('The blue book');
    expect(mail?.text).toMatch(/on \w+ \d+, \d{4} at \d\d:\d\d:\d\d UTC/);
    expect((await latest()).current.acknowledgement.status).toBe('sent');
  });

  it('contains no clickable link from the declaration, and only the beginning of a long text', async () => {
    const reference = `Win at https://evil.example/now or evil.example ${'x'.repeat(900)}`;
    const [mail] = await mailsBy(() => declare({ reference, email: 'victim@buyer.example' }));
    expect(mail?.text).not.toMatch(/evil\.example/);
    expect(mail?.text).not.toContain('https://evil');
    expect(mail?.text).not.toContain('x'.repeat(300));
  });

  it('is sent at most five times an hour to one address, and later declarations are still stored', async () => {
    const before = (await cases()).length;
    const flood = async () => {
      const eight = Array.from({ length: 8 }, (_, index) => `${index}`);
      await Promise.all(eight.map((reference) => declare({ reference, email: 'flood@buyer.example' })));
    };
    expect((await mailsBy(flood)).length).toBeLessThanOrEqual(5);
    const all = await cases();
    expect(all.length).toBe(before + 8);
    expect(all.slice(0, 8).filter(({ acknowledgement }) => acknowledgement.status === 'due')).toHaveLength(3);
  });

  it('is sent to the order’s own address for a confirmation by a button, if the declaration came from another address', async () => {
    const { paymentId } = await sell(api);
    const { email } = (await payments().get(paymentId)).customer;
    await invokeFunction('events/sweep-due', {}); // what earlier tests have left
    const sent = await mailsBy(async () => {
      await declare({ reference: paymentId, email: 'stranger@buyer.example' });
      await invokeFunction('events/sweep-due', {});
    });
    expect(sent.map(({ to }) => to).sort()).toEqual([email, 'stranger@buyer.example'].sort());
    const stranger = sent.find(({ to }) => to === 'stranger@buyer.example');
    expect(stranger?.text).not.toContain('/withdraw/confirm');
    const link = /http\S+\/withdraw\/confirm\S+/.exec(sent.find(({ to }) => to === email)?.text ?? '')?.[0] ?? '';
    expect((await get(link)).text).toContain('Yes, I declared this');
    expect((await latest()).current.proof).toBeNull();
    const { searchParams } = new URL(link);
    const button = { id: searchParams.get('id') ?? '', token: searchParams.get('token') ?? '' };
    expect((await post('/withdraw/confirm', { ...button, token: `${button.token}x` })).status).toBe(404);
    expect((await post('/withdraw/confirm', button)).status).toBe(200);
    expect((await latest()).current.proof?.by).toBe('mail');
  });

  it('contains a link that proves nothing once it went to a former address of the order', async () => {
    const { paymentId } = await sell(api);
    const payment = await payments().get(paymentId);
    await declare({ reference: paymentId, email: 'a@buyer.example' });
    const { id } = (await latest()).declaration;
    const linkTo = async (address: string) => new URL(await proofUrlOf(id, address)).searchParams;
    await payments().save({ ...payment, customer: { ...payment.customer, email: 'corrected@buyer.example' } });
    const [old, now] = [await linkTo(payment.customer.email), await linkTo('corrected@buyer.example')];
    expect((await post('/withdraw/confirm', Object.fromEntries(old))).status).toBe(404);
    expect((await post('/withdraw/confirm', Object.fromEntries(now))).status).toBe(200);
  });

  it('goes to the address that the merchant has given to the customer, and a link to the former one proves nothing', async () => {
    const former = `former${count()}@buyer.example`;
    const { paymentId } = await sell(api, { email: former });
    const { id: customerId } = (await payments().get(paymentId)).customer;
    const email = `given${count()}@buyer.example`;
    expect((await api.call(`PATCH /customers/${customerId}`, { body: { email } })).status).toBe(200);
    const typed = await mailsBy(() => declare({ reference: 'the book', email }));
    const own = await latest();
    expect([own.current.paymentId, typed.map(({ to }) => to)]).toEqual([paymentId, [email]]);
    expect(typed[0]?.text).toContain('/withdraw/confirm');
    await invokeFunction('events/sweep-due', {}); // what earlier tests have left
    const asked = await mailsBy(async () => {
      await declare({ reference: paymentId, email: former });
      await invokeFunction('events/sweep-due', {});
    });
    expect(asked.map(({ to, text }) => [to, text.includes('/withdraw/confirm')]).sort()).toEqual(
      [
        [email, true],
        [former, false],
      ].sort(),
    );
    const { declaration } = await latest();
    const prove = async (address: string) =>
      (
        await post(
          '/withdraw/confirm',
          Object.fromEntries(new URL(await proofUrlOf(declaration.id, address)).searchParams),
        )
      ).status;
    expect([await prove(former), await prove(email)]).toEqual([404, 200]);
    const decided = await mailsBy(async () => {
      const body = { outcome: 'refuse', reason: 'late', note: null };
      const { id } = declaration;
      expect((await api.call(`POST /withdrawals/${id}/decide`, { body })).status).toBe(200);
      await invokeFunction('events/sweep-due', {});
    });
    expect(decided.map(({ to }) => to)).toEqual([email]);
  });

  it('contains a link that proves only its own declaration', async () => {
    const { paymentId } = await sell(api);
    const { email } = (await payments().get(paymentId)).customer;
    await declare({ reference: `one ${paymentId}`, email: 'a@buyer.example' });
    const one = (await latest()).declaration.id;
    await declare({ reference: `two ${paymentId}`, email: 'b@buyer.example' });
    const other = (await latest()).declaration.id;
    const { searchParams } = new URL(await proofUrlOf(one, email));
    const crossed = { id: other, token: searchParams.get('token') ?? '' };
    expect((await post('/withdraw/confirm', crossed)).status).toBe(404);
  });
});

describe('a network that sends many declarations', () => {
  it('causes at most ten mails an hour at once, and the sweep sends the others later', async () => {
    const sent = await mailsBy(async () => {
      const declared = Array.from({ length: 13 }, async (_, index) => {
        const fields = { name: 'N', reference: 'r', email: `n${index}@buyer.example`, form_token: token() };
        await post('/withdraw', { ...fields, step: 'confirm' }, undefined, '203.0.113.7');
      });
      await Promise.all(declared);
    });
    expect(sent).toHaveLength(10);
    const waiting = (await cases()).find(({ acknowledgement }) => acknowledgement.status === 'due');
    const { declaration } = await withdrawals().get(waiting?.id ?? '');
    expect(declaration.email).toMatch(/^n\d+@buyer/);
    const later = await mailsBy(() => invokeFunction('events/sweep-due', {}));
    expect(later.map(({ to }) => to)).toContain(declaration.email);
    expect((await withdrawals().get(declaration.id)).current.acknowledgement.status).toBe('sent');
  });
});

describe('the withdrawal page of an order', () => {
  const enter = async (paymentId: string) => {
    const url = new URL(await orderUrlOf(await payments().get(paymentId)));
    const entered = await get(`${url.pathname}/withdraw${url.search}`);
    return { entered, cookie: String(entered.cookies[0] ?? '').split(';')[0] ?? '' };
  };

  it('sends a declaration with one button, and the order’s link is the proof', async () => {
    const { paymentId } = await sell(api);
    const { entered, cookie } = await enter(paymentId);
    expect([entered.status, entered.headers['location']]).toEqual([303, `/orders/${paymentId}/withdraw`]);
    const page = await get(`/orders/${paymentId}/withdraw`, cookie);
    expect(page.text).toContain('Confirm withdrawal');
    const { customer } = await payments().get(paymentId);
    expect(page.text).not.toContain(customer.email);
    expect(page.text).not.toContain(customer.name);
    const [mail] = await mailsBy(() =>
      post(`/orders/${paymentId}/withdraw`, { step: 'confirm', form_token: token() }, cookie),
    );
    expect(mail?.to).toBe(customer.email);
    const { declaration, current } = await latest();
    expect([declaration.source, declaration.paymentId, current.proof?.by]).toEqual([
      'order_link',
      paymentId,
      'order_link',
    ]);
    expect((await withdrawals().ofPayment(paymentId)).map(({ id }) => id)).toEqual([declaration.id]);
  });

  it('answers 404 without a secret, with another order’s secret, and with an ended link', async () => {
    const [{ paymentId }, other] = [await sell(api), await sell(api)];
    const { cookie } = await enter(other.paymentId);
    const answers = [
      await get(`/orders/${paymentId}/withdraw`),
      await get(`/orders/${paymentId}/withdraw`, cookie),
      await get(`/orders/${paymentId}/withdraw?secret=x`),
      await get(`/orders/pay_${'x'.repeat(21)}/withdraw`),
      await post(`/orders/${paymentId}/withdraw`, { step: 'confirm' }, cookie),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(await withdrawals().ofPayment(paymentId)).toEqual([]);
  });

  it('lets the buyer choose lines of an order with several lines', async () => {
    const cart = [
      { product_id: await addProduct(api, { name: 'Atlas' }), quantity: 1 },
      { product_id: await addProduct(api, { name: 'Globe' }), quantity: 1 },
    ];
    const { id } = await pay(await createSession(api, cart), { expectedTotal: 3_998 });
    const { cookie } = await enter(id);
    const path = `/orders/${id}/withdraw`;
    expect((await post(path, { step: 'confirm', form_token: token() }, cookie)).status).toBe(422);
    const [mail] = await mailsBy(() =>
      post(
        path,
        [
          ['step', 'confirm'],
          ['line', '1'],
          ['form_token', token()],
        ],
        cookie,
      ),
    );
    expect((await latest()).declaration.lines).toEqual([1]);
    const { lines, createdAt } = await payments().get(id);
    for (const words of [id, lines[1]?.name, formatDate(createdAt, 'en')]) expect(mail?.text).toContain(words);
    expect(mail?.text).not.toContain(lines[0]?.name);
    await post(
      path,
      [
        ['line', '0'],
        ['line', '1'],
        ['form_token', token()],
      ],
      cookie,
    );
    expect((await latest()).declaration.lines).toBeNull();
  });

  it('sends a webhook for a declaration with an order, and none without an order', async () => {
    const { paymentId } = await sell(api);
    const { cookie } = await enter(paymentId);
    await post(`/orders/${paymentId}/withdraw`, { form_token: token() }, cookie);
    const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
    expect(items.map(({ type }: { type: string }) => type)).toContain('withdrawal.declared');
  });
});
