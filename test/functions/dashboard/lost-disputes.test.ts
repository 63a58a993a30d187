import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FoundDispute } from '../../../shared/outside/processor/payment-processor.ts';
import { dataIn, packBoth, unpacked } from '../../../shared/store/table/packed.ts';
import { settleDispute } from '../../../shared/use-cases/payments/settle-dispute.ts';
import { countedPayments, newId, now, payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { disputing } from '../../support/shop/settle.ts';
import { sell } from '../../support/shop/shop.ts';

let api: Api;
let cookies: string[];
let year = 2040;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  clock.run();
  await api.stop();
});
/** Each test sells in a year of its own, which the overview shows apart. */
beforeEach(async () => {
  year += 1;
  clock.stopAt(`${year}-03-10T12:00:00.000Z`);
  ({ cookies } = await browse(api, await api.addKey({ access: 'read' })));
});

/** What the processor says of the dispute of a payment. */
async function hear(paymentId: string, fields: Partial<FoundDispute>): Promise<void> {
  const reference = fields.reference ?? `du_${paymentId}`;
  const amount = fields.amount ?? 1_999;
  const state: FoundDispute = {
    ...{ paymentId, reference, amount, currency: 'EUR', status: 'opened', stage: 'dispute', withdrawn: amount },
    ...{ isRefundable: false, reason: 'fraudulent', dueBy: null, url: null, createdAt: now().toISOString() },
    ...fields,
  };
  const processor = { ...disputing().processor, findDispute: async () => state };
  await settleDispute(
    { ...disputing(), payments: countedPayments(), sessions: sessions(), processor, now, newId },
    reference,
  );
}

const lose = async (paymentId: string, amount = 1_999) => {
  await hear(paymentId, { amount });
  await hear(paymentId, { amount, status: 'lost' });
};

const email = () => `buyer-${year}@example.com`;
const page = async (path: string, query = '') => {
  const { status, text } = await api.call(`GET ${path}`, { cookies, key: null, query });
  expect(status).toBe(200);
  return text.replaceAll('\u00a0', ' ');
};

/** The words of a page without its markup. */
const wordsOf = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const figure = (text: string, label: string) =>
  new RegExp(`<dt>${label}</dt><dd class="big">([^<]*)</dd>`).exec(text)?.[1];
const overview = () => page('/dashboard', `period=custom&from=${year}-03-10&to=${now().toISOString().slice(0, 10)}`);
const badgesIn = (text: string): string[] =>
  [...text.matchAll(/class="badge [a-z]+">([^<]*)</g)].map(([, word = '']) => word);
const listed = async () => badgesIn(await page('/dashboard/payments', `from=${year}-03-10&to=${year}-03-10`));
const customerLine = async () => {
  const row = (await page('/dashboard/customers')).split('<tr').find((one) => one.includes(email())) ?? '';
  return wordsOf(row);
};

/** The file of the day, each row by its columns. */
async function exported(): Promise<Record<string, string>[]> {
  const text = await page('/dashboard/exports/payments.csv', `from=${year}-03-10&to=${year}-03-10`);
  const [header = [], ...rows] = text
    .trim()
    .replace('\ufeff', '')
    .split('\r\n')
    .map((line) => line.split(','));
  return rows.map((row) =>
    Object.fromEntries(header.map((name, index) => [name, (row[index] ?? '').replaceAll('"', '')])),
  );
}

const sold = async () => (await sell(api, { email: email() })).paymentId;
const refund = (paymentId: string, amount: number) =>
  api.call('POST /refunds', { body: { payment_id: paymentId, amount } });

/** Puts the rows of a payment and its disputes back as 0.2.0 wrote them. */
async function writtenBy020(paymentId: string): Promise<void> {
  const rows = await scanRows(table().client, table().name);
  const { disputes } = await payments().get(paymentId);
  const ids = [`PAYMENT#${paymentId}`, ...disputes.map(({ id }) => `DISPUTE#${id}`)];
  for (const item of rows.filter(({ pk }) => ids.includes(pk as string))) {
    const { disputeStanding: _, disputed: __, ...row } = unpacked(item['row']) as Record<string, unknown>;
    const written = item['data'] instanceof Uint8Array ? packBoth({ data: dataIn(item), row }) : { row };
    await table().client.send(new PutCommand({ TableName: table().name, Item: { ...item, ...written } }));
  }
}

