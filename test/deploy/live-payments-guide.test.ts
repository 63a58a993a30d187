import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runProcessor } from '../../infra/commands/processor.ts';
import { type ApiClient, apiClient } from '../../infra/local/demo/api-client.ts';
import { buy } from '../../infra/local/demo/browser.ts';
import { openDemoCheckouts } from '../../infra/local/demo/seed.ts';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';
import { type FakeStripe, startFakeStripe } from '../../infra/local/stripe/fake-stripe.ts';
import { topUp } from '../../infra/local/stripe/refunds.ts';
import { type LocalParameters, startParameters } from '../../infra/local-aws/parameters.ts';
import { secretNames, secretsFolder } from '../../shared/domain/processor.ts';
import { endpointRight, neededRights } from '../../shared/outside/processor/stripe/account/rights.ts';
import { throttles } from '../../shared/wiring/runtime.ts';

const guide = readFileSync('docs/live-payments.md', 'utf8');
const key = 'rk_test_ofthereader';
const folder = secretsFolder('demo', 'sandbox', 'stripe');
const names = secretNames(folder);

let parameters: LocalParameters;
let fake: FakeStripe;
let sandbox: Sandbox;
let api: ApiClient;

/** What step 2 deploys, before there is a key. */
beforeAll(async () => {
  parameters = await startParameters();
  fake = await startFakeStripe({ key, seed: 'a guide' });
  Object.assign(fake.account.profile, { chargesEnabled: false, businessName: null });
  sandbox = await startSandbox({
    port: 0,
    quiet: true,
    environment: {
      PROCESSOR: 'stripe',
      PROCESSOR_SECRETS: folder,
      PROCESSOR_URL: fake.url,
      AWS_ENDPOINT_URL_SSM: parameters.url,
    },
  });
  await seedLocalKey(sandbox.table);
  api = apiClient(sandbox.url, localKey);
});
afterAll(async () => {
  await sandbox.stop();
  await fake.stop();
  await parameters.stop();
});

/** The command lines of the guide, in their order. */
const lines = [...guide.matchAll(/^npm run processor -- (.+)$/gm)].map(([, line = '']) => line);

/** Runs the only line that begins with these words, word for word. */
async function follow(words: string, isWanted: (line: string) => boolean = () => true) {
  const [line = '', ...others] = lines.filter((one) => one.startsWith(words) && isWanted(one));
  expect([line === '', others]).toEqual([false, []]);
  const args = line.replaceAll('$STAGE', 'sandbox').replaceAll('<PublicUrl>', sandbox.url).split(' ');
  let said = '';
  const note = (text: string) => {
    said += text;
  };
  const terminal = { out: note, error: note, secret: async () => key };
  const arrivals = { counters: async () => throttles(), patienceMs: 20_000 };
  const code = await runProcessor([...args, '--processor-url', fake.url], terminal, arrivals);
  return { code, said };
}

const statusOf = async (): Promise<string> => {
  const { items } = (await api.get('/payments')) as { items: { status: string }[] };
  return items[0]?.status ?? 'none';
};

/** Buys on the page, pays on Stripe's, and waits for the notification. */
async function sell(): Promise<void> {
  const [checkout] = await openDemoCheckouts(api);
  await buy(checkout?.url ?? '', { country: 'DE', card: '' });
  const page = [...fake.account.sessions.values()].at(-1)?.url ?? '';
  await fetch(page, { method: 'POST', body: new URLSearchParams({ means: '4242424242424242' }), redirect: 'manual' });
  await vi.waitFor(async () => expect(await statusOf()).toBe('succeeded'), { timeout: 20_000, interval: 100 });
}

