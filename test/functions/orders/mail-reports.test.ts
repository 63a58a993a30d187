import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mailReportRule } from '../../../infra/endpoints.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { confirmedBy } from '../../../shared/domain/orders/mail-notes.ts';
import { keys } from '../../../shared/store/keys.ts';
import { documents, mails } from '../../../shared/wiring/books.ts';
import { now, payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'reports-'));
let api: Api;
let browsing: Browsing;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: folder });
  browsing = await browse(api, localKey);
});
afterAll(async () => {
  clock.run();
  await api.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  clock.hurry(1); // the tests below move it forward
  api.log.length = 0;
});

const page = async (path: string) => (await api.call(`GET ${path}`, { cookies: browsing.cookies, key: null })).text;
const paymentPage = (id: string) => page(`/dashboard/payments/${id}`);
const orderPage = (id: string) => page(`/dashboard/payments/${id}/order`);

let forms = 0;
const press = (id: string, action: string, more = {}) =>
  postForm(
    api,
    `/dashboard/payments/${id}/order`,
    { action, token: browsing.token, form: `r-${++forms}`, ...more },
    browsing.cookies,
  );

/** Lets the worker issue and mail the invoice of a payment. */
async function mailFirst(id: string): Promise<void> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
  const detail = { event_id: items[0].event_id, payment_id: id, data: {} };
  await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
}

/** The mails that an action sends: their receivers, and their tags as SES gives them back. */
async function mailsBy(act: () => Promise<unknown>) {
  const before = new Set(readdirSync(folder));
  await act();
  const names = readdirSync(folder)
    .filter((name) => !before.has(name))
    .sort();
  return names.map((name) => {
    const mail = readFileSync(join(folder, name), 'utf8');
    const header = (title: string) => new RegExp(`^${title}: (.*?)\r?$`, 'm').exec(mail)?.[1] ?? '';
    const tags = header('X-SES-MESSAGE-TAGS')
      .split(', ')
      .map((tag) => tag.split('='));
    return { to: header('To'), tags: Object.fromEntries(tags.map(([tag, value]) => [tag, [value]])) as Tags };
  });
}

type Tags = Record<string, string[]>;

async function mailedSale(): Promise<{ id: string; tags: Tags }> {
  const { paymentId: id } = await sell(api);
  const [mail] = await mailsBy(() => mailFirst(id));
  return { id, tags: mail?.tags ?? {} };
}

const event = (eventType: string, tags: Tags, facts: object) => ({
  ...{ source: 'aws.ses', 'detail-type': `Email ${eventType}` },
  detail: {
    ...{ eventType, ...facts },
    mail: { timestamp: '2026-03-01T12:00:05.000Z', destination: ['buyer@example.com'], tags },
  },
});
const delivery = (tags: Tags, timestamp = '2026-03-01T12:00:06.000Z') =>
  event('Delivery', tags, { delivery: { timestamp, recipients: ['buyer@example.com'] } });
