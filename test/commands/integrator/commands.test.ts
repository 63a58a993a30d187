import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkSales, tryCheckout } from '../../../infra/commands/fleet/check-sales.ts';
import { apiCaller } from '../../../infra/commands/integrator/api.ts';
import { triggerableTypes } from '../../../infra/commands/integrator/trigger/trigger.ts';
import { startReceiver } from '../../../infra/local/demo/receiver.ts';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../../infra/local/sandbox.ts';
import { localAws } from '../../../infra/local-aws/local-aws.ts';
import { listenOnLoopback } from '../../../infra/local-aws/loopback-server.ts';
import { MerchantConfig } from '../../../infra/merchant-config.ts';
import { eventTypes } from '../../../shared/events/catalogue.ts';
import { addKey } from '../../support/shop/api.ts';
import { shortenPauses } from '../../support/short-pauses.ts';
import { merchantOfTest, playedClients } from '../operator-context.ts';
import { decidedLater, type Run, runWords, temporaryFolder } from './command-line.ts';

let sandbox: Sandbox;
let environment: { url: string; key: string; profilesFile: string };
const folder = temporaryFolder();
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 0.25 });
  await seedLocalKey(sandbox.table);
  environment = { url: sandbox.url, key: localKey, profilesFile: folder.profilesFile };
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
});

type Options = Parameters<typeof runWords>[1];

async function run(args: string[], options: Options = {}): Promise<Run> {
  const found = await runWords(args, { environment, ...options });
  const secrets = [localKey, options.secret ?? ''].filter((secret) => secret.startsWith('sk_'));
  for (const secret of secrets) expect(found.out + found.error).not.toContain(secret);
  return found;
}

/** Asks the API itself. */
async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
  const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  return (await (await fetch(sandbox.url + path, { headers, ...sent })).json()) as Answer;
}

/** What a command prints for a script. */
async function json(args: string[]) {
  const { code, out, error } = await run([...args, '--json']);
  expect(error).toBe('');
  expect(code).toBe(0);
  return JSON.parse(out);
}

const create = (name: string, price: string, more: string[] = []) =>
  json(['products', 'create', name, '--price', price, '--currency', 'EUR', '--category', 'e_book', ...more]);

/** A purchase in Germany, of 19.99 with 7 % inside: 1999 × 0.07 / 1.07 = 130.8. */
async function sell(): Promise<{ payment: string; product: string }> {
  const { product_id: product } = await create('Field Guide', '19.99');
  const { payment_id: payment } = await json(['trigger', 'payment.succeeded', '--product', product]);
  return { payment, product };
}

describe('discounts', () => {
  it('are created, listed and stopped', async () => {
    const { product_id } = await create('For a code', '20.00');
    const words = ['--type', 'percentage', '--amount', '1250', '--usage-limit', '7', '--restricted-to', product_id];
    const { discount_id: id } = await json(['discounts', 'create', 'spring', ...words]);
    const terms = { type: 'percentage', amount: 1_250, usage_limit: 7, restricted_to: [product_id] };
    expect(await json(['discounts', 'list', '--active', '--limit', '1'])).toMatchObject([{ code: 'SPRING', ...terms }]);
    expect((await run(['discounts', 'list'])).out).toMatch(/SPRING +percentage +1250 +0 +7/);
    expect(await run(['discounts', 'stop', id], { confirms: false })).toMatchObject({ code: 1 });
    expect((await run(['discounts', 'stop', id, '--yes'])).out).toBe('Done.\n');
    expect(await json(['discounts', 'list', '--active', '--code', 'SPRING'])).toEqual([]);
  });

  it('can take off a fixed amount in one currency, above a minimum price and until a date', async () => {
    const row = 'currency=eur,max_amount_possible=5.00,minimum_subtotal=20.00';
    const words = ['--type', 'flat', '--amount', '500', '--currency-options', row, '--expires', '2099-12-31'];
    expect(await json(['discounts', 'create', ...words, '--customer-eligibility', 'existing'])).toMatchObject({
      currency_options: [{ currency: 'EUR', max_amount_possible: 500, minimum_subtotal: 2_000 }],
      expires_at: '2099-12-31T00:00:00.000Z',
      customer_eligibility: 'existing',
    });
  });

  it('are refused with an expiry date in the past', async () => {
    const words = ['discounts', 'create', '--type', 'percentage', '--amount', '500', '--expires-at', '7d'];
    expect(await run(words)).toMatchObject({ code: 2, error: expect.stringContaining('--expires-at must be a time') });
  });
});

