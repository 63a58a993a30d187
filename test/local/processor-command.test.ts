import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runProcessor } from '../../infra/commands/processor.ts';
import { type FakeStripe, startFakeStripe } from '../../infra/local/stripe/fake-stripe.ts';
import { type LocalParameters, startParameters } from '../../infra/local-aws/parameters.ts';
import { notificationTypes } from '../../shared/outside/processor/stripe/account/notification-types.ts';
import { neededRights } from '../../shared/outside/processor/stripe/account/rights.ts';
import { schemaFaults } from '../support/stripe-schema/check-exchange.ts';

const directory = mkdtempSync(join(tmpdir(), 'merchants-'));
const folder = '/tillstack/shop/sandbox/stripe';
const key = 'rk_test_of_an_operator';
const url = 'https://pay.shop.example';

let parameters: LocalParameters;
let fake: FakeStripe;
beforeAll(async () => {
  parameters = await startParameters();
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDOFATEST');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of a test');
  vi.stubEnv('AWS_ENDPOINT_URL_SSM', parameters.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await parameters.stop();
  rmSync(directory, { recursive: true });
});
const faults = new Set<string>();

beforeEach(async () => {
  parameters.values.clear();
  fake = await startFakeStripe({ key });
  fake.notifies = 'by-hand';
  faults.clear();
  fake.answered = (exchange) => {
    for (const fault of schemaFaults(exchange)) faults.add(fault);
  };
  writeMerchant({ sandbox: { processor: { name: 'stripe' } } });
});
afterEach(async () => {
  await fake.stop();
  expect([...faults], 'what Stripe’s published schema says against requests and answers').toEqual([]);
});

function writeMerchant(stages: object): void {
  const merchant = { id: 'shop', name: 'Shop', country: 'DE' };
  writeFileSync(join(directory, 'shop.json'), JSON.stringify({ merchant, stages }));
}

const shop = ['--merchant', 'shop', '--stage', 'sandbox', '--merchants', directory];

/** Whether the fake has sent the notification of a probe to an endpoint whose secret is stored. */
const isSent = (name: string): boolean => {
  const probeId = name.replace('PROBE-', '');
  const isKnown = [...fake.account.endpoints.values()].some(
    ({ status, secret }) => status === 'enabled' && signingSecrets()?.includes(secret),
  );
  return isKnown && fake.notifications.events.some((event) => JSON.stringify(event).includes(probeId));
};

/** Runs the command as an operator would, who types `secret` where one is asked for. */
async function run(command: string, { secret = key, stage = 'sandbox', arrives = true } = {}) {
  const lines: string[] = [];
  const note = (text: string) => void lines.push(text);
  const args = [
    ...command.split(' '),
    ...shop.map((word) => (word === 'sandbox' ? stage : word)),
    '--processor-url',
    fake.url,
  ];
  const counters = async () => ({ seen: async (name: string) => (arrives && isSent(name) ? 1 : 0) });
  const terminal = { out: note, error: note, secret: async () => secret };
  const code = await runProcessor(args, terminal, { counters, patienceMs: 50 });
  const said = lines.join('');
  const values = [secret, ...parameters.values.values()].flatMap((text) => text.split('\n'));
  for (const value of values.filter((text) => text !== '')) expect(said).not.toContain(value);
  return { code, said };
}

/** A second endpoint at the same address, as one that somebody has created by hand. */
function copyEndpoint(): void {
  const [first] = [...fake.account.endpoints.values()];
  if (first) fake.account.endpoints.set('we_by_hand', { ...first, id: 'we_by_hand', secret: 'whsec_unknown' });
}

/** Every call of the command. */
const calls = [
  'POST checkout/sessions',
  'GET checkout/sessions',
  'POST refunds',
  'GET payment_intents',
  'GET disputes',
  'GET balance_transactions',
  'GET balance',
  'GET payouts',
  'GET radar/early_fraud_warnings',
  'GET account',
  'GET country_specs/{id}',
  'POST checkout/sessions/{id}/expire',
  'GET webhook_endpoints',
];