const bounce = (tags: Tags, kind = { bounceType: 'Permanent', bounceSubType: 'General' }) =>
  event('Bounce', tags, {
    bounce: {
      ...{ ...kind, timestamp: '2026-03-01T12:00:07.000Z' },
      bouncedRecipients: [
        {
          emailAddress: 'buyer@example.com',
          ...(kind.bounceType === 'Permanent' && {
            ...{ status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 <buyer@example.com>... User unknown' },
          }),
        },
      ],
    },
  });
const complaint = (tags: Tags) =>
  event('Complaint', tags, {
    complaint: { timestamp: '2026-03-01T12:00:08.000Z', complainedRecipients: [{ emailAddress: 'buyer@example.com' }] },
  });
const report = (one: object) => invokeFunction(mailReportRule.function, one);

const rowOf = async (id: string) =>
  (await table().client.send(new GetCommand({ TableName: table().name, Key: keys.documentMail(id) }))).Item;

describe('a returned mail of a purchase', () => {
  it('is shown on the overview and on the payment, with the reason, the server’s answer and the next step', async () => {
    const { id, tags } = await mailedSale();
    expect(await page('/dashboard')).not.toContain(`/dashboard/payments/${id}/order`);
    await report(bounce(tags));
    const shown = await paymentPage(id);
    expect(shown).toContain('The mail of the purchase did not reach the buyer.');
    expect(shown).toMatch(/INV-[\d-]+ came back/);
    expect(shown).toContain('smtp; 550 5.1.1 &lt;…&gt;... User unknown');
    for (const text of [shown, await orderPage(id)])
      expect(text).toContain('The address does not exist. Ask the buyer for another address, and correct it.');
    expect(await page('/dashboard')).toMatch(
      new RegExp(`Mail came back:.*Correct the address\\. <a href="/dashboard/payments/${id}/order">`, 's'),
    );
    expect(api.log.join()).not.toContain('buyer@example.com');
  });

  it('is resolved by a corrected address, and only the new address gets mail', async () => {
    const { id, tags } = await mailedSale();
    await report(bounce(tags));
    const sent = await mailsBy(() => press(id, 'correct', { email: 'right@example.com' }));
    expect(sent.map(({ to }) => to)).toEqual(['right@example.com']);
    expect(await page('/dashboard')).not.toContain(`/dashboard/payments/${id}/order`);
    expect(await paymentPage(id)).not.toContain('did not reach the buyer');
    await report(delivery(sent[0]?.tags ?? {}));
    expect(await orderPage(id)).toMatch(/<dd>delivered /);
  });

  it('is still shown as returned when an older delivery report arrives again', async () => {
    const { id, tags } = await mailedSale();
    for (const one of [bounce(tags), delivery(tags), bounce(tags), delivery(tags)]) await report(one);
    expect(await orderPage(id)).toMatch(/<dd>came back /);
    expect((await rowOf(id))?.['notes'].size).toBe(3);
  });
});

describe('a report from the mail service', () => {
  it.each([
    ['delivered', [delivery], 'delivered', false],
    ['delivered, with an automatic reply', [bounceFor('Transient'), delivery], 'delivered', false],
    ['in a full mailbox', [bounceFor('Transient', 'MailboxFull')], 'came back', true],
    ['marked as spam', [complaint, delivery], 'marked as spam by the buyer', true],
  ] as const)('leads to the right status for a mail that was %s', async (_, reports, state, isTrouble) => {
    const { id, tags } = await mailedSale();
    for (const one of reports) await report(one(tags));
    expect(await orderPage(id)).toMatch(new RegExp(`<dd>${state} <time`));
    expect((await paymentPage(id)).includes('class="note wait"')).toBe(isTrouble);
    expect(await page('/dashboard')).not.toContain(`/dashboard/payments/${id}/order`);
  });

  it('about an unknown mail is logged once, without an address, and writes nothing', async () => {
    const { paymentId: id } = await sell(api);
    const tags = { document: [id], attempt: ['20260301T120005000Z'], order_link: ['0'] };
    await report(bounce(tags));
    expect(await rowOf(id)).toBeUndefined();
    expect(api.log).toEqual([
      JSON.stringify({
        level: 'warn',
        message: 'A report of the mail service fits no mail.',
        what: 'bounced',
        payment_id: id,
      }),
    ]);
  });

  it('of an unknown form is logged once, without an address, and is not processed again', async () => {
    const { id, tags } = await mailedSale();
    api.log.length = 0;
    const before = await rowOf(id);
    await report(event('Bounce', tags, { bounce: { bouncedRecipients: [{ emailAddress: 'buyer@example.com' }] } }));
    await report(delivery({ ...tags, attempt: ['buyer@example.com'] }));
    await report(delivery({ ...tags, document: [`${id}#MAIL`] }));
    await report({});
    expect(await rowOf(id)).toEqual(before);
    expect(api.log).toHaveLength(4);
    expect(api.log.join()).not.toContain('@');
  });

  it('is one of at most sixty that are stored, and a mail that is sent again keeps the newest twenty', async () => {
    const { id, tags } = await mailedSale();
    const instant = (second: number) => new Date(Date.UTC(2026, 2, 1, 12) + second * 1_000).toISOString();
    for (let second = 1; second <= 62; second += 1) await report(delivery(tags, instant(second)));
    expect((await rowOf(id))?.['notes'].size).toBe(60);
    clock.forward({ hours: 1 });
    await press(id, 'send');
    const { mail } = await documents().find(id);
    expect(mail.notes).toHaveLength(21);
    expect(mail.notes.filter(({ what }) => what === 'sent').length).toBeGreaterThan(0);
  });

  it('is deleted before the proof of the confirmation is, even if the mail is sent many times', async () => {
    const { id, tags } = await mailedSale();
    const first = confirmedBy(await mails().notes(id), {});
    expect(first).toBeDefined();
    const instant = (second: number) => new Date(now().getTime() + second * 1_000).toISOString();
    for (let second = 1; second <= 45; second += 1) await report(delivery(tags, instant(second)));
    clock.forward({ hours: 1 });
    await press(id, 'send');
    expect((await mails().notes(id)).length).toBeLessThan(30);
    expect(confirmedBy(await mails().notes(id), {})).toEqual(first);
  });
});

function bounceFor(bounceType: string, bounceSubType = 'General') {
  return (tags: Tags) => bounce(tags, { bounceType, bounceSubType });
}

describe('a worker that crashed after it sent the mail of a purchase', () => {
  /** Leaves the claim of a worker that died before it noted the sent mail. */
  async function deadWorker(): Promise<{ id: string; tags: Tags }> {
    const { paymentId: id } = await sell(api);
    await api.call(`GET /invoices/payments/${id}`);
    const now = new Date();
    const until = new Date(now.getTime() + 120_000).toISOString();
    await mails().claim(id, { now: now.toISOString(), until });
    return { id, tags: { document: [id], attempt: ['20260301T120005000Z'], order_link: ['0'] } };
  }
  const later = () => clock.forward({ minutes: 3 });

  it.each([
    ['delivered', delivery],
    ['returned for good', bounce],
  ] as const)('sends no second mail when the first was reported as %s', async (_, reported) => {
    const { id, tags } = await deadWorker();
    await report(reported(tags));
    later();
    expect(await mailsBy(() => mailFirst(id))).toEqual([]);
    const { mail } = await documents().find(id);
    expect(mail.isDone).toBe(true);
    expect(mail.notes.map(({ what }) => what)).toContain('sent');
  });

  it('sends the mail again when no report came, or when the address was corrected since', async () => {
    const silent = await deadWorker();
    const corrected = await deadWorker();
    await report(bounce(corrected.tags));
    await payments().save({ ...(await payments().get(corrected.id)), orderLink: 1 }, []);
    later();
    for (const { id } of [silent, corrected]) expect(await mailsBy(() => mailFirst(id))).toHaveLength(1);
    expect((await documents().find(corrected.id)).mail.notes.map(({ what }) => what)).toContain('bounced');
  });
});

describe('the timeline of a payment', () => {
  const linesOf = async (id: string) =>
    [...(await paymentPage(id)).matchAll(/<li class="\w*"><p><strong>([^<]*)<\/strong>/g)].map(([, title = '']) =>
      title.replace(/INV-[\d-]+/, 'INV'),
    );

  it('lists every mail, not only the newest', async () => {
    const { id } = await mailedSale();
    for (let times = 0; times < 2; times += 1) {
      clock.forward({ hours: 1 });
      await press(id, 'send');
    }
    clock.forward({ hours: 1 });
    expect((await api.call(`POST /invoices/payments/${id}`, { key: null })).status).toBe(200);
    clock.forward({ hours: 1 });
    await press(id, 'correct', { email: 'right@example.com' });
    expect((await linesOf(id)).filter((line) => !line.startsWith('Payment') && !line.startsWith('Checkout'))).toEqual([
      ...['Document INV issued', 'INV sent by mail', 'INV sent by mail', 'INV sent by mail'],
      'Link to INV sent by mail, as someone asked on its page',
      'Old address told of the correction',
      'INV sent by mail',
    ]);
  });

  it('still lists a mail that version 0.2.0 sent, even after a newer mail', async () => {
    const { id } = await mailedSale();
    const at = '2026-01-01T00:00:00.000Z';
    const Item = { ...keys.documentMail(id), entity: 'MAIL', at, outcome: 'refused' };
    await table().client.send(new PutCommand({ TableName: table().name, Item }));
    expect(await linesOf(id)).toContain('INV refused by the mail server');
    await press(id, 'send');
    const lines = await linesOf(id);
    expect([lines.includes('INV refused by the mail server'), lines.includes('INV sent by mail')]).toEqual([
      true,
      true,
    ]);
  });
});

it('Many requests for a link by a stranger leave room for delivery reports', async () => {
  const { id, tags } = await mailedSale();
  for (let times = 0; times < 35; times += 1) {
    await mails().note(id, { at: new Date(Date.now() + times).toISOString(), what: 'sent', about: 'link' });
  }
  expect((await rowOf(id))?.['notes'].size).toBe(30);
  await report(bounce(tags));
  expect(await orderPage(id)).toMatch(/<dd>came back /);
});
