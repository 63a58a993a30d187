import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { apiCaller, type Query } from '../../../infra/commands/integrator/api.ts';
import { csvColumns } from '../../../infra/commands/integrator/import/csv-shop.ts';
import { importKinds } from '../../../infra/commands/integrator/import/shop.ts';
import { itemsOf } from '../../../infra/commands/integrator/listing.ts';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../../infra/local/sandbox.ts';
import { world } from '../../../shared/wiring/runtime.ts';
import { cutAfter, dodoShop, type Origin, originKey, startOrigin, writesOfShop } from '../../support/dodo-origin.ts';
import { campaign, times } from '../../support/seeded.ts';
import { addKey } from '../../support/shop/api.ts';
import { shortenPauses } from '../../support/short-pauses.ts';
import { runWords, temporaryFolder } from './command-line.ts';

let sandbox: Sandbox;
const folder = temporaryFolder();
const path = join(tmpdir(), `shop-${process.pid}.csv`);
const started: { stop(): void }[] = [];
const realNow = world.now;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 60 });
  await seedLocalKey(sandbox.table);
});
afterEach(() => {
  world.now = realNow;
  for (const one of started.splice(0)) one.stop();
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
  rmSync(path, { force: true });
});

type Options = NonNullable<Parameters<typeof runWords>[1]> & { url?: string; key?: string; importKey?: string };

const run = (args: string[], { key = localKey, url = sandbox.url, importKey = originKey, ...more }: Options = {}) =>
  runWords(args, { environment: { url, key, importKey, profilesFile: folder.profilesFile }, ...more });

/** Runs a command that prints JSON, and expects no error. */
async function json(args: string[], options: Options = {}) {
  const { code, out, error } = await run([...args, '--json'], options);
  expect(error).toBe('');
  return { code, ...JSON.parse(out) };
}

async function originOf(name: string, options?: Parameters<typeof startOrigin>[1]): Promise<Origin> {
  const origin = await startOrigin(dodoShop(name), options);
  started.push(origin);
  return origin;
}
const fromDodo = ({ url }: Origin, ...more: string[]) => ['import', 'dodo', '--url', url, ...more];

interface Listed {
  product_id: string;
  name: string;
  email: string;
  key: string;
  code: string;
  status: string;
  metadata: Record<string, unknown>;
}

/** Everything at the stack whose text contains the name. */
async function stockOf(name: string) {
  const api = apiCaller({ url: sandbox.url, key: localKey }, { signal: new AbortController().signal });
  const all = async (path: string, query: Query = {}) => (await itemsOf(api, path, query, 9_999)) as Listed[];
  const active = await all('/products');
  const archived = await all('/products', { archived: 'true' });
  const has = (one: Listed) => JSON.stringify(one).includes(name);
  const products = active.filter(has);
  const prices = products.map(({ product_id: id }) => api.get<{ items: Listed[] }>(`/products/${id}/localized-prices`));
  return {
    products,
    prices: (await Promise.all(prices)).flatMap(({ items }) => items),
    archived: archived.filter(has),
    discounts: (await all('/discounts')).filter(has),
    customers: (await all('/customers')).filter(has),
    keys: (await all('/license_keys')).filter(has),
  };
}
const counted = (stock: Awaited<ReturnType<typeof stockOf>>) =>
  Object.fromEntries(Object.entries(stock).map(([kind, items]) => [kind, items.length]));

const nothing = { products: 0, prices: 0, archived: 0, discounts: 0, customers: 0, keys: 0 };
/** What the shop of `dodoShop` has here: one active product and one archived, one code, two buyers, two keys. */
const wholeShop = { products: 1, prices: 1, archived: 1, discounts: 1, customers: 2, keys: 2 };