describe('prices by place', () => {
  it('are added, listed and removed', async () => {
    const { product_id: id } = await create('Elsewhere', '19.00', ['--pricing-mode', 'by_country']);
    expect((await run(['prices', 'list', id])).out).toBe('Nothing was found.\n');
    const words = ['--amount', '2400', '--currency', 'JPY', '--country', 'jp'];
    expect((await run(['prices', 'add', id, ...words])).out).toMatch(/country_code +JP\namount +2400 JPY\n/);
    const [price] = await json(['prices', 'list', id]);
    expect((await run(['prices', 'list', id])).out).toMatch(/JP +2400 JPY/);
    expect((await run(['prices', 'remove', id, price.id])).code).toBe(0);
    expect(await json(['prices', 'list', id])).toEqual([]);
  });

  it('accept all fields of the API for a price that the buyer chooses', async () => {
    const chosen = ['--pay-what-you-want', '--pricing-mode', 'by_currency'];
    const { product_id: id } = await create('Elsewhere too', '5.00', chosen);
    const add = (currency: string, words: string[]) =>
      json(['prices', 'add', id, '--amount', '6.00', '--currency', currency, ...words]);
    const limits = ['--suggested', '18.00', '--maximum', '90.00', '--minimum-net', '5.00', '--no-tax-inclusive'];
    expect(await add('USD', [...limits, '--preset', '6.00', '--preset', '18.00'])).toMatchObject({
      ...{ amount: 600, suggested_price: 1_800, maximum_price: 9_000, minimum_net: 500 },
      ...{ tax_inclusive: false, preset_amounts: [600, 1_800] },
    });
    expect(await add('GBP', ['--preset', '[]', '--tax-inclusive'])).toMatchObject({
      ...{ tax_inclusive: true, preset_amounts: [], suggested_price: null, minimum_net: null },
    });
  });
});

describe('products', () => {
  it('are created with the tax inside the price', async () => {
    const { product_id: id, price } = await create('Star Atlas', '24.00');
    expect(price).toMatchObject({ currency: 'EUR', price: 2_400, tax_inclusive: true, pay_what_you_want: false });
    const { out } = await run(['products', 'list']);
    expect(out).toMatch(new RegExp(`${id} +Star Atlas +e_book +24\\.00 EUR +false +true`));
  });

  it('are created with a price that the buyer chooses', async () => {
    const chosen = ['--pay-what-you-want', '--suggested', '15.00', '--maximum-price', '99.00'];
    const { price } = await create('Support us', '5.00', chosen);
    expect(price).toMatchObject({ price: 500, suggested_price: 1_500, maximum_price: 9_900, pay_what_you_want: true });
    const { out } = await run(['products', 'list', '--limit', '1']);
    expect(out).toMatch(/5\.00 EUR +true +true/);
  });

  it.each([
    ['24', 'EUR', '24 may be 24 cents'],
    ['24.0', 'EUR', 'a decimal is missing'],
    ['24.000', 'EUR', 'a decimal too many'],
    ['24.00', 'JPY', 'yen have no decimals'],
    ['-1.00', 'EUR', 'it is negative'],
  ])('are not created with the options %s %s: %s', async (price, currency) => {
    const words = ['products', 'create', 'X', `--price=${price}`, '--currency', currency, '--category', 'saas'];
    const { code, error } = await run(words);
    expect([code, error]).toEqual([2, expect.stringContaining(`--price.price must be an amount of ${currency}`)]);
  });
});

