import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import type { MailNote } from '../../../shared/domain/orders/mail-notes.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { standingOf } from '../../../shared/domain/withdrawal/standing.ts';
import { supplyFactsOf } from '../../../shared/use-cases/withdrawal/load-supply.ts';
import { mails } from '../../../shared/wiring/books.ts';
import { grants, licenseKeys, now, payments, products } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { injectFaults } from '../../support/faults/faults-by-plan.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let bucket: Bucket;
beforeAll(async () => {
  api = await startApi({ ...testMerchant, receipts: { from: 'shop@example.com' } });
  bucket = await startBucket({ bucketNames: [localNames.files] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
});
afterAll(async () => {
  await bucket.stop();
  await api.stop();
});
afterEach(() => clock.run());

const create = async (body: object): Promise<string> => (await api.call('POST /entitlements', { body })).body.id;
const newKeys = () => create({ name: 'The program', integration_type: 'license_key', integration_config: {} });

async function newFiles(): Promise<string> {
  const config = { digital_file_ids: [], external_url: 'https://example.com/errata', instructions: 'Read it slowly.' };
  const id = await create({ name: 'The book', integration_type: 'digital_files', integration_config: config });
  const bytes = Buffer.from('%PDF-1.7 an example');
  const checksum_sha256 = createHash('sha256').update(bytes).digest('hex');
  const body = { file_name: 'book.pdf', file_size: bytes.length, checksum_sha256 };
  const { upload: to } = (await api.call(`POST /entitlements/${id}/files`, { body })).body;
  await fetch(to.url, { method: to.method, headers: to.headers, body: new Uint8Array(bytes) });
  return id;
}

/** A sale of files and a key at a standing clock, whose buyer has asked for immediate supply unless it is said. */
async function buy(fields: Partial<Payment> = {}): Promise<Payment> {
  const entitlements = [await newFiles(), await newKeys()].map((entitlement_id) => ({ entitlement_id }));
  const product = await addProduct(api, { entitlements });
  clock.stopAt('2026-11-02T10:00:00.000Z');
  const { id } = await pay(await createSession(api, [{ product_id: product, quantity: 1 }]), { expectedTotal: 1_999 });
  const paid = await payments().get(id);
  const asked = { kind: 'immediate_supply' as const, language: 'en', text: 'At once, please.', lines: [0] };
  await payments().save({ ...paid, supplyConsents: [{ ...asked, at: paid.createdAt }], ...fields });
  return payments().get(id);
}

const anyone = { key: null, headers: { 'accept-language': 'en' } };

/** A browser with the cookie of the order. */
async function browserOf(payment: Payment) {
  const url = new URL(await orderUrlOf(payment));
  const entered = await api.call(`GET ${url.pathname}`, { ...anyone, query: url.search.slice(1) });
  const cookies = entered.cookies.map((cookie) => cookie.split(';')[0] ?? '');
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    api.call(`POST ${path}`, {
      key: null,
      cookies,
      raw: Buffer.from(new URLSearchParams(fields).toString()),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:4000', ...headers },
    });
  const show = async () => (await api.call(`GET ${url.pathname}`, { ...anyone, cookies })).text;
  const download = async () => {
    const [, path = '', token = ''] =
      /action="([^"?]*downloads[^"?]*)[^"]*">\s*<input type="hidden" name="token" value="([^"]+)"/.exec(await show()) ??
      [];
    return { path, token, press: () => post(path, { token }) };
  };
  return { show, download, post, open: (headers = {}) => post(url.pathname, { line: '0' }, headers) };
}

/** The mail service accepts or refuses the mail with the confirmation, or it comes back. */
async function noteMail(payment: Payment, ...whats: MailNote['what'][]): Promise<void> {
  for (const what of whats)
    await mails().note(payment.id, {
      at: now().toISOString(),
      what,
      attempt: 'A',
      confirms: 'hash',
      isPermanent: true,
    });
}

const whyOf = async (payment: Payment): Promise<string | undefined> => {
  const facts = await supplyFactsOf({ mails: mails(), grants: grants(), licenseKeys: licenseKeys() }, payment);
  return standingOf(payment, facts, new Date(now().getTime() + 1_000).toISOString()).lines[0]?.why;
};

const isSoon = (text: string) => text.includes('This opens in a moment');
const hasKey = (text: string) => /<code class="key"/.test(text);
const hasText = (text: string) => text.includes('Read it slowly.') || text.includes('errata');
const closedButton = 'name="line" value="0"';

describe('a line for which the buyer waived the right of withdrawal', () => {
  it('opens after 60 seconds, not after 59, and the right of withdrawal remains', async () => {
    const payment = await buy();
    const { show, open } = await browserOf(payment);
    for (const seconds of [0, 59]) {
      clock.stopAt(new Date(Date.parse(payment.createdAt) + seconds * 1_000).toISOString());
      const text = await show();
      expect([isSoon(text), hasKey(text), hasText(text)]).toEqual([true, false, false]);
      expect(text).not.toMatch(/downloads|name="line"/);
      expect(text).toContain('Look again');
      await open();
      expect(await whyOf(payment)).toBe('no_confirmation');
    }
    expect(hasKey(await show())).toBe(false);
    clock.stopAt(new Date(Date.parse(payment.createdAt) + 60_000).toISOString());
    const inTime = await show(); // what was pressed too early has opened nothing
    expect([isSoon(inTime), hasKey(inTime), inTime.includes(closedButton)]).toEqual([false, false, true]);
    expect((await open()).status).toBe(303);
    expect(hasKey(await show())).toBe(true);
    expect(await whyOf(payment)).toBe('no_confirmation');
  });

  it('opens at once when the mail service has accepted the confirmation, and the click ends the right', async () => {
    const payment = await buy();
    const { show, open } = await browserOf(payment);
    await noteMail(payment, 'sent');
    const text = await show();
    expect([isSoon(text), hasKey(text), hasText(text)]).toEqual([false, false, false]);
    expect(text).toContain(closedButton);
    expect(text).toContain('your right of withdrawal ends');
    expect(await whyOf(payment)).toBe('not_begun');
    await open();
    const opened = await show();
    expect([hasKey(opened), hasText(opened), opened.includes(closedButton)]).toEqual([true, true, false]);
    expect(await whyOf(payment)).toBe('supplied');
  });

  it('stores the time of its first opening', async () => {
    const payment = await buy();
    const { open } = await browserOf(payment);
    await noteMail(payment, 'sent');
    await open();
    const facts = () => supplyFactsOf({ mails: mails(), grants: grants(), licenseKeys: licenseKeys() }, payment);
    const first = (await facts()).lines[0]?.begunAt;
    clock.forward({ hours: 1 });
    await open();
    expect((await facts()).lines[0]?.begunAt).toBe(first);
  });

  it('keeps the right of withdrawal if the confirmation was accepted only after the opening', async () => {
    const payment = await buy();
    const { show, open } = await browserOf(payment);
    clock.forward({ milliseconds: 61_000 });
    await show();
    await open();
    clock.forward({ milliseconds: 1_000 });
    await noteMail(payment, 'sent');
    expect(await whyOf(payment)).toBe('confirmed_late');
  });

  it('says after 60 seconds that the right is kept, until when, and that opening it does not end it', async () => {
    const payment = await buy();
    const { show, open } = await browserOf(payment);
    const kept = 'You keep your right of withdrawal for this until the end of November 16, 2027, also after you open';
    expect(await show()).not.toContain('You keep your right');
    clock.forward({ milliseconds: 60_000 });
    const text = await show();
    expect([text.includes(kept), text.includes('your right of withdrawal ends'), text.includes(closedButton)]).toEqual([
      true,
      false,
      true,
    ]);
    await open();
    expect(await show()).toContain(kept);
  });

  it('keeps the right that the page has promised, though the confirmation is accepted before it is opened', async () => {
    const payment = await buy();
    const { show, open } = await browserOf(payment);
    clock.forward({ milliseconds: 61_000 });
    expect(await show()).toContain('You keep your right of withdrawal');
    await noteMail(payment, 'sent');
    // the payment changes later, which does not move the minute
    await payments().save({ ...(await payments().get(payment.id)), updatedAt: now().toISOString() });
    await open();
    const text = await show();
    expect([hasKey(text), await whyOf(payment)]).toEqual([true, 'confirmed_late']);
    expect(text).toContain('for this until the end of November 16, 2026');
  });

  it('promises no kept right before its minute is over, if its grants cannot be loaded', async () => {
    const payment = await buy();
    const { show } = await browserOf(payment);
    clock.forward({ milliseconds: 1_000 });
    const faults = injectFaults((call) => (call.operation === 'TransactWriteItems' ? 'throttle' : undefined));
    const text = await show();
    faults.heal();
    expect([text.includes('This is being prepared'), text.includes('You keep your right')]).toEqual([true, false]);
    expect(isSoon(await show())).toBe(true);
  });

  it('says nothing of a kept right where the confirmation was accepted in time', async () => {
    const payment = await buy();
    const { show, open } = await browserOf(payment);
    await noteMail(payment, 'sent');
    clock.forward({ minutes: 2 });
    expect(await show()).not.toContain('You keep your right');
    await open();
    expect(await show()).not.toContain('You keep your right');
  });

  it('shows the merchant on the payment’s page that the right is kept, until when and why', async () => {
    const payment = await buy();
    const { show } = await browserOf(payment);
    clock.forward({ milliseconds: 61_000 });
    await show();
    const page = async () => {
      const { cookies } = await browse(api, localKey);
      return (await api.call(`GET /dashboard/payments/${payment.id}`, { ...anyone, cookies })).text;
    };
    expect(await page()).toContain('No confirmation of the contract was accepted by the mail service.');
    await noteMail(payment, 'sent');
    expect(await page()).toContain('accepted later than a minute after the payment');
  });

  it.each([['refused'], ['sent', 'bounced']] as MailNote['what'][][])(
    'waits one minute, and keeps the right of withdrawal, after a mail that was %s %s',
    async (...whats) => {
      const payment = await buy();
      const { show, open } = await browserOf(payment);
      await noteMail(payment, ...whats);
      expect(isSoon(await show())).toBe(true);
      clock.forward({ milliseconds: 61_000 });
      await open();
      expect(hasKey(await show())).toBe(true);
      expect(await whyOf(payment)).toBe('no_confirmation');
    },
  );

  it('gives no file by a direct link before it opens, and the download counts as the start', async () => {
    const payment = await buy();
    const { show, download } = await browserOf(payment);
    clock.forward({ milliseconds: 61_000 });
    const file = await download();
    clock.stopAt(payment.createdAt);
    const early = await file.press();
    expect(early.status).toBe(409);
    expect(early.text).toContain(`href="${file.path}?token=`);
    const page = await api.call(`GET ${file.path}`, { ...anyone, query: `token=${file.token}` });
    expect([page.status, page.text.includes('This file opens in a moment')]).toEqual([409, true]);
    await noteMail(payment, 'sent');
    expect((await file.press()).status).toBe(303);
    expect(await whyOf(payment)).toBe('supplied');
    expect(hasKey(await show())).toBe(false);
  });

  it('starts when a licence key is activated, even if the buyer has not opened the line', async () => {
    const payment = await buy();
    const { show } = await browserOf(payment);
    await noteMail(payment, 'sent');
    await show();
    const key = (await api.call('GET /license_keys')).body.items.find(
      (one: { payment_id: string }) => one.payment_id === payment.id,
    );
    const valid = await api.call('POST /licenses/validate', { key: null, body: { license_key: key.key } });
    expect(valid.body).toEqual({ valid: true });
    expect(await whyOf(payment)).toBe('not_begun');
    const activated = await api.call('POST /licenses/activate', {
      key: null,
      body: { license_key: key.key, name: 'laptop' },
    });
    expect(activated.status).toBe(200);
    expect(await whyOf(payment)).toBe('supplied');
  });

  it('does not start with a GET or HEAD request, because mail scanners open links', async () => {
    const payment = await buy();
    const { show, download } = await browserOf(payment);
    await noteMail(payment, 'sent');
    const { path, token } = await download();
    const order = new URL(await orderUrlOf(payment));
    for (const method of ['GET', 'HEAD'])
      for (const [at, query] of [
        [order.pathname, order.search.slice(1)],
        [path, `token=${token}`],
      ])
        await api.call(`${method} ${at}`, { ...anyone, query: query ?? '' });
    await show();
    expect(await whyOf(payment)).toBe('not_begun');
  });

  it('cannot be opened by another site, or without the order’s cookie', async () => {
    const payment = await buy();
    const { open, show } = await browserOf(payment);
    const { post } = await browserOf(await buy());
    clock.forward({ minutes: 2 });
    expect((await open({ origin: 'https://evil.example' })).status).toBe(404);
    expect((await post(`/orders/${payment.id}`, { line: '0' })).status).toBe(404);
    expect(hasKey(await show())).toBe(false);
    for (const line of ['', '-1', '1', '0.5', '9'.repeat(900)])
      expect((await (await browserOf(payment)).post(`/orders/${payment.id}`, { line })).status).toBe(303);
    expect(hasKey(await show())).toBe(false);
  });
});

describe('a line opens at once', () => {
  it.each<[string, Partial<Payment>]>([
    ['if its buyer has not asked for immediate supply, or paid with 0.2.0', { supplyConsents: [] }],
    [
      'if the consent is about another line',
      {
        supplyConsents: [
          { kind: 'immediate_supply', language: 'en', text: 'x', lines: [1], at: '2026-11-02T10:00:00.000Z' },
        ],
      },
    ],
  ])('%s', async (_, fields) => {
    const { show } = await browserOf(await buy(fields));
    const text = await show();
    expect([isSoon(text), hasKey(text), hasText(text), text.includes(closedButton)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('the text and link of a product that release 0.2.0 stored', () => {
  /** A sale whose product has its text itself. No grant notes when its buyer sees it. */
  async function buyFormer(supplyConsents: Payment['supplyConsents']): Promise<Payment> {
    const id = await addProduct(api);
    const product = await products().get(id);
    const delivery = { url: 'https://example.com/errata', instructions: 'Read it slowly.' };
    await products().save({ ...product, delivery }, []);
    clock.stopAt('2026-11-02T10:00:00.000Z');
    const paid = await pay(await createSession(api, [{ product_id: id, quantity: 1 }]), { expectedTotal: 1_999 });
    await payments().save({ ...(await payments().get(paid.id)), supplyConsents });
    return payments().get(paid.id);
  }
  const at = '2026-11-02T10:00:00.000Z';
  const asked = [{ kind: 'immediate_supply' as const, language: 'en', text: 'At once, please.', lines: [0], at }];

  it('wait for the confirmation or for one minute on a waived line, and the right of withdrawal remains', async () => {
    const payment = await buyFormer(asked);
    const { show } = await browserOf(payment);
    for (const seconds of [0, 59]) {
      clock.stopAt(new Date(Date.parse(at) + seconds * 1_000).toISOString());
      const text = await show();
      expect([isSoon(text), hasText(text)]).toEqual([true, false]);
    }
    clock.stopAt(new Date(Date.parse(at) + 60_000).toISOString());
    const text = await show();
    expect([isSoon(text), hasText(text), await whyOf(payment)]).toEqual([false, true, 'no_confirmation']);
  });

  it('are shown on a waived line as soon as the confirmation is accepted', async () => {
    const payment = await buyFormer(asked);
    await noteMail(payment, 'sent');
    const text = await (await browserOf(payment)).show();
    expect([isSoon(text), hasText(text)]).toEqual([false, true]);
  });

  it('are shown at once to a buyer who has not waived the right of withdrawal', async () => {
    const text = await (await browserOf(await buyFormer(undefined))).show();
    expect([isSoon(text), hasText(text)]).toEqual([false, true]);
  });
});
