import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { exportBucket } from '../../../shared/outside/exports/export-bucket.ts';
import { makeExport } from '../../../shared/use-cases/exports/make-export.ts';
import { type RunExportsDeps, runExports } from '../../../shared/use-cases/exports/run-exports.ts';
import { exchangeRates, exportJobs } from '../../../shared/wiring/books.ts';
import { now } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { accounting } from '../../support/shop/dependencies.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let bucket: Bucket;
let viewer: Browsing;
let form = 0;

beforeAll(async () => {
  bucket = await startBucket({ bucketNames: [localNames.bucket] });
  api = await startApi(undefined, { AWS_ENDPOINT_URL_S3: bucket.url });
  clock.stopAt('2031-03-10T12:00:00Z');
  await exchangeRates().keep({ ...exampleRates, date: '2031-03-07' });
  await exchangeRates().keep({
    ...exampleRates,
    date: '2031-03-31',
    perEuro: { ...exampleRates.perEuro, USD: '1.2000' },
  });
  const paymentId = await sell('USD', 'FR');
  await sell('EUR', 'FR');
  await sell('AED', 'AT');
  await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 2_400 } });
  clock.stopAt('2031-05-02T12:00:00Z');
  await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 1_200 } });
  viewer = await browse(api, localKey);
});
afterAll(async () => {
  clock.run();
  await Promise.all([bucket.stop(), api.stop()]);
});

/** 120.00 in a currency, tax included, in a country. */
async function sell(currency: string, country: string): Promise<string> {
  const price = { type: 'one_time_price', currency, price: 12_000, tax_inclusive: true };
  const productId = await addProduct(api, { price, tax_category: 'saas' });
  const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const billing = { country, state: null, city: null, street: null, zipcode: null };
  return (await pay(sessionId, { expectedTotal: 12_000, billing })).id;
}

function ask(fields: { kind: string; from: string; to: string }) {
  form += 1;
  clock.forward({ minutes: 1 });
  const common = { action: 'create', token: viewer.token, form_id: `form${form}` };
  return postForm(api, '/dashboard/returns', { ...common, ...fields }, viewer.cookies);
}

const look = (query = '') => api.call('GET /dashboard/returns', { query, cookies: viewer.cookies, key: null });

/** The text of the newest job's file. */
async function fileOf(part: string): Promise<string[]> {
  const [job] = await exportJobs().list();
  const name = job?.files.find((file) => file.name.endsWith(`${part}.csv`))?.name ?? '';
  const { status, headers } = await look(`job=${job?.id}&file=${name}`);
  expect(status).toBe(303);
  const answer = await fetch(headers['location'] ?? '');
  return (await answer.text()).replace('\ufeff', '').trimEnd().split('\r\n');
}