describe('a preview of a cart', () => {
  it('shows what a product costs in a country, with its tax', async () => {
    const { product_id: id } = await create('Atlas', '20.00');
    const preview = (country: string) =>
      run(['checkouts', 'preview', '--product-cart', `product_id=${id},quantity=1`, '--country', country]);
    const { code, out } = await preview('fr');
    expect(code).toBe(0);
    expect(out).toMatch(/total_price +20\.00 EUR/);
    expect(out).toMatch(/current_breakup.tax +1\.04 EUR/);
    expect(await preview('KP')).toMatchObject({ code: 1, error: expect.stringContaining('KP') });
  });
});

describe('payments', () => {
  it('are listed by filters, page after page up to the limit', async () => {
    const { payment, product } = await sell();
    const listed = await json(['payments', 'list', '--product', product, '--since', '1h', '--status', 'succeeded']);
    expect(listed.map((item: { payment_id: string }) => item.payment_id)).toEqual([payment]);
    expect(await json(['payments', 'list', '--product', product, '--status', 'failed'])).toEqual([]);
    expect(await json(['payments', 'list', '--limit', '1'])).toHaveLength(1);
  });

  it('are shown with their lines, net amount, tax and refunds', async () => {
    const { payment, product } = await sell();
    await run(['refund', payment, '--amount', '5.00', '--yes']);
    const { out } = await run(['payments', 'get', payment]);
    expect(out).toMatch(/\ntotal_amount +19\.99 EUR/);
    expect(out).toMatch(/\ntax +1\.31 EUR/);
    expect(out).toMatch(/\nref_\w+.* 5\.00 EUR/);
    const lines = (await run(['payments', 'list-line-items', payment])).out;
    expect(lines).toMatch(new RegExp(`Field Guide +${product} +1 +18\\.68 EUR +1\\.31 EUR +19\\.99 EUR +14\\.99 EUR`));
  });

  it('that do not exist end the command with exit code 1 and the API’s message', async () => {
    const { code, error } = await run(['payments', 'get', 'pay_000000000000000000000']);
    expect(code).toBe(1);
    expect(error).toMatch(/There is no payment[\s\S]*404 NOT_FOUND[\s\S]*What to do: Check the id[\s\S]*Request id: /);
  });
});

describe('customers', () => {
  const buyerOf = async (payment: string) => (await json(['payments', 'get', payment])).customer;

  it('are listed with e-mail address and name, and shown one by one', async () => {
    const { payment } = await sell();
    const { customer_id: id, email } = await buyerOf(payment);
    expect(await json(['customers', 'list', '--email', email])).toMatchObject([{ customer_id: id, email }]);
    expect(await json(['customers', 'list', '--name', 'nobody of that name'])).toEqual([]);
    expect((await run(['customers', 'list'])).out).toMatch(new RegExp(`${id} +${email}`));
    expect((await run(['customers', 'get', id])).out).toMatch(new RegExp(`email +${email}`));
  });

  it('are erased only after the user answers yes, not after no or without a terminal', async () => {
    const { customer_id: id } = await ask<{ customer_id: string }>('/customers', {
      email: 'erase.me@example.com',
      name: 'Erika',
    });
    expect(await run(['customers', 'erase', id], { confirms: false })).toMatchObject({ code: 1 });
    expect(await run(['customers', 'erase', id, '--json'], { confirms: true })).toMatchObject({ code: 2 });
    expect((await json(['customers', 'get', id])).erasure).toBeNull();
    const { code, out } = await run(['customers', 'erase', id], { confirms: true });
    expect([code, out]).toEqual([0, expect.stringContaining('erasure.status')]);
    expect((await json(['customers', 'get', id])).erasure).toMatchObject({ status: expect.stringMatching(/^eras/) });
  });

  it('are not erased with a key that has only the right to write', async () => {
    const { payment } = await sell();
    const { customer_id: id } = await buyerOf(payment);
    const key = await addKey({ access: 'write' });
    const { code } = await run(['customers', 'erase', id, '--yes'], { environment: { ...environment, key } });
    expect(code).toBe(3);
  });
});

