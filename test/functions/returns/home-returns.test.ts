import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { exchangeRates, filedReturns } from '../../../shared/wiring/books.ts';
import { payments } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Filing, filingWith, rowsIn } from '../../support/returns/filing.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';

let api: Api;
let bucket: Bucket;
let registers: FakeRegisters;
let seller: Filing;

const merchant = Merchant.parse({ ...testMerchant, taxId: 'DE136695976', collectPolicy: 'registered_only' });
const days = {
  Q1: { from: '2031-01-01', to: '2031-03-31' },
  Q2: { from: '2031-04-01', to: '2031-06-30' },
};

beforeAll(async () => {
  [bucket, registers] = await Promise.all([startBucket({ bucketNames: [localNames.bucket] }), startFakeRegisters()]);
  api = await startApi(merchant, { AWS_ENDPOINT_URL_S3: bucket.url, REGISTER_URL: registers.url });
  seller = filingWith(api);
  await seller.at('2031-03-20T12:00:00Z');
  registers.behave = () => 'valid';
  registers.nameOf = () => 'EXEMPLE SARL';
  await exchangeRates().keep({
    ...exampleRates,
    date: '2031-03-19',
    perEuro: { ...exampleRates.perEuro, USD: '1.2500' },
  });
  await exchangeRates().keep({ ...exampleRates, date: '2031-03-31' });
  for (const scheme of ['standard', 'oss'])
    await api.call('POST /tax/registrations', { body: { country: 'DE', scheme, active_from: '2030-01-01' } });
});
afterAll(async () => {
  clock.run();
  await Promise.all([bucket.stop(), registers.stop(), api.stop()]);
});

interface Sale {
  amount: number;
  country?: string;
  category?: string;
  currency?: string;
  taxId?: string;
}

async function sell({ amount, country = 'DE', category = 'saas', currency = 'EUR', taxId }: Sale): Promise<string> {
  const price = { type: 'one_time_price', currency, price: amount, tax_inclusive: true };
  const product = await addProduct(api, { price, tax_category: category });
  const id = await createSession(api, [{ product_id: product, quantity: 1 }]);
  const business = taxId && { tax_id: taxId, customer_business_name: 'Exemple' };
  const address = { country, ...(taxId && { street: '1 rue', city: 'Ville', zipcode: '1000' }) };
  const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242' };
  const { body } = await api.call(`POST /checkout/${id}/pay`, {
    body: { ...buyer, billing_address: address, ...business },
    key: null,
  });
  expect(body.status).toBe('succeeded');
  return body.payment_id;
}

const refund = async (payment_id = '', amount = 0) =>
  expect((await api.call('POST /refunds', { body: { payment_id, amount } })).status).toBe(200);

