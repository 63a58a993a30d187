import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { exchangeRates, exportJobs, filedReturns } from '../../../shared/wiring/books.ts';
import { payments } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { finishPayment, hearBank, loseDispute } from '../../support/shop/settle.ts';
import { addProduct, createSession, goodCard, pay } from '../../support/shop/shop.ts';

let api: Api;
let bucket: Bucket;
let viewer: Browsing;
let forms = 0;

beforeAll(async () => {
  bucket = await startBucket({ bucketNames: [localNames.bucket] });
  api = await startApi(undefined, { AWS_ENDPOINT_URL_S3: bucket.url });
  await at('2031-03-30T12:00:00Z');
  await exchangeRates().keep({ ...exampleRates, date: '2031-03-28' });
});
afterAll(async () => {
  clock.run();
  await Promise.all([bucket.stop(), api.stop()]);
});

/** Stops the clock, and signs in again, because a session has ended by then. */
async function at(instant: string): Promise<void> {
  clock.stopAt(instant);
  viewer = await browse(api, localKey);
}

function post(fields: Record<string, string>) {
  forms += 1;
  clock.forward({ milliseconds: 1_000 });
  return postForm(
    api,
    '/dashboard/returns',
    { token: viewer.token, form_id: `form${forms}`, ...fields },
    viewer.cookies,
  );
}

const look = async (query = '') =>
  (await api.call('GET /dashboard/returns', { query, cookies: viewer.cookies, key: null })).text;

/** 120.00 in a currency, tax included, in a country. */
async function sell(country: string, { currency = 'EUR', card = goodCard } = {}): Promise<string> {
  const price = { type: 'one_time_price', currency, price: 12_000, tax_inclusive: true };
  const productId = await addProduct(api, { price, tax_category: 'saas' });
  const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const billing = { country, state: null, city: null, street: null, zipcode: null };
  return (await pay(sessionId, { expectedTotal: 12_000, billing, card })).id;
}

const days = {
  Q1: { from: '2031-01-01', to: '2031-03-31' },
  Q2: { from: '2031-04-01', to: '2031-06-30' },
  Q3: { from: '2031-07-01', to: '2031-09-30' },
};

/** Makes a return as the merchant does, and returns its rows without the header. */
async function make(
  kind: string,
  quarter: keyof typeof days,
): Promise<{ id: string; rows: string[]; isFileable: boolean }> {
  const asked = await post({ action: 'create', kind, ...days[quarter] });
  expect([asked.status, asked.text]).toEqual([303, '']);
  await invokeFunction('accounting/run-exports', {});
  const [job] = await exportJobs().list();
  const name = job?.files.find((file) => file.name.endsWith('return.csv'))?.name ?? '';
  const { headers } = await api.call('GET /dashboard/returns', {
    query: `job=${job?.id}&file=${name}`,
    cookies: viewer.cookies,
    key: null,
  });
  const text = await (await fetch(headers['location'] ?? '')).text();
  return { id: job?.id ?? '', rows: text.trimEnd().split('\r\n').slice(1), isFileable: job?.isFileable === true };
}

const file = (job: string) => post({ action: 'file', job });
const boxesOf = (rows: string[], ...sections: string[]) =>
  rows.filter((row) => sections.includes(row.split(',')[0] ?? ''));