describe('the page of tax returns', { shuffle: false }, () => {
  it('303: orders an OSS return; a worker creates it, and the page links its files', async () => {
    const quarter = { kind: 'oss', from: '2031-01-01', to: '2031-03-31' };
    const { status, headers } = await ask(quarter);
    expect([status, headers['location']]).toEqual([303, '/dashboard/returns?done=requested']);
    expect((await look()).text).toMatch(/OSS, European Union[\s\S]*waiting/);
    await invokeFunction('accounting/run-exports', {});
    const { text } = await look();
    expect(text).toMatch(/OSS, European Union[\s\S]*done/);
    expect(text).toContain('There is no rate for AED in 2031-Q1');
    // 100.00 USD net and 20.00 tax, less 20.00 and 4.00 refunded: ÷ 1.2 = 66.67 and 13.33; with 100.00 and 20.00 EUR
    expect(await fileOf('return')).toEqual([
      'section,member_state,rate_type,rate_percent,original_period,currency,net,tax,net_eur,tax_eur,per_euro,rate_date',
      'supply,FR,standard,20,,,,,166.67,33.33,,',
      'balance,FR,,,,,,,,33.33,,',
      'due,,,,,,,,,33.33,,',
      'supply_by_currency,AT,standard,20,,AED,100.00,20.00,,,,',
      'supply_by_currency,FR,standard,20,,EUR,100.00,20.00,100.00,20.00,1,',
      'supply_by_currency,FR,standard,20,,USD,80.00,16.00,66.67,13.33,1.2000,2031-03-31',
    ]);
    expect((await fileOf('rows')).slice(1).map((row) => row.split(',')[2])).toEqual(['sale', 'sale', 'sale', 'refund']);
  });

  it('reports a later refund as a correction of the quarter of the sale, at the rate of the sale', async () => {
    await ask({ kind: 'oss', from: '2031-04-01', to: '2031-06-30' });
    await invokeFunction('accounting/run-exports', {});
    // 2.00 USD of tax ÷ 1.2000, the rate of March
    expect(await fileOf('return')).toEqual([
      expect.any(String),
      'correction,FR,,,2031-Q1,,,,,-1.67,,',
      'balance,FR,,,,,,,,-1.67,,',
      'due,,,,,,,,,0.00,,',
      'correction_by_currency,FR,,,2031-Q1,USD,,-2.00,,-1.67,1.2000,2031-03-31',
    ]);
  });

  it.each([
    {
      fault: 'a period that is no quarter',
      fields: { kind: 'oss', from: '2031-01-02', to: '2031-03-31' },
      says: 'covers a quarter',
    },
    {
      fault: 'days in the wrong order',
      fields: { kind: 'gb', from: '2031-03-31', to: '2031-01-01' },
      says: 'must not be before',
    },
    { fault: 'years', fields: { kind: 'general', from: '2029-01-01', to: '2031-01-01' }, says: 'at most 366 days' },
    { fault: 'no day', fields: { kind: 'general', from: '', to: '2031-01-01' }, says: 'Choose a first day' },
    {
      fault: 'an unknown kind',
      fields: { kind: 'xx', from: '2031-01-01', to: '2031-01-31' },
      says: 'Choose what is to be made',
    },
  ])('422: refuses $fault', async ({ fields, says }) => {
    const before = (await exportJobs().list()).length;
    const { status, text } = await ask(fields);
    expect([status, (await exportJobs().list()).length]).toEqual([422, before]);
    expect(text).toContain(says);
  });

  it('403: refuses a share link that would outlast the viewer’s key', async () => {
    await ask({ kind: 'payments', from: '2031-03-01', to: '2031-03-31' });
    await invokeFunction('accounting/run-exports', {});
    const [job] = await exportJobs().list();
    const query = `job=${job?.id}&file=${job?.files[0]?.name}`;
    const endsAfter = async (milliseconds: number) => {
      const expiresAt = new Date(now().getTime() + milliseconds).toISOString();
      const { cookies } = await browse(api, await api.addKey({ access: 'read', expiresAt }));
      return (await api.call('GET /dashboard/returns', { query, cookies, key: null })).status;
    };
    expect([await endsAfter(60_000), await endsAfter(59_999)]).toEqual([303, 403]);
  });

  it('404: answers for a file that does not exist, and for a file older than one day', async () => {
    await ask({ kind: 'payments', from: '2031-03-01', to: '2031-03-31' });
    await invokeFunction('accounting/run-exports', {});
    const [job] = await exportJobs().list();
    expect(job?.files.map(({ name }) => name)).toEqual(['payments-2031-03-01-2031-03-31-rows.csv']);
    expect(await fileOf('rows')).toHaveLength(4);
    expect((await look(`job=${job?.id}`)).status).toBe(404);
    expect((await look('job=exp_none&file=a.csv')).status).toBe(404);
    clock.forward({ hours: 24 });
    viewer = await browse(api, localKey);
    const over = await look(`job=${job?.id}&file=${job?.files[0]?.name}`);
    expect(over.status).toBe(404);
    expect((await look()).text).not.toContain('payments-2031');
  });
});

describe('the worker that creates tax returns', { shuffle: false }, () => {
  const deps = (fields: Partial<RunExportsDeps> = {}): RunExportsDeps => {
    return {
      ...accounting(),
      exportJobs: exportJobs(),
      storeFile: exportBucket(localNames.bucket).storeFile,
      now: () => new Date('2031-05-10T12:00:00Z'),
      report: () => {},
      ...fields,
    };
  };

  it('processes a job once, even when several workers run', async () => {
    clock.stopAt('2031-05-10T12:00:00Z');
    viewer = await browse(api, localKey);
    await ask({ kind: 'general', from: '2031-01-01', to: '2031-12-31' });
    let stored = 0;
    const storeFile = async () => {
      stored += 1;
      return 1;
    };
    const worker = deps({ storeFile });
    await Promise.all([1, 2, 3].map(() => runExports(worker, () => true)));
    expect(stored).toBe(2);
  });

  it('tries a job three times, even after a crash, and then reports a failure', async () => {
    clock.stopAt('2031-05-11T12:00:00Z');
    viewer = await browse(api, localKey);
    await ask({ kind: 'general', from: '2031-01-01', to: '2031-12-31' });
    const storeFile = () => Promise.reject(new Error('The bucket is gone.'));
    const at = (hour: number) => ({ now: () => new Date(`2031-05-11T${hour}:00:00Z`), storeFile });
    await runExports(deps(at(12)), () => true);
    const [waiting] = await exportJobs().list();
    expect(waiting).toMatchObject({ status: 'waiting', attempts: 1 });
    // a worker that died with it
    await exportJobs().save({
      ...(waiting as typeof waiting & object),
      status: 'running',
      claimedUntil: '2031-05-11T13:00:00Z',
    });
    await runExports(deps(at(12)), () => true);
    expect((await exportJobs().list())[0]).toMatchObject({ status: 'running', attempts: 1 });
    for (const hour of [14, 15]) await runExports(deps(at(hour)), () => true);
    expect((await exportJobs().list())[0]).toMatchObject({ status: 'failed', attempts: 3 });
    expect((await look()).text).toContain('Something went wrong, three times.');
  });

  it('reports its progress', async () => {
    const counted: number[] = [];
    const [job] = await exportJobs().list();
    if (!job) throw new Error('There is no job.');
    await makeExport(deps(), job, async (count) => void counted.push(count));
    expect(counted).toEqual([3, 5]); // sales, then refunds
  });
});