describe('the returns of a German seller', { shuffle: false }, () => {
  const ids: Record<string, string> = {};

  it('list base and tax at home by rate, with the numbers of the German form, and what is sold elsewhere', async () => {
    ids['saas'] = await sell({ amount: 11_999 }); // 100.83 + 19.16
    ids['book'] = await sell({ amount: 10_700, category: 'e_book' }); // 100.00 + 7.00
    ids['french'] = await sell({ amount: 10_060, country: 'FR', taxId: 'FR83404833048' });
    await sell({ amount: 10_000, country: 'GR', taxId: 'EL094259216', currency: 'USD' }); // ÷ 1.25
    ids['consumer'] = await sell({ amount: 12_000, country: 'FR' }); // 100.00 + 20.00 under OSS
    ids['swiss'] = await sell({ amount: 5_099, country: 'CH' });
    registers.behave = () => 'MS_UNAVAILABLE';
    ids['late'] = await sell({ amount: 24_000, country: 'FR', taxId: 'FR83404833048' }); // 200.00 + 40.00
    await seller.at('2031-04-10T12:00:00Z');
    const home = await seller.make('home', days.Q1);
    expect(rowsIn(home.files['return'], 'total')).toEqual([
      'total,86,home,,,7,,,,,,EUR,100.00,7.00,100',
      'total,81,home,,,19,,,,,,EUR,100.83,19.16,100',
      // 100.60 → 101, 80.00 → 80
      'total,21,union_business,,,,,,,,,EUR,180.60,0.00,181',
      'total,,oss,,,,,,,,,EUR,300.00,0.00,300',
      'total,45,third_country,,,,,,,,,EUR,50.99,0.00,50',
    ]);
    expect(rowsIn(home.files['return'], 'detail')).toContain(
      'detail,,union_business,sale,2031-Q1,,,EL094259216,USD,100.00,0.00,EUR,80.00,0.00,',
    );
    expect(home.notes.join(' ')).toMatch(/Kz 81 and 86[\s\S]*disputed/);
    await seller.file(home);
  });

  it('state services to businesses of other member states by tax id, with the file for Mein ELSTER', async () => {
    const stated = await seller.make('recap', days.Q1);
    expect(rowsIn(stated.files['return'], 'supply', 'correction')).toEqual([
      'supply,DE,EL,094259216,S,,,,,,EUR,80.00,80',
      'supply,DE,FR,83404833048,S,,,,,,EUR,100.60,101',
    ]);
    expect(stated.files['zm']).toEqual([
      'USt-IdNr.,Betrag (EUR),Art der Leistung',
      'EL094259216,80,S',
      'FR83404833048,101,S',
    ]);
    expect(stated.notes.join(' ')).toContain('by the 25th');
    await seller.file(stated);
    for (const fields of [days.Q1, { from: '2031-03-01', to: '2031-03-31' }]) {
      const again = await seller.post('/dashboard/returns', { action: 'create', kind: 'recap', ...fields });
      expect([again.status, again.text]).toEqual([422, expect.stringContaining('is filed, and never changes')]);
    }
  });

  it('subtract later refunds in the period of the refund, and correct the statement if a tax id comes later', async () => {
    registers.behave = () => 'valid';
    await sweep();
    const { correction } = await payments().get(ids['late'] ?? '');
    expect(correction?.status).toBe('proposed');
    await seller.post(`/dashboard/payments/${ids['late']}`, {
      action: 'correct',
      amount: String(correction?.amount),
      tax: String(correction?.tax),
    });
    await refund(ids['french'], 2_000);
    await refund(ids['late'], 6_000);
    await refund(ids['book'], 1_070);
    await seller.at('2031-07-10T12:00:00Z');
    await exchangeRates().keep({ ...exampleRates, date: '2031-06-30' });
    const stated = await seller.make('recap', days.Q2);
    expect(rowsIn(stated.files['return'], 'supply', 'correction')).toEqual([
      // 20.00 and 60.00 of the corrected invoice, whose sale had another place in the list of the quarter before
      'supply,DE,FR,83404833048,S,,,,,,EUR,-80.00,-80',
      'correction,DE,FR,83404833048,S,2031-Q1,,,,,EUR,240.00,240',
    ]);
    expect(stated.files['zm']?.slice(1)).toEqual(['FR83404833048,-80,S']);
    expect(stated.notes).toContain(
      'The statement of 2031-Q1 is wrong: send a corrected one with the rows that name it.',
    );
    await seller.file(stated);
    const home = await seller.make('home', days.Q2);
    expect(rowsIn(home.files['return'], 'total')).toEqual([
      'total,86,home,,,7,,,,,,EUR,-10.00,-0.70,-10',
      'total,21,union_business,,,,,,,,,EUR,160.00,0.00,160',
      'total,,oss,,,,,,,,,EUR,-200.00,0.00,-200',
    ]);
    await seller.file(home);
    const [first] = (await filedReturns().list()).filter(({ kind, from }) => kind === 'recap' && from === days.Q1.from);
    expect(first?.boxes).toContain('supply,DE,FR,83404833048,S,,,,,,EUR,100.60,101');
  });

  it('are cited with their box numbers on the page that explains the tax of a sale', async () => {
    const boxesOn = async (id = '') =>
      [...(await seller.why(id)).matchAll(/<div><code>([^<]*)<\/code><\/div><\/td><\/tr>/g)].map(([, boxes]) => boxes);
    expect(await boxesOn(ids['saas'])).toEqual(['81']);
    expect(await boxesOn(ids['book'])).toEqual(expect.arrayContaining(['86']));
    expect(await boxesOn(ids['swiss'])).toEqual(['45']);
    expect((await boxesOn(ids['french'])).toSorted()).toEqual([
      '21',
      '21',
      'supply FR83404833048',
      'supply FR83404833048',
    ]);
    expect((await boxesOn(ids['late'])).toSorted()).toEqual([
      ...['21', 'correction 2031-Q1 FR83404833048', 'oss', 'oss, 21', 'supply FR83404833048'],
    ]);
  });

  it.each([{ fault: 'a period that is no month or quarter', from: '2031-07-02', says: 'covers a month or a quarter' }])(
    '422: a statement cannot be created for $fault',
    async ({ from, says }) => {
      const fields = { action: 'create', kind: 'recap', from, to: '2031-09-30' };
      const { status, text } = await seller.post('/dashboard/returns', fields);
      expect([status, text]).toEqual([422, expect.stringContaining(says)]);
    },
  );
});