describe('a tax return that is marked as filed', { shuffle: false }, () => {
  const ids: Record<string, string> = {};
  let firstBoxes = '';

  it('is not possible before its period is over, or while its exchange rates are missing', async () => {
    ids['sold'] = await sell('FR');
    await sell('FR', { currency: 'USD' });
    ids['slow'] = await sell('FR', { card: cards.slowSuccess });
    ids['slowBritish'] = await sell('GB', { card: cards.slowSuccess });
    await sell('GB');
    expect((await payments().get(ids['slow'])).status).toBe('processing');
    const early = await make('oss', 'Q1');
    expect([early.isFileable, await look()]).toEqual([false, expect.stringContaining('cannot be filed yet')]);
    expect((await file(early.id)).status).toBe(422);
    await at('2031-04-10T12:00:00Z');
    expect((await make('oss', 'Q1')).isFileable).toBe(false); // dollars at rates of 28 March are provisional
    await exchangeRates().keep({ ...exampleRates, date: '2031-03-31', perEuro: { USD: '1.2000', GBP: '0.8000' } });
    expect(await filedReturns().list()).toEqual([]);
  });

  it('keeps its boxes, movements, rates and hash', async () => {
    const { id, rows, isFileable } = await make('oss', 'Q1');
    expect(isFileable).toBe(true);
    // 100.00 + 100.00 ÷ 1.2, and 20.00 + 20.00 ÷ 1.2
    expect(boxesOf(rows, 'supply', 'due')).toEqual(['supply,FR,standard,20,,,,,183.33,36.67,,', 'due,,,,,,,,,36.67,,']);
    const { status, headers } = await file(id);
    expect([status, headers['location']]).toEqual([303, '/dashboard/returns?done=saved']);
    const [filed] = await filedReturns().list();
    expect(filed).toMatchObject({
      ...{ kind: 'oss', ...days.Q1, count: 2, late: [], parts: 1 },
      rates: [{ quarter: '2031-Q1', rates: { date: '2031-03-31', perEuro: { USD: '1.2000' } } }],
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(filed?.boxes.trimEnd().split('\r\n').slice(1)).toEqual(rows);
    firstBoxes = filed?.boxes ?? '';
    expect(await look('filed=oss&from=2031-01-01')).toContain('supply,FR,standard,20,,,,,183.33,36.67,,');
    expect(await look('filed=oss&from=2031-01-01&part=movements')).toContain(`sale,${ids['sold']}`);
    expect(await look()).toContain('Filed returns');
  });

  it('422: cannot be created or filed a second time', async () => {
    const again = await post({ action: 'create', kind: 'oss', ...days.Q1 });
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('is filed, and never changes')]);
    const [job] = await exportJobs().list();
    expect((await file(job?.id ?? '')).status).toBe(422);
    expect((await post({ action: 'create', kind: 'general', ...days.Q1 })).status).toBe(303);
    await invokeFunction('accounting/run-exports', {});
  });

  it('leaves a payment that completes later to the next OSS return, as a correction of its quarter', async () => {
    const british = await make('gb', 'Q1');
    expect((await file(british.id)).status).toBe(303);
    await at('2031-04-20T12:00:00Z');
    for (const id of [ids['slow'], ids['slowBritish']]) await finishPayment(String(id));
    await api.call('POST /refunds', { body: { payment_id: ids['sold'], amount: 6_000 } });
    await at('2031-07-10T12:00:00Z');
    await exchangeRates().keep({ ...exampleRates, date: '2031-06-30' });
    const { id, rows } = await make('oss', 'Q2');
    // 20.00 of the late sale less 10.00 of the refund
    expect(boxesOf(rows, 'supply', 'correction', 'due')).toEqual([
      'correction,FR,,,2031-Q1,,,,,10.00,,',
      'due,,,,,,,,,10.00,,',
    ]);
    expect((await file(id)).status).toBe(303);
    expect((await filedReturns().list())[0]).toMatchObject({ count: 2, late: [`sale ${ids['slow']}`] });
  });

  it('leaves a payment that completes later, in other countries, to the next open period, as a late sale', async () => {
    const { id, rows } = await make('gb', 'Q2');
    const details = boxesOf(rows, 'detail').map((row) => row.split(',').slice(2, 5));
    expect(details).toEqual([['late_sale', '2031-Q1', '20']]);
    // 20.00 EUR × 0.8
    expect(boxesOf(rows, 'box').map((row) => [row.split(',')[1], row.split(',').at(-1)])).toEqual([
      ['1', expect.stringMatching(/^1\d\.\d\d$/)],
      ['6', expect.stringMatching(/^\d\d\.\d\d$/)],
    ]);
    expect((await file(id)).status).toBe(303);
  });

  it('declares no sale twice, and never changes', async () => {
    await at('2031-10-10T12:00:00Z');
    await exchangeRates().keep({ ...exampleRates, date: '2031-09-30' });
    for (const kind of ['oss', 'gb']) {
      const { rows } = await make(kind, 'Q3');
      expect(boxesOf(rows, 'supply', 'correction', 'detail')).toEqual([]);
    }
    const why = async (id = '') =>
      (await api.call(`GET /dashboard/payments/${id}`, { query: 'why=true', cookies: viewer.cookies, key: null })).text;
    const sold = await why(ids['sold']);
    for (const told of ['supply FR 20', 'correction FR 2031-Q1', 'refund ref_']) expect(sold).toContain(told);
    expect(await why(ids['slow'])).toMatch(/sale pay_[\s\S]*late[\s\S]*correction FR 2031-Q1/);
    expect(await why(ids['slowBritish'])).toMatch(/sale pay_[\s\S]*late[\s\S]*1, 6/);
    const first = (await filedReturns().list()).find(({ kind, from }) => kind === 'oss' && from === '2031-01-01');
    expect(first?.boxes).toBe(firstBoxes);
  });

  it('422: is refused if another return was filed after its creation, because both could declare the same sale', async () => {
    const [third, again] = [await make('gb', 'Q3'), await make('gb', 'Q3')];
    const fourth = { from: '2031-10-01', to: '2031-10-05' };
    await post({ action: 'create', kind: 'gb', ...fourth });
    await invokeFunction('accounting/run-exports', {});
    const [october] = await exportJobs().list();
    expect((await file(third.id)).status).toBe(303);
    expect((await file(again.id)).text).toContain('is filed, and never changes');
    const outdated = await file(october?.id ?? '');
    expect([outdated.status, outdated.text]).toEqual([422, expect.stringContaining('Another return was filed since')]);
  });
});