function forgetEvent(type: string): void {
  for (const endpoint of fake.account.endpoints.values())
    endpoint.enabled_events = endpoint.enabled_events.filter((one) => one !== type);
}

const stored = () => Object.fromEntries(parameters.values);
const signingSecrets = () => parameters.values.get(`${folder}/signing-secrets`)?.split('\n');

describe('processor set', () => {
  it('stores a key that Stripe accepts, under the path of the merchant and the stage', async () => {
    expect(await run('set')).toMatchObject({ code: 0, said: expect.stringContaining('The key is stored.') });
    expect(stored()).toEqual({ [`${folder}/key`]: key });
  });

  it.each([
    { fault: 'Stripe does not know', secret: 'rk_test_unknown', says: 'Stripe does not accept this key' },
    {
      fault: 'is of the other mode',
      secret: 'sk_live_unknown',
      says: 'is a live key (sk_live_…), but the sandbox stage needs a test key',
    },
    { fault: 'is public', secret: 'pk_test_unknown', says: 'is not a secret key' },
    { fault: 'is empty', secret: '', says: 'is not a secret key' },
  ])('stores no key that $fault', async ({ secret, says }) => {
    const { code, said } = await run('set', { secret });
    expect([code, said]).toEqual([1, expect.stringContaining(says)]);
    expect(stored()).toEqual({});
  });

  it('stores the signing secret of an endpoint that was created by hand', async () => {
    expect((await run('set --signing-secret', { secret: 'whsec_by_hand' })).code).toBe(0);
    expect(signingSecrets()).toEqual(['whsec_by_hand']);
    expect((await run('set --signing-secret', { secret: 'no_signing_secret' })).code).toBe(1);
  });
});

