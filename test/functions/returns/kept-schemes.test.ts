import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { newExportJob } from '../../../shared/domain/reports/export-job.ts';
import { env } from '../../../shared/env.ts';
import { exportBucket } from '../../../shared/outside/exports/export-bucket.ts';
import { keys } from '../../../shared/store/keys.ts';
import { exchangeRates, exportJobs } from '../../../shared/wiring/books.ts';
import { payments, table, taxRules } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { changeData } from '../../support/table/change-data.ts';

let api: Api;
let bucket: Bucket;
const known = env.merchant;

beforeAll(async () => {
  bucket = await startBucket({ bucketNames: [localNames.bucket] });
  api = await startApi(undefined, { AWS_ENDPOINT_URL_S3: bucket.url });
  env.merchant = () => ({ ...known(), country: 'DE', collectPolicy: 'registered_only' });
  clock.stopAt('2031-02-10T12:00:00Z');
  await exchangeRates().keep({ ...exampleRates, date: '2031-03-31' });
  for (const body of [
    { country: 'FR', active_from: '2030-01-01' },
    { country: 'DE', scheme: 'oss', active_from: '2030-01-01' },
  ])
    expect((await api.call('POST /tax/registrations', { body })).status).toBe(200);
});
afterAll(async () => {
  env.merchant = known;
  clock.run();
  await Promise.all([bucket.stop(), api.stop()]);
});

async function sell(country: string): Promise<string> {
  const price = { type: 'one_time_price', currency: 'EUR', price: 12_100, tax_inclusive: true };
  const productId = await addProduct(api, { price, tax_category: 'saas' });
  const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const billing = { country, state: null, city: null, street: null, zipcode: null };
  return (await pay(sessionId, { expectedTotal: 12_100, billing })).id;
}

/** The states of the OSS return of the quarter. */
async function statesUnderOss(id: string): Promise<string[]> {
  const quarter = { kind: 'oss' as const, from: '2031-01-01', to: '2031-03-31' };
  await exportJobs().save(newExportJob(quarter, { id, now: new Date().toISOString(), createdBy: 'test' }));
  await invokeFunction('accounting/run-exports', {});
  const job = (await exportJobs().list()).find((one) => one.id === id);
  const name = job?.files.find((file) => file.name.endsWith('-return.csv'))?.name ?? '';
  const text = await (await fetch(await exportBucket(localNames.bucket).linkTo(id, name))).text();
  const rows = text.split('\r\n').map((row) => row.split(','));
  return rows.filter(([section]) => section === 'supply').map(([, state]) => String(state));
}

it('a sale stays in the tax return of its scheme, even after its registration has changed or ended', async () => {
  const [own, ofVersion020] = [await sell('FR'), await sell('FR')];
  await sell('ES');
  expect((await payments().get(own)).calculation.schemes).toEqual(['standard']);
  await changeData(
    table(),
    keys.payment(ofVersion020),
    ({ calculation: { schemes: _, ...calculation }, ...payment }) => ({
      ...payment,
      calculation,
    }),
  );
  expect((await payments().get(ofVersion020)).calculation.schemes).toBeUndefined();
  await invokeFunction('accounting/run-exports', {}); // the first worker takes the snapshot
  expect(await statesUnderOss('exp_before')).toEqual(['ES']);
  // a registration that the snapshot does not know
  await api.call('POST /tax/registrations', { body: { country: 'PT', active_from: '2030-01-01' } });
  expect((await payments().get(await sell('PT'))).calculation.schemes).toEqual(['standard']);
  // 0.2.0 removes a registration while it runs beside this version, and the other one gets another scheme
  const rules = await taxRules().get();
  const others = rules.registrations.filter(({ country }) => country !== 'FR');
  const flipped = others.map((one) => ({ ...one, scheme: one.country === 'PT' ? 'oss' : 'standard' }) as const);
  await taxRules().save({ ...rules, registrations: flipped }, []);
  expect(await statesUnderOss('exp_after')).toEqual(['ES']);
});
