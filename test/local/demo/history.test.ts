import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { prepareShop } from '../../../infra/local/demo/history/prepare-shop.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../../infra/local/sandbox.ts';
import { table as functionsTable, world } from '../../../shared/wiring/runtime.ts';
import { contradictions, scanRows } from '../../support/shop/books.ts';

const mails = mkdtempSync(join(tmpdir(), 'tillstack-history-'));
const scan = () => scanRows(functionsTable().client, functionsTable().name);

/** How many rows of each entity there were after each way to start. */
const counts: Record<'bare' | 'crashed' | 'seeded' | 'startedAgain', Record<string, number>> = {
  bare: {},
  crashed: {},
  seeded: {},
  startedAgain: {},
};

async function count(when: keyof typeof counts): Promise<void> {
  for (const { entity } of await scan()) counts[when][String(entity)] = (counts[when][String(entity)] ?? 0) + 1;
}

let clockBefore: unknown;
let clockAfterCrash: unknown;
let sandbox: Sandbox;
beforeAll(async () => {
  const environment = { MAIL_FOLDER: mails };
  sandbox = await startSandbox({
    port: 0,
    quiet: true,
    environment,
    prepare: async (table) => {
      clockBefore = world.now;
      await prepareShop(table, { isEmpty: true });
      await count('bare');
      const upload = vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new Error('The machine stops.'));
      await expect(prepareShop(table, { isEmpty: false })).rejects.toThrow('The machine stops.');
      clockAfterCrash = world.now;
      upload.mockRestore();
      await count('crashed');
      await prepareShop(table, { isEmpty: false });
      await count('seeded');
      await prepareShop(table, { isEmpty: false });
      await count('startedAgain');
    },
  });
});
afterAll(() => sandbox.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
async function get(path: string): Promise<any> {
  return (await fetch(sandbox.url + path, { headers: { authorization: `Bearer ${localKey}` } })).json();
}

it('the demo history adds nothing to an empty shop without products', () => {
  expect(counts.bare).toEqual({ RATE: expect.any(Number) });
});

it('the demo history is created once, and from the beginning after an interruption', () => {
  expect(counts.crashed).toMatchObject({ PRODUCT: expect.any(Number), KEY: 2 }); // the key and the list of keys
  expect(counts.crashed.PAYMENT).toBeUndefined();
  expect(counts.seeded).toMatchObject({ PRODUCT: 3, PAYMENT: 22, REFUND: 2, DISPUTE: 1 });
  expect(counts.startedAgain).toEqual(counts.seeded);
});

it('the demo history leaves books that balance, and no event that is still due', async () => {
  const rows = await scan();
  expect(await contradictions(rows)).toEqual([]);
  expect(rows.filter(({ entity, duePk }) => entity === 'EVENT' && duePk !== undefined)).toEqual([]);
  expect(readdirSync(mails)).not.toEqual([]);
});

it('the demo history gives the sandbox its clock back, even after a failure', () => {
  expect([clockAfterCrash, world.now]).toEqual([clockBefore, clockBefore]);
});

it('the demo history contains two weeks of sales, a failed payment, refunds, an open dispute and images', async () => {
  const { items: payments } = await get('/payments?page_size=100');
  const of = (field: string) => new Set(payments.map((payment: Record<string, unknown>) => payment[field]));
  expect(of('status')).toEqual(new Set(['succeeded', 'failed']));
  expect(of('currency')).toEqual(new Set(['EUR', 'USD']));
  const days = new Set(payments.map(({ created_at }: { created_at: string }) => created_at.slice(0, 10)));
  expect(days.size).toBeGreaterThan(10);
  const [dispute] = (await get('/disputes')).items;
  expect(dispute.dispute_status).toBe('dispute_opened');
  const { items: products } = await get('/products?page_size=100');
  for (const { image } of products) expect((await fetch(image)).headers.get('content-type')).toBe('image/png');
  expect(products).toHaveLength(3);
});

it('the demo history publishes texts on terms, privacy and refunds, each marked as an example', async () => {
  for (const kind of ['terms', 'privacy', 'refunds'])
    expect(await (await fetch(`${sandbox.url}/policies/${kind}`)).text()).toContain('EXAMPLE.');
});

it('the demo history fills the figures of the overview', async () => {
  const body = new URLSearchParams({ key: localKey });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const signedIn = await fetch(`${sandbox.url}/dashboard/sign-in`, {
    method: 'POST',
    body,
    headers,
    redirect: 'manual',
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const page = await (await fetch(`${sandbox.url}/dashboard?period=30d`, { headers: { cookie } })).text();
  expect(page).toContain('Bird calls (recordings)');
  expect(page).toContain('freya@example.com');
  expect(page).toMatch(/dispute/i);
});