async function post(path: string, body: object, key?: string) {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
  const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Buys a product with a code, and returns the payment. */
async function buy(productId: string, code: string) {
  const cart = [{ product_id: productId, quantity: 1 }];
  const session = await post('/checkouts', { product_cart: cart, discount_codes: [code] }, localKey);
  const paid = await post(`/checkout/${session.body['session_id']}/pay`, {
    customer: { email: 'new@example.com', name: 'New' },
    billing_address: { country: 'DE' },
    test_card: '4242',
  });
  return json(['payments', 'get', String(paid.body['payment_id'])]);
}

/** The writes at which an import is killed: the first, the last and some between, or each in a campaign. */
function cutsOf(writes: number): number[] {
  const all = times(writes).map((index) => index + 1);
  return campaign(all, all, [1, Math.ceil(writes / 3), Math.ceil((2 * writes) / 3), writes]);
}

describe('import dodo', () => {
  it('reports in a dry run what it would create and what has no counterpart, and creates nothing', async () => {
    const origin = await originOf('DRY1');
    const report = await json(fromDodo(origin, '--dry-run'));
    expect(report).toMatchObject({
      code: 0,
      dry_run: true,
      counts: {
        product: { new: 2, known: 0, left_out: 3 },
        price: { new: 1, known: 0, left_out: 0 },
        discount: { new: 1, known: 0, left_out: 2 },
        customer: { new: 2, known: 0, left_out: 0 },
        'licence key': { new: 2, known: 0, left_out: 1 },
      },
    });
    const reasons = Object.fromEntries(report.left_out.map(({ id, text }: { id: string; text: string }) => [id, text]));
    expect(reasons).toEqual({
      pdt_monthly_DRY1: expect.stringContaining('subscription'),
      pdt_metered_DRY1: expect.stringContaining('usage'),
      pdt_cut_DRY1: expect.stringContaining('discount in its price'),
      dsc_b_DRY1: expect.stringContaining('pdt_monthly_DRY1'),
      dsc_c_DRY1: expect.stringContaining('expired'),
      lic_c_DRY1: expect.stringContaining('pdt_monthly_DRY1'),
    });
    const notes = report.notes.map(({ id, text }: { id: string; text: string }) => `${id} ${text}`).join('\n');
    expect(notes).toMatch(/pdt_app_DRY1 its image/);
    expect(notes).toMatch(/pdt_app_DRY1 its 2 files/);
    expect(notes).toMatch(/pdt_app_DRY1 its entitlement of the type discord/);
    expect(notes).toMatch(/dsc_a_DRY1 40 of its 100 uses/);
    expect(notes).toMatch(/dsc_a_DRY1 is not for pdt_monthly_DRY1/);
    expect(notes).toMatch(/cus_ben_DRY1 its phone_number is left away/);
    expect(notes).toMatch(/cus_twin_DRY1 has the address of another customer/);
    expect(notes).toMatch(/lic_a_DRY1 is active on 2 devices/);
    expect(origin.requests.every((request) => request.startsWith('GET'))).toBe(true);
    expect(counted(await stockOf('DRY1'))).toEqual(nothing);
  });

  it('imports a paged shop once, also if it is repeated after the answers to idempotency keys are forgotten', async () => {
    const origin = await originOf('ONCE');
    const first = await run(fromDodo(origin, '--yes'));
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/products +2 +0 +3 +0/) });
    const stock = await stockOf('ONCE');
    expect(counted(stock)).toEqual(wholeShop);
    expect(stock.products[0]?.metadata).toEqual({
      shelf: 'tools',
      imported_from: 'dodo',
      import_id: 'pdt_app_ONCE',
    });
    expect(await json(['products', 'get', stock.products[0]?.product_id ?? ''])).toMatchObject({
      license_key_enabled: true,
      license_key_activations_limit: 3,
      license_key_activation_message: 'Thank you.',
      license_key_duration: { count: 1, interval: 'Year' },
      digital_product_delivery: { external_url: 'https://example.com/app' },
    });
    expect(Object.fromEntries(stock.keys.map(({ key, status }) => [key, status]))).toEqual({
      'APP-KEY-OF-ANNA-ONCE': 'active',
      'OLD-KEY-OF-BEN-ONCE': 'disabled',
    });
    const second = await json(fromDodo(origin, '--yes'));
    world.now = () => new Date(realNow().getTime() + 100 * 3_600_000);
    const third = await json(fromDodo(origin, '--yes'));
    for (const { code, created, refused } of [second, third])
      expect({ code, created, refused }).toEqual({ code: 0, created: [], refused: [] });
    expect(await stockOf('ONCE')).toEqual(stock);
  }, 60_000);

  it('moves in a shop that sells: its product is bought with its code, and its licence key is valid', async () => {
    await run(fromDodo(await originOf('SELL'), '--yes'));
    const { products } = await stockOf('SELL');
    const payment = await buy(products[0]?.product_id ?? '', 'SAVESELL');
    // 19.99 less 10 %, rounded up: 17.99
    expect(payment).toMatchObject({ status: 'succeeded', total_amount: 1_799, currency: 'EUR' });
    const validity = async (key: string) => (await post('/licenses/validate', { license_key: key })).body['valid'];
    expect(await validity('APP-KEY-OF-ANNA-SELL')).toBe(true);
    expect(await validity('OLD-KEY-OF-BEN-SELL')).toBe(false);
    const activated = await post('/licenses/activate', { license_key: 'APP-KEY-OF-ANNA-SELL', name: 'Laptop' });
    expect(activated.status).toBe(200);
  }, 60_000);

  it.each([
    { lost: 'request' as const, short: 'R' },
    { lost: 'answer' as const, short: 'A' },
  ])(
    'doubles nothing when it is killed at any write, whose $lost is lost, and repeated',
    async ({ lost, short }) => {
      const restore = shortenPauses(2_000);
      try {
        for (const cut of cutsOf(writesOfShop)) {
          const name = `KILL${short}${cut}X`;
          const origin = await originOf(name);
          const broken = await cutAfter(sandbox.url, cut, lost);
          const first = await run(fromDodo(origin, '--yes'), { url: broken.url });
          broken.stop();
          expect([cut, first.code, first.error]).toEqual([cut, 4, expect.stringContaining('nothing is created twice')]);
          // Only what the stack has stored may tell what exists.
          world.now = () => new Date(realNow().getTime() + 100 * 3_600_000);
          const second = await json(fromDodo(origin, '--yes'));
          world.now = realNow;
          expect([cut, second.code, second.refused]).toEqual([cut, 0, []]);
          const stock = await stockOf(name);
          expect([cut, counted(stock)]).toEqual([cut, wholeShop]);
          expect(stock.keys.map(({ status }) => status).toSorted()).toEqual(['active', 'disabled']);
        }
      } finally {
        restore();
      }
    },
    240_000,
  );

  it('waits as long as a busy source asks, and then goes on', async () => {
    const restore = shortenPauses(1_000);
    const [shorter, asked] = [timers.setTimeout, [] as (number | undefined)[]];
    timers.setTimeout = (ms, value, options) => {
      asked.push(ms);
      return shorter(ms, value, options);
    };
    syncBuiltinESMExports();
    const origin = await originOf('BUSY', { busyEvery: 3 });
    const { code } = await run(fromDodo(origin, '--yes'));
    restore();
    expect(code).toBe(0);
    expect(asked).toContain(7_000);
    expect(counted(await stockOf('BUSY'))).toEqual(wholeShop);
  }, 60_000);

  it('doubles nothing when two run at the same time', async () => {
    const origin = await originOf('TWO');
    const both = await Promise.all([json(fromDodo(origin, '--yes')), json(fromDodo(origin, '--yes'))]);
    expect(both.map(({ code, refused }) => ({ code, refused }))).toEqual(Array(2).fill({ code: 0, refused: [] }));
    expect(counted(await stockOf('TWO'))).toEqual(wholeShop);
  }, 60_000);

  it('asks before it writes, and writes nothing without an answer', async () => {
    const origin = await originOf('ASKS');
    expect(await run(fromDodo(origin))).toMatchObject({ code: 2, error: expect.stringContaining('Add --yes') });
    expect(await run(fromDodo(origin), { confirms: false })).toMatchObject({
      code: 1,
      error: expect.stringContaining('Nothing was imported.'),
    });
    expect(counted(await stockOf('ASKS'))).toMatchObject({ products: 0, customers: 0 });
    expect(await run(fromDodo(origin), { confirms: true })).toMatchObject({ code: 0 });
    expect(counted(await stockOf('ASKS'))).toEqual(wholeShop);
  }, 60_000);

  it('lists and asks about what was restored here since, and leaves it active without an answer', async () => {
    const origin = await originOf('BACK');
    await run(fromDodo(origin, '--yes'));
    const [archived, disabled] = await Promise.all([
      stockOf('BACK').then(({ archived: [one] }) => one?.product_id ?? ''),
      stockOf('BACK').then(({ keys }) => keys.find(({ status }) => status === 'disabled')),
    ]);
    const api = apiCaller({ url: sandbox.url, key: localKey }, { signal: new AbortController().signal });
    await post(`/products/${archived}/unarchive`, {}, localKey);
    const { id = '' } = disabled as { id?: string };
    await api.send({ method: 'PATCH', path: `/license_keys/${id}`, body: { disabled: false }, isIdempotent: true });
    const active = await stockOf('BACK');
    expect([counted(active), active.keys.map(({ status }) => status)]).toEqual([
      { ...wholeShop, products: 2, archived: 0, prices: expect.any(Number) },
      ['active', 'active'],
    ]);
    const { ending } = await json(fromDodo(origin, '--dry-run'));
    expect(ending).toEqual([
      { kind: 'product', id: expect.stringContaining('BACK'), known_id: archived },
      { kind: 'licence key', id: expect.stringContaining('BACK'), known_id: id },
    ]);
    const refused = await run(fromDodo(origin), { confirms: false });
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('to be archived or disabled:') });
    expect(await stockOf('BACK')).toEqual(active);
    expect((await json(fromDodo(origin, '--yes'))).ended).toEqual(ending);
    expect(counted(await stockOf('BACK'))).toEqual(wholeShop);
    expect((await json(fromDodo(origin, '--dry-run'))).ending).toEqual([]);
  }, 60_000);

  it('says what is wrong with the source or with a key, by its exit code too', async () => {
    const restore = shortenPauses(2_000);
    const origin = await originOf('WRONG');
    const unknown = await run(fromDodo(origin, '--yes'), { importKey: 'another' });
    expect(unknown).toMatchObject({ code: 3, error: expect.stringContaining(`${origin.url} answered 401`) });
    const other = await run(fromDodo({ ...origin, url: sandbox.url }, '--yes'), { importKey: localKey });
    expect(other).toMatchObject({ code: 1, error: expect.stringContaining('pages are numbered from 1') });
    const gone = await run(['import', 'dodo', '--url', 'http://127.0.0.1:9', '--yes']);
    expect(gone).toMatchObject({ code: 4, error: expect.stringContaining('does not answer') });
    const reader = await addKey({ access: 'read' });
    const masked = await run(fromDodo(origin, '--yes'), { key: reader });
    restore();
    expect([1, 3]).toContain(masked.code);
    expect(counted(await stockOf('WRONG'))).toMatchObject({ products: 0, customers: 0 });
  }, 60_000);
});