describe('the guide to live payments, followed step by step,', () => {
  it('names exactly the rights that the key needs (step 3)', () => {
    const rows = [...guide.matchAll(/^\| (.+?) \| (read|write) \| /gm)].map(([, resource, access]) => ({
      resource,
      access,
    }));
    expect(rows).toEqual([...neededRights, endpointRight].map(({ resource, access }) => ({ resource, access })));
    for (const { why } of neededRights) expect(guide).toContain(`| ${why} |`);
  });

  it('stores the key (step 4)', async () => {
    expect(await follow('set')).toMatchObject({ code: 0, said: expect.stringContaining('The key is stored.') });
    expect(parameters.values.get(names.key)).toBe(key);
  });

  it('names each setting that a new account lacks, and the check command reports them in order (step 1)', async () => {
    const rows = [...guide.matchAll(/^\| \*(.+?)\* \| (.+) \|$/gm)].map(([, setting]) => setting);
    const headings = [
      'Business details',
      'Account status',
      'Bank accounts and scheduling',
      'Branding',
      'Public details',
    ];
    expect(rows).toEqual([
      ...headings.map((heading) => `Business → ${heading}`),
      'Payments → Payment methods',
      'Business → Customer emails',
      'Radar',
    ]);
    const { code, said } = await follow('check', (line) => !line.endsWith('--create-endpoint'));
    const missing = said.match(/^\[ \].*$/gm)?.map((line) => line.replace('acct_test_fake ', '').slice(4, 24));
    expect([code, missing]).toEqual([
      1,
      [
        'infra/merchants/demo.',
        'cannot charge yet: c',
        'the account has no b',
        'is not paid out yet:',
        `no endpoint at ${sandbox.url}`,
        'whether a notificati',
      ].map((text) => text.slice(0, 20)),
    ]);
    Object.assign(fake.account.profile, { chargesEnabled: true, businessName: 'Field Guides' });
  });

  it('creates the endpoint, and then reports only what the merchant’s file lacks (step 5)', async () => {
    await follow('check', (line) => line.endsWith('--create-endpoint'));
    const { said } = await follow('check', (line) => !line.endsWith('--create-endpoint'));
    expect(said).toContain('[x] a notification has arrived, and its signature is verified');
    expect(said.match(/^\[ \].*$/gm)).toEqual([
      '[ ] infra/merchants/demo.json names no processor for sandbox: add "processor": {"name": "stripe"}, and deploy',
    ]);
    expect([...fake.account.endpoints.values()].map(({ url }) => url)).toEqual([`${sandbox.url}/processor/stripe`]);
  });

  it('takes the first payment (step 6)', sell);

  it('pays the first refund once the balance is available (step 7)', async () => {
    fake.account.available = new Map([['eur', 0]]);
    fake.account.shortage = 'pending';
    const { items } = (await api.get('/payments')) as { items: { payment_id: string }[] };
    const [, path = '', body = ''] = /^curl -X POST <PublicUrl>(\S+) .* -d '(.+)'$/m.exec(guide) ?? [];
    const asked = JSON.parse(body.replace('<payment>', items[0]?.payment_id ?? ''));
    const { refund_id: id } = (await api.post(path, asked)) as { refund_id: string };
    expect(await api.get(`/refunds/${id}`)).toMatchObject({ status: 'pending', amount: 1_999 });
    topUp(fake.account, 'eur', 1_999);
    await fake.deliver();
    expect(await api.get(`/refunds/${id}`)).toMatchObject({ status: 'succeeded', amount: 1_999 });
    fake.account.available = undefined;
    expect(fake.ledger()).toMatchObject([{ paid: 1_999, refunded: 1_999, charges: 1 }]);
  });

  it('replaces the signing secret while sales continue', async () => {
    expect((await follow('rotate', (line) => !line.endsWith('--finish'))).code).toBe(0);
    await sell();
    expect((await follow('rotate', (line) => line.endsWith('--finish'))).code).toBe(0);
    expect([...fake.account.endpoints.values()].map(({ status }) => status)).toEqual(['disabled', 'enabled']);
  });

  it('removes the stored keys, so the shop takes no more payments', async () => {
    expect((await follow('remove')).code).toBe(0);
    expect([...parameters.values.keys()]).toEqual([]);
  });

  it('contains only commands that this test runs', () => {
    expect(lines).toHaveLength(6);
  });
});