describe('processor check', () => {
  it('reports that the key is not set', async () => {
    expect(await run(`check --url ${url}`)).toEqual({
      code: 1,
      said: expect.stringContaining('[ ] the key is not set: use "set"'),
    });
  });

  it('reports everything that is missing, creates the endpoint on request, and then reports nothing', async () => {
    await run('set');
    const before = await run(`check --url ${url}`);
    expect([before.code, before.said]).toEqual([
      1,
      expect.stringContaining(`[ ] no endpoint at ${url}/processor/stripe: add --create-endpoint`),
    ]);
    const { code, said } = await run(`check --create-endpoint --url ${url}/`);
    expect([code, said]).toEqual([0, expect.stringContaining('Nothing is missing.')]);
    expect(said).toContain('it charges 12 of ');
    const [endpoint] = [...fake.account.endpoints.values()];
    expect(endpoint).toMatchObject({
      url: `${url}/processor/stripe`,
      enabled_events: [...notificationTypes],
      api_version: '2026-10-28.endive',
    });
    expect(signingSecrets()).toEqual([endpoint?.secret]);
    await run(`check --create-endpoint --url ${url}`);
    expect(fake.account.endpoints.size).toBe(1);
  });

  it('adds the missing events to an endpoint', async () => {
    await run('set');
    await run(`check --create-endpoint --url ${url}`);
    const [endpoint] = [...fake.account.endpoints.values()];
    endpoint!.enabled_events = ['refund.created'];
    expect((await run(`check --url ${url}`)).said).toContain('[ ] it does not hear checkout.session.completed, ');
    expect((await run(`check --create-endpoint --url ${url}`)).code).toBe(0);
    expect(endpoint!.enabled_events).toEqual([...notificationTypes]);
  });

  it.each(neededRights)('reports the right that the key lacks: $resource', async ({ resource, access, probe }) => {
    const asked: string[] = [];
    const note = (method: string) => async (path: string) => void asked.push(`${method} ${path}`);
    await probe({ get: note('GET'), post: note('POST') });
    await run('set');
    fake.account.rights = new Set(calls.filter((call) => !asked.includes(call)));
    const { code, said } = await run(`check --url ${url}`);
    expect([code, said]).toEqual([1, expect.stringContaining(`[ ] the key lacks the right ${resource}: ${access}, `)]);
    expect(said.match(/lacks the right/g)).toHaveLength(1);
  });

  it('moves no money, even with a key that has all rights, and leaves no page that could be paid', async () => {
    await run('set');
    await run(`check --create-endpoint --url ${url}`);
    expect([fake.account.refunds.size, fake.ledger()]).toEqual([0, []]);
    expect([...fake.account.sessions.values()].map(({ status }) => status)).toEqual(['expired']);
  });

  it.each([
    {
      forgotten: 'the key',
      says: 'the key is not set: use "set"',
      forget: () => parameters.values.delete(`${folder}/key`),
    },
    {
      forgotten: 'a permission',
      says: 'the key lacks the right Charges and Refunds: write, to pay back (Stripe calls it rak_charge_write)',
      forget: () => Object.assign(fake.account, { rights: new Set(calls.filter((call) => call !== 'POST refunds')) }),
    },
    {
      forgotten: 'the endpoint',
      says: `no endpoint at ${url}/processor/stripe: add --create-endpoint`,
      forget: () => fake.account.endpoints.clear(),
    },
    {
      forgotten: 'an event',
      says: 'it does not hear refund.failed: add --create-endpoint',
      forget: () => forgetEvent('refund.failed'),
    },
    {
      forgotten: 'the currency',
      says: 'a first sale in EUR is refused',
      forget: () => Object.assign(fake.account.profile, { currencies: new Set(['usd']) }),
    },
    {
      forgotten: 'the account’s profile',
      says: 'cannot charge yet',
      forget: () => Object.assign(fake.account.profile, { chargesEnabled: false }),
    },
    {
      forgotten: 'the business name',
      says: 'has no business name',
      forget: () => Object.assign(fake.account.profile, { businessName: null }),
    },
    {
      forgotten: 'the payment methods',
      says: 'a first sale in EUR is refused',
      forget: () => Object.assign(fake.account.profile, { methods: [] }),
    },
    {
      forgotten: 'the signing secret',
      says: 'its signing secret is not stored',
      forget: () => parameters.values.delete(`${folder}/signing-secrets`),
    },
    {
      forgotten: 'that another endpoint has this secret',
      says: 'no verified notification has arrived within',
      forget: () => parameters.values.set(`${folder}/signing-secrets`, 'whsec_of_another'),
    },
    {
      forgotten: 'an endpoint at the same address',
      says: 'is at the same address, so notifications come twice',
      forget: () => copyEndpoint(),
    },
  ])(
    'fails on a first day on which one thing was forgotten, and says what to do: $forgotten',
    async ({ says, forget }) => {
      await run('set');
      expect((await run(`check --create-endpoint --url ${url}`)).code).toBe(0);
      forget();
      const { code, said } = await run(`check --url ${url}`);
      expect([code, said]).toEqual([1, expect.stringContaining(says)]);
    },
  );

  it('proves that a notification arrives, and otherwise says where to look', async () => {
    await run('set');
    const fine = await run(`check --create-endpoint --url ${url}`);
    expect(fine.said).toContain('[x] a sale in EUR can begin, and offers card, sepa_debit, customer_balance');
    expect(fine.said).toContain('[x] a notification has arrived, and its signature is verified');
    const { code, said } = await run(`check --url ${url}`, { arrives: false });
    expect([code, said]).toEqual([1, expect.stringContaining('Developers → Webhooks, shows what the stack answered')]);
  });

  it('says how much money refunds can take on a first day, and that they wait for more', async () => {
    await run('set');
    fake.account.available = new Map([['eur', 0]]);
    const { code, said } = await run(`check --create-endpoint --url ${url}`);
    expect([code, said]).toEqual([
      0,
      expect.stringContaining('available for refunds: 0.00 EUR; a larger refund waits'),
    ]);
  });

  it('names the events to choose if no endpoint exists yet', async () => {
    await run('set');
    const { said } = await run(`check --url ${url}`);
    expect(said).toContain(`choose these events: ${notificationTypes.join(', ')}`);
  });

  it('names the rights and events that a key and an endpoint of 0.2.0 lack', async () => {
    await run('set');
    await run(`check --create-endpoint --url ${url}`);
    const [endpoint] = [...fake.account.endpoints.values()];
    endpoint!.enabled_events = notificationTypes.filter((type) => !/^(radar|payout)/.test(type));
    const asked = [
      'POST checkout/sessions',
      'GET checkout/sessions',
      'POST checkout/sessions/{id}/expire',
      'POST refunds',
    ];
    const read = ['GET payment_intents', 'GET disputes', 'GET balance_transactions', 'GET webhook_endpoints'];
    fake.account.rights = new Set([...asked, ...read]);
    const { code, said } = await run(`check --url ${url}`);
    expect([code, said.match(/^\[ \].*$/gm)?.map((line) => line.slice(0, 60))]).toEqual([
      1,
      [
        '[ ] the key lacks the right Balance: read, to warn before a refund for whi'.slice(0, 60),
        '[ ] the key lacks the right Payouts: read, to say which payout a sale'.slice(0, 60),
        '[ ] the key lacks the right Early Fraud Warnings: read, to warn before a f'.slice(0, 60),
        '[ ] the key lacks the right Accounts: read, for `check` only, to see'.slice(0, 60),
        '[ ] it does not hear radar.early_fraud_warning.created, radar.early_fraud'.slice(0, 60),
      ],
    ]);
  });

  it('reports a stage without a processor, and a key that is not restricted', async () => {
    writeMerchant({});
    fake.key = 'sk_test_of_an_operator';
    await run('set', { secret: fake.key });
    const { code, said } = await run(`check --create-endpoint --url ${url}`);
    expect(code).toBe(1);
    expect(said).toContain(
      `[ ] ${directory}/shop.json names no processor for sandbox: add "processor": {"name": "stripe"}`,
    );
    expect(said).toContain(' -  the key is not restricted');
  });

  it('knows the address of a stage with a custom domain, and otherwise requires the address as an argument', async () => {
    await run('set');
    expect((await run('check')).said).toContain('--url is required');
    const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/1-2';
    const customDomain = { domainName: 'pay.shop.example', certificateArn };
    writeMerchant({ sandbox: { processor: { name: 'stripe' }, customDomain } });
    expect((await run('check')).said).toContain('no endpoint at https://pay.shop.example/processor/stripe');
  });
});