const heading =
  'kind,id,name,description,price,currency,tax_category,tax_inclusive,country,product_id,email,code,percent,amount,key,activations_limit,interval';
const columns = heading.split(',');
/** A line of the file: the named cells, quoted where they must be. */
const lineOf = (cells: Record<string, string>) => columns.map((column) => quoted(cells[column] ?? '')).join(',');
const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const product = (id: string, more: Record<string, string> = {}) =>
  lineOf({ kind: 'product', id, name: 'Guide', price: '12.5', currency: 'EUR', tax_category: 'e_book', ...more });

const csv = (lines: readonly string[], { head = heading, end = '\r\n', bom = '\uFEFF' } = {}) =>
  bom + [head, ...lines].join(end);

const csvShop = (name: string) => [
  product(`guide-${name}`, { name: `Guide, "${name}"`, description: `Birds.\r\nAnd more.`, tax_inclusive: 'true' }),
  product(`formula-${name}`, { name: `=HYPERLINK(1) ${name}`, currency: 'JPY', price: '500' }),
  product(`monthly-${name}`, { name: `Monthly ${name}`, interval: 'month' }),
  lineOf({ kind: 'price', product_id: `guide-${name}`, price: '14', currency: 'USD' }),
  lineOf({ kind: 'discount', code: `CSV${name}`, percent: '12.5', product_id: `guide-${name}` }),
  lineOf({ kind: 'discount', code: `OFF${name}`, amount: '2.00', currency: 'EUR' }),
  lineOf({ kind: 'customer', email: `carl.${name}@example.com`, name: 'Carl' }),
  lineOf({
    kind: 'licence_key',
    key: `CSV-KEY-OF-CARL-${name}`,
    product_id: `guide-${name}`,
    email: `Carl.${name}@example.com`,
    activations_limit: '2',
  }),
];
const wholeCsvShop = { products: 2, prices: 1, archived: 0, discounts: 2, customers: 1, keys: 1 };
const csvWrites = 2 + 1 + 2 + 1 + 1;