describe.each(['this version', '0.2.0'])('the money of a lost dispute, in database rows of %s,', (writer) => {
  const settled = async (paymentId: string) => (writer === '0.2.0' ? writtenBy020(paymentId) : undefined);

  it('is not counted as revenue on the overview, in lists, on the customer’s page or in exports', async () => {
    const paymentId = await sold();
    await lose(paymentId);
    await settled(paymentId);
    const text = await overview();
    expect(figure(text, 'Paid by buyers')).toBe('€19.99');
    expect(figure(text, 'Lost in disputes')).toBe('€19.99');
    expect(figure(text, 'Left')).toBe('€0.00');
    expect(await listed()).toEqual(['lost']);
    expect(await customerLine()).toMatch(/€0\.00/);
    expect(await exported()).toMatchObject([{ status: 'lost', total: '19.99', refunded: '0.00', lost: '19.99' }]);
  });

  it('is only the amount that an earlier partial refund has left', async () => {
    const paymentId = await sold();
    await refund(paymentId, 500);
    await lose(paymentId, 1_499);
    await settled(paymentId);
    const text = await overview();
    expect([figure(text, 'Refunded'), figure(text, 'Lost in disputes')]).toEqual(['€5.00', '€14.99']);
    expect(figure(text, 'Left')).toBe('€0.00');
    expect(await customerLine()).toMatch(/€0\.00/);
    expect(await exported()).toMatchObject([{ status: 'lost', refunded: '5.00', lost: '14.99' }]);
  });

  it('counts as revenue again when the dispute is reopened and won', async () => {
    const paymentId = await sold();
    await lose(paymentId);
    await hear(paymentId, { status: 'challenged' });
    await settled(paymentId);
    expect(await listed()).toEqual(['disputed']);
    expect(figure(await overview(), 'Lost in disputes')).toBeUndefined();
    await hear(paymentId, { status: 'won', withdrawn: 0, isRefundable: true });
    await settled(paymentId);
    expect(await listed()).toEqual(['succeeded']);
    expect(await exported()).toMatchObject([{ status: 'succeeded', lost: '0.00' }]);
    expect(await customerLine()).toMatch(/€19\.99/);
  });

  it('stays lost when the merchant wins a later dispute about the remaining amount', async () => {
    const paymentId = await sold();
    await lose(paymentId, 999);
    await hear(paymentId, { reference: 'du_later', amount: 1_000, status: 'won', withdrawn: 0, isRefundable: true });
    await settled(paymentId);
    expect(await listed()).toEqual(['lost']);
    expect(figure(await overview(), 'Lost in disputes')).toBe('€9.99');
    expect(await customerLine()).toMatch(/€10\.00/);
  });
});

describe('a payment with a dispute', () => {
  it('is not counted as lost while its dispute is open', async () => {
    const paymentId = await sold();
    await hear(paymentId, {});
    expect(await listed()).toEqual(['disputed']);
    expect(figure(await overview(), 'Lost in disputes')).toBeUndefined();
    expect(await exported()).toMatchObject([{ status: 'disputed', lost: '0.00' }]);
  });

  it('shows the remaining amount after refunds, lost disputes and the fee', async () => {
    const paymentId = await sold();
    await refund(paymentId, 500);
    await lose(paymentId, 1_000);
    const before = await payments().get(paymentId);
    await payments().save({ ...before, fee: { amount: 75, currency: 'EUR' } });
    const text = await page(`/dashboard/payments/${paymentId}`);
    const words = wordsOf(text);
    // 19.99 − 5.00 − 10.00 − 0.75 = 4.24
    expect(words).toMatch(/Left after the fee €4\.24/);
    expect(words).toMatch(/Lost in disputes -?−?€10\.00/);
    expect(badgesIn(text).slice(0, 2)).toEqual(['lost', 'partly refunded']);
  });

  it('is shown as refunded or partly refunded in lists and exports', async () => {
    const [whole, part] = [await sold(), await sold()];
    await refund(whole, 1_999);
    await refund(part, 1);
    expect((await listed()).sort()).toEqual(['partly refunded', 'refunded']);
    expect((await exported()).map(({ status }) => status).sort()).toEqual(['partly_refunded', 'refunded']);
    expect((await api.call(`GET /payments/${whole}`)).body.status).toBe('succeeded');
  });
});