describe('processor rotate', () => {
  it('accepts both secrets until the rotation is finished, and then disables the old endpoint', async () => {
    await run('set');
    await run(`check --create-endpoint --url ${url}`);
    const [first] = [...fake.account.endpoints.values()];
    expect((await run(`rotate --url ${url}`)).code).toBe(0);
    const [, second] = [...fake.account.endpoints.values()];
    expect(signingSecrets()).toEqual([second?.secret, first?.secret]);
    expect([first?.status, second?.status]).toEqual(['enabled', 'enabled']);
    expect((await run(`rotate --finish --url ${url}`)).code).toBe(0);
    expect(signingSecrets()).toEqual([second?.secret]);
    expect([first?.status, second?.status]).toEqual(['disabled', 'enabled']);
    expect((await run(`check --url ${url}`)).code).toBe(0);
  });
});

describe('processor remove', () => {
  it('removes everything, but only after a confirmation', async () => {
    await run('set');
    await run(`check --create-endpoint --url ${url}`);
    expect((await run('remove')).code).toBe(2);
    expect(Object.keys(stored())).toHaveLength(2);
    expect((await run('remove --yes')).code).toBe(0);
    expect(stored()).toEqual({});
  });
});

it('the command sends a key only to Stripe and to this machine', async () => {
  const said: string[] = [];
  const note = (text: string) => void said.push(text);
  const args = ['set', ...shop, '--processor-url', 'https://stripe.example'];
  expect(await runProcessor(args, { out: note, error: note, secret: async () => key })).toBe(2);
  expect(said.join('')).toContain('--processor-url must be an address on this machine');
});