describe('the refund command', () => {
  it('says in major units what can be refunded when the typed amount is too high', async () => {
    const { payment } = await sell();
    const { code, error } = await run(['refund', payment, '--amount', '25.00', '--yes']);
    expect([code, error]).toEqual([1, expect.stringContaining('At most 19.99 EUR of this payment can be refunded.')]);
    const terms = ['--currency', 'EUR', '--price', '99999999.00', '--tax-category', 'e_book'];
    expect((await run(['products', 'create', 'Dear', ...terms])).error).toContain(
      'between 0.00 EUR and 21474836.47 EUR',
    );
  });

  const refundsOf = async (payment: string) => (await json(['payments', 'get', payment])).refunds;

  it('shows the amount and its tax first, and refunds it after the user answers yes', async () => {
    const { payment } = await sell();
    const { code, out } = await run(['refund', payment, '--amount', '5.00'], { confirms: true });
    // 131 × 500 / 1999 = 32.8
    expect(out).toMatch(/Field Guide +4\.67 EUR +0\.33 EUR +5\.00 EUR\n/);
    expect(out).toContain('Refundable now 19.99 EUR, afterwards 14.99 EUR.');
    expect(out).toMatch(/ref_\w+ succeeded: 5\.00 EUR, with 0\.33 EUR of tax\./);
    expect(code).toBe(0);
  });

  it('refunds nothing after the answer no, without a terminal, and with --preview', async () => {
    const { payment } = await sell();
    expect(await run(['refund', payment], { confirms: false })).toMatchObject({ code: 1 });
    const unanswered = await run(['refund', payment]);
    expect([unanswered.code, unanswered.error]).toEqual([2, expect.stringContaining('Add --yes')]);
    expect(await run(['refund', payment, '--json'], { confirms: true })).toMatchObject({ code: 2 });
    const preview = await json(['refund', payment, '--preview']);
    expect(preview).toMatchObject({ gross: 1_999, net: 1_868, tax: 131 });
    expect(await refundsOf(payment)).toEqual([]);
  });

  it('can refund a line, a net amount, or only the tax', async () => {
    const { payment, product } = await sell();
    const item = await json(['refund', payment, '--item', `${product}=1.00`, '--yes']);
    expect(item).toMatchObject({ amount: 100 });
    const net = await json(['refund', payment, '--amount', '1.00', '--net', '--yes']);
    expect(net).toMatchObject({ amount: 106, tax: 6 }); // 131 × 206 / 1999 = 13.5, of which 7 are returned
    // 131 − 7 − 6: what is left of the tax
    expect(await json(['refund', payment, '--tax', 'exempt', '--yes'])).toMatchObject({ amount: 118, tax: 118 });
    expect(await run(['refund', payment, '--tax', 'exempt', '--amount', '1.00'])).toMatchObject({ code: 2 });
  });

  it('refunds nothing if another refund was made while the user read the preview', async () => {
    const { payment } = await sell();
    const meanwhile = async () => {
      await json(['refund', payment, '--amount', '1.00', '--yes']);
      return true;
    };
    const { code, error } = await run(['refund', payment, '--amount', '5.00'], { confirms: meanwhile });
    expect([code, error]).toEqual([1, expect.stringContaining('409 CONFLICT')]);
    expect(await refundsOf(payment)).toHaveLength(1);
  });

  it('ends with exit code 1 and a message when nothing is left to refund', async () => {
    const { payment } = await sell();
    await json(['refund', payment, '--yes']);
    const { code, error } = await run(['refund', payment, '--yes']);
    expect([code, error]).toEqual([1, expect.stringContaining('422 PAYMENT_ALREADY_REFUNDED')]);
  });

  it('refunds only once when its answer is lost, and --continue shows the result', async () => {
    const { payment } = await sell();
    const proxy = await losingProxy(({ method, url }) => method === 'POST' && url === '/refunds');
    const takeRealTime = shortenPauses(20); // between its tries
    const lost = await run(['refund', payment, '--amount', '5.00', '--yes'], {
      environment: { ...environment, url: proxy.url },
    }).finally(takeRealTime);
    expect(lost.code).toBe(4);
    const [, token = ''] = /--continue (\S+):/.exec(lost.error) ?? [];
    expect(await refundsOf(payment)).toHaveLength(1);
    const found = await run(['refund', payment, '--amount', '5.00', '--continue', token]);
    expect([found.code, found.out]).toEqual([0, expect.stringContaining('succeeded: 5.00 EUR')]);
    expect(await refundsOf(payment)).toHaveLength(1);
    await proxy.stop();
  });
});