describe('a lost dispute in returns', { shuffle: false }, () => {
  const days32 = { from: '2032-01-01', to: '2032-03-31' };
  const next32 = { from: '2032-04-01', to: '2032-06-30' };
  const ids: Record<string, string> = {};
  const choose = (disputeId: string, ground: string) =>
    api.call(`POST /disputes/${disputeId}/adjustments`, { body: { ground } });

  async function makeFor(kind: string, period: { from: string; to: string }) {
    expect((await post({ action: 'create', kind, ...period })).status).toBe(303);
    await invokeFunction('accounting/run-exports', {});
    const [job] = await exportJobs().list();
    const name = job?.files.find((one) => one.name.endsWith('return.csv'))?.name ?? '';
    const query = `job=${job?.id}&file=${name}`;
    const { headers } = await api.call('GET /dashboard/returns', { query, cookies: viewer.cookies, key: null });
    const text = await (await fetch(headers['location'] ?? '')).text();
    return { id: job?.id ?? '', notes: job?.notes ?? [], rows: text.trimEnd().split('\r\n').slice(1) };
  }

  it('lowers no box before a ground is chosen, and the supply of its quarter afterwards', async () => {
    await at('2032-02-10T12:00:00Z');
    for (const country of ['FR', 'GB', 'CH']) ids[country] = await sell(country, { currency: 'EUR' });
    for (const country of ['FR', 'GB', 'CH']) ids[`${country} lost`] = await loseDispute(String(ids[country]));
    await at('2032-04-10T12:00:00Z');
    await exchangeRates().keep({ ...exampleRates, date: '2032-03-31' });
    const open = await makeFor('oss', days32);
    expect(boxesOf(open.rows, 'supply', 'disputed_not_counted')).toEqual([
      'supply,FR,standard,20,,,,,100.00,20.00,,',
      'disputed_not_counted,FR,,,,EUR,-100.00,-20.00,,,,',
    ]);
    expect((await choose(String(ids['FR lost']), 'uncollectible')).status).toBe(200);
    const chosen = await makeFor('oss', days32);
    expect(boxesOf(chosen.rows, 'supply', 'due', 'disputed_not_counted')).toEqual([
      'supply,FR,standard,20,,,,,0.00,0.00,,',
      'due,,,,,,,,,0.00,,',
    ]);
    expect((await file(chosen.id)).status).toBe(303);
  });

  it('is a candidate for bad debt relief in Great Britain if it is uncollectible, and in no box', async () => {
    await choose(String(ids['GB lost']), 'uncollectible');
    const { rows, notes } = await makeFor('gb', days32);
    expect(boxesOf(rows, 'bad_debt_candidate').map((row) => row.split(',').slice(2, 5))).toEqual([
      ['dispute_lost', '2032-Q1', '20'],
    ]);
    const box = (name: string) =>
      rows
        .find((row) => row.startsWith(`box,${name},`))
        ?.split(',')
        .at(-1);
    expect(Number(box('1'))).toBeGreaterThan(0);
    expect(notes).toEqual([expect.stringContaining('Claim bad debt relief')]);
  });

  it('is in code 235 in Switzerland, on any ground', async () => {
    await choose(String(ids['CH lost']), 'rescinded');
    const { rows } = await makeFor('ch', days32);
    const box = (name: string) =>
      Number(
        rows
          .find((row) => row.startsWith(`box,${name},`))
          ?.split(',')
          .at(-1),
      );
    expect(box('235')).toBe(box('200'));
    expect([box('299'), box('399')]).toEqual([0, 0]);
  });

  it('is a correction of the sale’s quarter if the ground is chosen or the money comes back after filing', async () => {
    await at('2032-05-10T12:00:00Z');
    await hearBank(String(ids['FR']), { status: 'won', withdrawn: 0, isRefundable: true });
    await at('2032-07-10T12:00:00Z');
    await exchangeRates().keep({ ...exampleRates, date: '2032-06-30' });
    const { id, rows } = await makeFor('oss', next32);
    expect(boxesOf(rows, 'correction')).toEqual(['correction,FR,,,2032-Q1,,,,,20.00,,']);
    expect((await file(id)).status).toBe(303);
    const why = (
      await api.call(`GET /dashboard/payments/${ids['FR']}`, { query: 'why=true', cookies: viewer.cookies, key: null })
    ).text;
    expect(why).toMatch(/dispute_lost adj_[\s\S]*supply FR 20/);
    expect(why).toMatch(/dispute_won adj_[\s\S]*correction FR 2032-Q1/);
  });
});
