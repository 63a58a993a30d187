import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { behaviourById, type RegisterBehaviour } from '../../../infra/local/registers/register-behaviours.ts';
import { startParameters } from '../../../infra/local-aws/parameters.ts';
import { Merchant } from '../../../shared/domain/merchant.ts';
import { checkTaxId } from '../../../shared/wiring/registers.ts';
import { payments, sessions } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';

import { addProduct, createSession } from '../../support/shop/shop.ts';

let api: Api;
let registers: FakeRegisters;
let book: string;
beforeAll(async () => {
  registers = await startFakeRegisters({ slowMs: 3_000 });
  const merchant = Merchant.parse({ ...testMerchant, country: 'DE', taxId: 'DE136695976' });
  api = await startApi(merchant, { REGISTER_URL: registers.url });
  book = await addProduct(api);
});
afterAll(async () => {
  await api.stop();
  await registers.stop();
});
beforeEach(() => {
  registers.behave = behaviourById;
  registers.questions.length = 0;
});

const lyon = { country: 'FR', street: '3 rue de la République', city: 'Lyon' };
const business = { billing_address: lyon, tax_id: 'FR83404833048', customer_business_name: 'Exemple' };
const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242' };
const headers = { 'content-type': 'application/json' };

const newSession = () => createSession(api, [{ product_id: book, quantity: 1 }]);
const quote = (id: string, fields: object = business) =>
  api.call(`POST /checkout/${id}/quote`, { body: fields, key: null, headers });
const pay = (id: string, fields: object = business) =>
  api.call(`POST /checkout/${id}/pay`, { body: { ...fields, ...buyer }, key: null, headers });

describe('a register that confirms a tax id', () => {
  it('is called once per session, and its answer is stored with the payment', async () => {
    const id = await newSession();
    expect((await quote(id)).body).toMatchObject({ tax: 0 });
    await quote(id);
    const { body } = await pay(id);
    expect(body).toMatchObject({ status: 'succeeded', tax: 0 });
    expect(registers.questions).toEqual([{ register: 'vies', id: 'FR83404833048', requester: 'DE136695976' }]);
    const { body: calculation } = await api.call(`GET /payments/${body.payment_id}/calculation`);
    expect(calculation.tax_id).toMatchObject({
      id: 'FR83404833048',
      status: 'valid',
      checks: [
        {
          register: 'sandbox', // played, and noted as such
          verdict: 'valid',
          asked_at: expect.stringMatching(/^\d{4}-/),
          consultation_number: expect.stringMatching(/^WAPI/),
          name: 'Example Business',
          address: expect.stringContaining('Example Street'),
          fault: null,
        },
      ],
    });
  });

  it('is called again for another number, and for another session', async () => {
    const [first, second] = [await newSession(), await newSession()];
    await quote(first);
    await quote(first, { ...business, tax_id: 'FR40303265045' });
    await quote(second);
    expect(registers.questions.map(({ id }) => id)).toEqual(['FR83404833048', 'FR40303265045', 'FR83404833048']);
  });

  it('is not called by the page when the session was created with the tax id', async () => {
    const { tax_id, billing_address, customer_business_name } = business;
    const cart = [{ product_id: book, quantity: 1 }];
    const id = await createSession(api, cart, { tax_id, billing_address, customer_business_name });
    expect((await sessions().get(id)).provenTaxId).toMatchObject({ status: 'valid' });
    const { status } = await api.call(`GET /checkout/${id}`, { key: null });
    expect(status).toBe(200);
    await pay(id, {});
    expect(registers.questions).toHaveLength(1);
  });
});

it('a register’s answer that neither confirms nor denies a tax id is never stored', async () => {
  const id = await newSession();
  registers.behave = () => 'MS_UNAVAILABLE';
  await quote(id);
  registers.behave = () => 'valid';
  expect((await quote(id)).body).toMatchObject({ tax: 0 });
  expect(registers.questions).toHaveLength(2);
});

describe('a register that neither confirms nor denies a tax id', () => {
  it.each<RegisterBehaviour>(['MS_UNAVAILABLE', 'slow', 'HTML', 'drops the connection'])(
    'delays a checkout by at most two seconds, and the tax is charged: %s',
    async (behaviour) => {
      const id = await newSession();
      registers.behave = () => behaviour;
      const begun = performance.now();
      const { body } = await pay(id);
      expect(performance.now() - begun).toBeLessThan(2_000);
      expect(body.status).toBe('succeeded');
      expect(body.tax).toBeGreaterThan(0);
      expect((await payments().get(body.payment_id)).taxId).toMatchObject({
        status: 'unverified',
        checks: [{ register: 'sandbox', verdict: 'none', fault: expect.any(String) }],
      });
    },
  );

  it('leads to a notice for the buyer with the next steps', async () => {
    const id = await newSession();
    registers.behave = () => 'MS_UNAVAILABLE';
    const token = (await sessions().get(id)).formToken;
    const form = new URLSearchParams({ token, country: 'FR', tax_id: business.tax_id, expected_total: '' });
    const answer = await api.call(`POST /checkout/${id}/quote`, {
      raw: Buffer.from(form.toString()),
      key: null,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-language': 'en',
        'sec-fetch-site': 'same-origin',
      },
    });
    expect(answer.text).toContain('The official register does not answer at the moment, so the tax is charged.');
    registers.behave = () => 'valid';
    const proven = await api.call(`POST /checkout/${id}/quote`, {
      raw: Buffer.from(form.toString()),
      key: null,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-language': 'en',
        'sec-fetch-site': 'same-origin',
      },
    });
    expect(proven.text).not.toContain('official register');
  });
});

it('a tax id that its register denies is refused, with a message to the buyer', async () => {
  const id = await newSession();
  const { status, body } = await pay(id, { ...business, tax_id: 'FR86199990001' });
  expect([status, body.code]).toEqual([422, 'INVALID_TAX_ID']);
});

it('a session without a tax id sends no request to a register, and stores nothing extra', async () => {
  const id = await newSession();
  await quote(id, { billing_address: { country: 'FR' } });
  expect(registers.questions).toEqual([]);
  expect((await sessions().get(id)).version).toBe(1);
});

it('the British register gets the credentials from the parameter store', async () => {
  const parameters = await startParameters();
  parameters.values.set('/tillstack/demo/sandbox/registers/hmrc', 'client\nsecret\n');
  const british = await startFakeRegisters({ clientId: 'client', clientSecret: 'secret' });
  vi.stubEnv('REGISTERS', 'hmrc');
  vi.stubEnv('REGISTER_URL', british.url);
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', parameters.url);
  const check = await checkTaxId('GB980780684', 'GB').finally(() => vi.unstubAllEnvs());
  await Promise.all([british.stop(), parameters.stop()]);
  expect(check).toMatchObject({ status: 'valid', checks: [{ register: 'sandbox', name: 'Example Business' }] });
  expect(parameters.reads).toEqual(['/tillstack/demo/sandbox/registers/hmrc']);
  expect(api.log.join()).not.toContain('secret');
});

it('a stage without configured registers never sends a request to another machine', async () => {
  const before = process.env['REGISTER_URL'];
  process.env['REGISTER_URL'] = 'http://registers.example';
  const answer = await pay(await newSession()).finally(() => {
    process.env['REGISTER_URL'] = before;
  });
  expect(answer.status).toBe(500);
});