/** Passes requests to the sandbox, and loses some of the answers. */
async function losingProxy(isLost: (request: { method: string; url: string }) => boolean) {
  const server: Server = createServer((message, response) => {
    const { method = '', url = '', headers } = message;
    const chunks: Buffer[] = [];
    message.on('data', (chunk) => chunks.push(chunk));
    message.on('end', async () => {
      const { host: _, connection: __, ...others } = headers;
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      const answer = await fetch(sandbox.url + url, { method, headers: others as Record<string, string>, ...body });
      const text = await answer.text();
      if (isLost({ method, url })) return message.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stop: async () => void (await once(server.close(), 'close')) };
}

describe('events', () => {
  it('can be listed, shown with their body, and sent again', async () => {
    const receiver = await startReceiver();
    const { id } = await ask<{ id: string }>('/webhooks', { url: receiver.url });
    receiver.setSecret((await ask<{ secret: string }>(`/webhooks/${id}/secret`)).secret);
    const { payment } = await sell();
    const [event] = await json(['events', 'list', '--payment', payment]);
    const whole = await json(['events', 'get', event.event_id]);
    expect(whole.body).toMatchObject({ type: 'payment.succeeded', data: { payment_id: payment, total_amount: 1_999 } });
    const arrivals = () => receiver.deliveries.filter((delivery) => delivery.id === event.event_id);
    const shown = async () => (await json(['events', 'get', event.event_id])).deliveries;
    const delivered = expect.objectContaining({ webhook_id: id, status: 'delivered' });
    await vi.waitFor(async () => expect(await shown()).toContainEqual(delivered), 10_000);
    expect(arrivals()).toHaveLength(1);
    const { code, out } = await run(['events', 'resend', event.event_id, '--webhook-id', id]);
    expect([code, out]).toEqual([0, expect.stringContaining(id)]);
    await vi.waitFor(() => expect(arrivals()).toHaveLength(2), 10_000);
    await receiver.stop();
  });
});

describe('the trigger command', () => {
  it.each(triggerableTypes.filter((type) => !decidedLater.includes(type)))(
    'causes the event %s for a real payment',
    async (type) => {
      const event = await json(['trigger', type]);
      expect(event).toMatchObject({ type, payment_id: expect.stringMatching(/^pay_/) });
      const { body } = await json(['events', 'get', event.event_id]);
      expect(body.data.payment_id).toBe(event.payment_id);
      expect(await json(['payments', 'get', event.payment_id])).toMatchObject({ payment_id: event.payment_id });
    },
  );

  it('uses the same product for all its purchases', async () => {
    await json(['trigger', 'payment.succeeded']);
    const products: { metadata: { created_by?: string } }[] = await json(['products', 'list', '--limit', '100']);
    expect(products.filter(({ metadata }) => metadata.created_by === 'tillstack trigger')).toHaveLength(1);
  });

  it.each(eventTypes.filter((type) => !triggerableTypes.includes(type)))(
    'sends the event %s, which no purchase makes happen, as a test to every enabled endpoint that names it',
    async (type) => {
      const create = ['webhooks', 'create', '--url', 'https://example.com/tested'];
      const { id } = await json([...create, '--filter-types', type]);
      const { id: other } = await json([...create, '--filter-types', 'payment.processing']);
      const { tests } = await json(['trigger', type]);
      expect(tests).not.toContainEqual(expect.objectContaining({ webhook_id: other }));
      const own = tests.find(({ webhook_id }: { webhook_id: string }) => webhook_id === id);
      expect(own.event_id).toMatch(/^evt_/);
      expect((await run(['trigger', type])).out).toContain('test to https://example.com/tested');
      for (const one of [id, other]) await run(['webhooks', 'delete', one, '--yes']);
    },
  );

  it('sends no type that only this service has to an endpoint without a filter, and says how it gets it', async () => {
    const { id } = await json(['webhooks', 'create', '--url', 'https://example.com/all']);
    const { code, error } = await run(['trigger', 'invoice.corrected']);
    expect([code, error]).toEqual([1, expect.stringContaining('--filter-types invoice.corrected')]);
    expect((await json(['trigger', 'license_key.created'])).tests).toHaveLength(1);
    await run(['webhooks', 'delete', id, '--yes']);
  });

  it('refuses an unknown event and lists the known ones', async () => {
    const { code, error } = await run(['trigger', 'payment.exploded']);
    expect([code, error]).toEqual([2, expect.stringContaining('payment.succeeded')]);
  });

  it('does nothing with a key of a live stack', async () => {
    const key = `sk_live_${'x'.repeat(32)}`;
    const { code, error } = await run(['trigger', 'payment.succeeded'], { environment: { ...environment, key } });
    expect([code, error]).toEqual([2, expect.stringContaining('sandbox only')]);
  });
});

describe('keys', () => {
  it('are created, listed and revoked', async () => {
    const words = ['--access', 'write', '--daily-refund-limit.amount', '500.00', '--currency', 'EUR'];
    const { id, key, daily_refund_limit: limit } = await json(['keys', 'create', 'Web shop', ...words]);
    expect([key, limit]).toEqual([expect.stringMatching(/^sk_test_/), { amount: 50_000, currency: 'EUR' }]);
    expect((await run(['keys', 'list'])).out).toMatch(new RegExp(`${id} +write +true +${key.slice(-4)}`));
    expect(await run(['keys', 'revoke', id], { confirms: true })).toMatchObject({ code: 0 });
    const refused = await run(['payments', 'list'], { environment: { ...environment, key } });
    expect([refused.code, refused.error]).toEqual([3, expect.stringContaining('What to do: Check the key')]);
  });

  it('of a profile are used by the profile’s name, and never printed', async () => {
    const { key } = await json(['keys', 'create', 'Reports']);
    const saved = await run(['profile', 'set', 'reports', '--url', sandbox.url], { secret: key });
    expect(saved.out + saved.error).not.toContain('sk_test_');
    const asReports = { environment: { ...environment, url: undefined, key: undefined } as never };
    expect(await run(['payments', 'list', '--profile', 'reports'], asReports)).toMatchObject({ code: 0 });
    expect(await run(['keys', 'create', 'X', '--profile', 'reports'], asReports)).toMatchObject({ code: 3 });
  });
});

describe('the clock command', () => {
  it('shows the time of the sandbox, and moves it forward by a span or to a time', async () => {
    const before = await json(['clock']);
    const { now, ahead_seconds: ahead } = await json(['clock', '2s']);
    expect(ahead - before.ahead_seconds).toBe(2);
    const to = new Date(Date.parse(now) + 5_000).toISOString();
    expect((await json(['clock', to])).now >= to).toBe(true);
    expect((await run(['clock'])).out).toContain('seconds ahead');
  });

  it('refuses to go back, and what is no span and no time', async () => {
    for (const step of ['2020-01-01', 'soon']) expect([step, (await run(['clock', step])).code]).toEqual([step, 2]);
  });

  it('says that only a sandbox on this machine has a clock that moves', async () => {
    const stack = await listenOnLoopback((_, response) => response.writeHead(404).end('{}'));
    const elsewhere = { environment: { ...environment, url: `http://127.0.0.1:${stack.port}` } };
    const { code, error } = await run(['clock', '25h'], elsewhere);
    expect([code, error]).toEqual([1, expect.stringContaining('npm start')]);
    await stack.close();
  });
});

describe('the check of a stack that was deployed', () => {
  type ListedKey = { name: string; revoked_at: string | null };
  const sent: string[] = [];
  /** The clients of the operator, at this sandbox. */
  const clients = () => {
    const place = { region: localAws.region, endpoint: sandbox.endpoints.table };
    const table = new DynamoDBClient({ ...place, credentials: { ...localAws } });
    table.middlewareStack.add(
      (next, context) => (args) => next(args).finally(() => sent.push(context.commandName ?? '')),
      {
        step: 'initialize',
      },
    );
    const Outputs = [
      { OutputKey: 'PublicUrl', OutputValue: sandbox.url },
      { OutputKey: 'TableName', OutputValue: sandbox.tableName },
    ];
    const played = playedClients({ DescribeStacks: () => ({ Stacks: [{ Outputs }] }) });
    return { ...played.clients, table };
  };
  const stack = (stage: 'sandbox' | 'live', live = true) => {
    const config = MerchantConfig.parse({ merchant: { ...merchantOfTest, live } });
    const place = { ring: 'canary' as const, folder: '', fileHash: '', name: `tillstack-shop-${stage}` };
    return { ...place, config, stage, settings: config.stages[stage] };
  };

  it('buys in a sandbox with a key that it revokes, and needs no right but to read and write rows', async () => {
    sent.length = 0;
    expect(await checkSales(stack('sandbox'), clients())).toBe('a purchase of 1000 EUR in minor units succeeded');
    const { items } = await ask<{ items: ListedKey[] }>('/api-keys');
    const [key] = items.filter(({ name }) => name === 'npm run fleet');
    expect(key).toMatchObject({ access: 'write', may_refund: false, revoked_at: expect.any(String) });
    expect([...new Set(sent)].sort()).toEqual(['BatchGetItemCommand', 'TransactWriteItemsCommand']);
  });

  it('revokes its key also where the stack does not sell', async () => {
    const unreachable = clients();
    const Outputs = [
      { OutputKey: 'PublicUrl', OutputValue: `${sandbox.url}/nowhere` },
      { OutputKey: 'TableName', OutputValue: sandbox.tableName },
    ];
    const played = playedClients({ DescribeStacks: () => ({ Stacks: [{ Outputs }] }) });
    await expect(
      checkSales(stack('sandbox'), { ...unreachable, cloudFormation: played.clients.cloudFormation }),
    ).rejects.toThrow();
    const { items } = await ask<{ items: ListedKey[] }>('/api-keys');
    const own = items.filter(({ name }) => name === 'npm run fleet');
    expect(own.filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
  });

  it('opens a session where real money is taken, asks for its total and ends it', async () => {
    await create('Field Guide', '19.99');
    const api = apiCaller({ url: sandbox.url, key: localKey }, { signal: new AbortController().signal });
    const post = vi.spyOn(api, 'post');
    expect(await tryCheckout(api, 'DE')).toMatch(
      /^a session was opened, quoted with \d+ EUR in minor units, and expired$/,
    );
    const [, [expiring = ''] = []] = post.mock.calls;
    expect(await ask(expiring.replace(/\/expire$/, ''))).toMatchObject({ status: 'expired' });
  });

  it('asks nothing of a live stack that answers no call', async () => {
    expect(await checkSales(stack('live', false), clients())).toContain('"live" is false');
  });
});