const fromCsv = (text: string | Uint8Array, ...more: string[]) => {
  writeFileSync(path, text);
  return ['import', 'csv', path, '--from', 'gumroad', ...more];
};

describe('import csv', () => {
  it('moves in a shop that sells, with amounts in the units of their currencies', async () => {
    const first = await json(fromCsv(csv(csvShop('FILE')), '--yes'));
    expect(first).toMatchObject({
      code: 0,
      refused: [],
      left_out: [{ kind: 'product', id: 'monthly-FILE', text: expect.stringContaining('every month') }],
    });
    const stock = await stockOf('FILE');
    expect(counted(stock)).toEqual(wholeCsvShop);
    const guide = stock.products.find(({ name }) => name === 'Guide, "FILE"');
    expect(guide).toMatchObject({
      currency: 'EUR',
      price: 1_250,
      description: 'Birds.\nAnd more.',
      pricing_mode: 'by_currency',
    });
    expect(stock.products.find(({ name }) => name === '=HYPERLINK(1) FILE')).toMatchObject({
      currency: 'JPY',
      price: 500,
    });
    expect(guide?.metadata).toEqual({ imported_from: 'gumroad', import_id: 'guide-FILE' });
    // 12.50 less 12.5 %: 10.9375, rounded to 10.94
    const payment = await buy(guide?.product_id ?? '', 'CSVFILE');
    expect(payment).toMatchObject({ status: 'succeeded', total_amount: 1_094 });
    const valid = await post('/licenses/validate', { license_key: 'CSV-KEY-OF-CARL-FILE' });
    expect(valid.body).toEqual({ valid: true });
    expect(await json(fromCsv(csv(csvShop('FILE'), { bom: '', end: '\n' }), '--yes'))).toMatchObject({
      created: [],
      refused: [],
    });
  }, 60_000);

  it('imports the example of the guide, which names every column', async () => {
    const guide = readFileSync(new URL('../../../docs/guides/move-a-shop.md', import.meta.url), 'utf8');
    const [, example = ''] = /^```csv\n([\s\S]*?)^```$/m.exec(guide) ?? [];
    const report = await json(fromCsv(example, '--yes'));
    expect(report).toMatchObject({ code: 0, refused: [], left_out: [] });
    expect(report.created).toHaveLength(6);
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (.+?) \|/gm)].map(([, column, kinds]) => [column, kinds]);
    const all = importKinds.join(', ');
    const named = Object.entries(csvColumns).map(([column, kinds]) => [column, kinds.join(', ').replace(all, 'all')]);
    expect(rows).toEqual(named);
  });

  it('doubles nothing when it is killed at any write and repeated', async () => {
    const restore = shortenPauses(2_000);
    try {
      for (const cut of cutsOf(csvWrites)) {
        const name = `CUT${cut}X`;
        const broken = await cutAfter(sandbox.url, cut, 'answer');
        const first = await run(fromCsv(csv(csvShop(name)), '--yes'), { url: broken.url });
        broken.stop();
        expect([cut, first.code]).toEqual([cut, 4]);
        expect([cut, (await json(fromCsv(csv(csvShop(name)), '--yes'))).refused]).toEqual([cut, []]);
        expect([cut, counted(await stockOf(name))]).toEqual([cut, wholeCsvShop]);
      }
    } finally {
      restore();
    }
  }, 240_000);

  it('prints no whole licence key, and tells two keys with the same end apart', async () => {
    const keyed = (key: string) =>
      lineOf({ kind: 'licence_key', key, product_id: 'guide-MASK', email: 'carl.MASK@example.com' });
    const lines = [...csvShop('MASK'), keyed('OTHER-KEY-OF-CARL-MASK')];
    const said = [
      await run(fromCsv(csv(lines), '--dry-run')),
      await run(fromCsv(csv(lines), '--yes', '--json')),
      await run(fromCsv(csv(lines), '--yes', '--json')),
      await run(fromCsv(csv([...lines, keyed('OTHER-KEY-OF-CARL-MASK')]), '--dry-run')),
    ];
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 1]);
    expect(JSON.stringify(said)).not.toContain('KEY-OF-CARL');
    expect(said[3]?.out).toContain('repeats the licence key ••••MASK of line');
    expect(counted(await stockOf('MASK'))).toMatchObject({ keys: 2 });
  });

  it('names every wrong line by its number before it writes anything', async () => {
    const lines = [
      product('good-HOST'),
      product('two', { description: 'One\r\ntwo' }),
      product('comma', { price: '12,50' }),
      product('sign', { price: '$12' }),
      product('yen', { price: '1.5', currency: 'JPY' }),
      product('unit', { currency: 'XXX' }),
      product('good-HOST'),
      product('', {}),
      product('category', { tax_category: 'books' }),
      'product,short',
      lineOf({ kind: 'present', id: '1' }),
      lineOf({ kind: 'discount', code: 'BOTH', percent: '5', amount: '1', currency: 'EUR' }),
      lineOf({ kind: 'customer', email: 'nobody' }),
      lineOf({ kind: 'customer', email: 'a@example.com', price: '1' }),
      lineOf({ kind: 'licence_key', key: 'K', product_id: 'good-HOST' }),
      product('flag', { tax_inclusive: 'yes' }),
    ];
    const report = await json(fromCsv(csv(lines), '--yes'));
    // The second product takes lines 3 and 4.
    expect(report.code).toBe(1);
    expect(report.faulty.map(({ line }: { line: number }) => line)).toEqual([
      5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
    ]);
    expect(report.faulty[4].message).toContain('of line 2');
    expect(counted(await stockOf('HOST'))).toMatchObject({ products: 0, customers: 0 });
    const said = await run(fromCsv(csv(lines), '--yes'));
    expect(said.out).toContain('14 lines are wrong, so nothing was imported');
    expect(said.out).toContain('line 5: price must be an amount of EUR');
  });

  it('refuses a file that is no table with known columns, and says why', async () => {
    const faulty = async (text: string) => (await json(fromCsv(text, '--yes'))).faulty;
    expect(await faulty('id,name\n1,a')).toEqual([{ line: 1, message: expect.stringContaining('kind is not there') }]);
    expect(await faulty('kind,colour\n')).toEqual([
      { line: 1, message: expect.stringContaining('no column "colour"') },
    ]);
    expect(await faulty('kind,id,id\n')).toEqual([{ line: 1, message: expect.stringContaining('id is there twice') }]);
    expect(await faulty(csv([product('a'), 'product,"open']))).toEqual([
      { line: 3, message: expect.stringContaining('quote') },
    ]);
    expect(await run(fromCsv(Uint8Array.of(0x6b, 0xe9), '--yes'))).toMatchObject({
      code: 2,
      error: expect.stringContaining('not in UTF-8'),
    });
    expect(await run(fromCsv(heading, '--yes'))).toMatchObject({
      code: 1,
      error: expect.stringContaining('has no rows'),
    });
    expect(await run(['import', 'csv', '/nowhere.csv', '--from', 'x'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('ENOENT'),
    });
    expect(await run(['import', 'csv', path, '--from', 'Dodo!'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('--from'),
    });
  });

  it('reads ten thousand rows, and shows its progress while it writes', async () => {
    const customers = Array.from({ length: 10_000 }, (_, index) =>
      lineOf({ kind: 'customer', email: `${index}.many@example.com` }),
    );
    const report = await json(fromCsv(csv(customers), '--dry-run'));
    expect(report.counts.customer).toEqual({ new: 10_000, known: 0, left_out: 0 });
    const few = await run(fromCsv(csv(customers.slice(0, 120)), '--yes'));
    expect(few).toMatchObject({ code: 0, error: '100 of 120 objects\n' });
  }, 120_000);
});
