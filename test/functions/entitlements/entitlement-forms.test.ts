import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { payments, products } from '../../../shared/wiring/runtime.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let browsing: Browsing;
beforeAll(async () => {
  api = await startApi();
  browsing = await browse(api, localKey);
});
afterAll(() => api.stop());

async function shownAt(address: string, { cookies } = browsing): Promise<string> {
  const [path, query = ''] = address.split('?');
  return (await api.call(`GET ${path}`, { cookies, key: null, query })).text;
}

/** Sends a form as its page has it, with these entries. */
async function send(
  path: string,
  fields: Record<string, string>,
  form_id: string = crypto.randomUUID(),
): Promise<ApiAnswer> {
  return postForm(api, path, { token: browsing.token, form_id, ...fields }, browsing.cookies);
}

const partOf = (productId: string): string => `/dashboard/products/${productId}/entitlements`;
const ticked = { full_refund_revokes: 'true', chargeback_suspends: 'true', lost_dispute_revokes: 'true' };
const licence = { kind: 'keys', integration_type: 'license_key', name: 'Licence', ...ticked };

const create = (productId: string, fields: Record<string, string>) =>
  send(partOf(productId), { ...ticked, ...fields, action: 'create' });
const idIn = ({ headers }: ApiAnswer): string => /ent_\w+/.exec(headers['location'] ?? '')?.[0] ?? 'not saved';
const read = async (id: string) => (await api.call(`GET /entitlements/${id}`)).body;
const givenBy = async (productId: string) => (await products().get(productId)).entitlements;
const typedIn = (page: string, field: string) => new RegExp(`value="([^"]*)" id="${field}"`).exec(page)?.[1];

describe('the section "What the buyer gets" of a product’s page', () => {
  it.each<Record<'kind' | 'integration_type', string> & { entries: Record<string, string>; config: object }>([
    {
      kind: 'keys',
      integration_type: 'license_key',
      entries: { activations_limit: '3', duration_count: '2', duration_interval: 'Year', activation_message: 'Menu' },
      config: {
        ...{ activations_limit: 3, duration_count: 2, duration_interval: 'Year', activation_message: 'Menu' },
        ...{ fulfillment_mode: 'auto', pool: false },
      },
    },
    {
      kind: 'link',
      integration_type: 'digital_files',
      entries: { external_url: 'https://course.example/', instructions: 'Open it.' },
      config: { digital_files: { files: [], external_url: 'https://course.example/', instructions: 'Open it.' } },
    },
    {
      kind: 'flag',
      integration_type: 'feature_flag',
      entries: { feature_id: 'members-area' },
      config: { feature_id: 'members-area', feature_type: 'boolean' },
    },
  ])(
    'creates an entitlement of the kind $kind, and attaches it to the product in one step',
    async ({ kind, integration_type, entries, config }) => {
      const productId = await addProduct(api);
      const made = await create(productId, { kind, integration_type, name: 'Extras', ...entries });
      const id = idIn(made);
      expect(made.headers['location']).toBe(`${partOf(productId)}/${id}?done=created`);
      const access = { full_refund_revokes: true, chargeback_suspends: true, lost_dispute_revokes: true };
      expect(await read(id)).toMatchObject({ name: 'Extras', integration_type, integration_config: config, access });
      expect(await givenBy(productId)).toEqual([id]);
      expect(await shownAt(`/dashboard/products/${productId}`)).toContain(`href="${partOf(productId)}/${id}"`);
    },
  );

  it('creates one entitlement if the same form is sent twice', async () => {
    const productId = await addProduct(api);
    const form = { ...licence, action: 'create' };
    const both = [await send(partOf(productId), form, 'same'), await send(partOf(productId), form, 'same')];
    expect(new Set(both.map(idIn)).size).toBe(1);
    expect(await givenBy(productId)).toEqual([idIn(both[0] as ApiAnswer)]);
  });

  it('shows the saved fields, changes them, and clears emptied ones', async () => {
    const productId = await addProduct(api);
    const id = idIn(
      await create(productId, { ...licence, activations_limit: '3', duration_count: '1', duration_interval: 'Month' }),
    );
    const path = `${partOf(productId)}/${id}`;
    expect(typedIn(await shownAt(path), 'activations_limit')).toBe('3');
    const { status } = await send(path, {
      ...{ integration_type: 'license_key', name: 'Key', action: 'save', duration_interval: 'Month' },
      full_refund_revokes: 'true',
    });
    expect(status).toBe(303);
    expect(await read(id)).toMatchObject({
      name: 'Key',
      integration_config: { activations_limit: null, duration_count: null, duration_interval: null },
      access: { full_refund_revokes: true, chargeback_suspends: false, lost_dispute_revokes: false },
    });
  });

  it.each<[Record<string, string>, string]>([
    [{ activations_limit: '0' }, 'activations_limit'],
    [{ activations_limit: 'three' }, 'activations_limit'],
    [{ duration_count: '1e3' }, 'duration_count'],
    [{ name: '' }, 'name'],
  ])('refuses %o with an error at its field, keeps the entries, and saves nothing', async (fields, field) => {
    const productId = await addProduct(api);
    const answer = await create(productId, { ...licence, activation_message: 'Kept text', ...fields });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(`<a href="#${field}">`);
    expect(answer.text).toContain('Kept text');
    expect(await givenBy(productId)).toBeUndefined();
  });

  it('attaches an entitlement of another product once, and detaches it without deleting it', async () => {
    const [first, second] = [await addProduct(api), await addProduct(api)];
    const id = idIn(await create(first, licence));
    expect(await shownAt(partOf(second))).toContain(`value="${id}"`);
    for (let again = 0; again < 2; again += 1)
      expect((await send(partOf(second), { action: 'attach', entitlement_id: id })).status).toBe(303);
    expect(await givenBy(second)).toEqual([id]);
    await send(partOf(first), { action: 'detach', entitlement_id: id });
    expect([await givenBy(first), await givenBy(second)]).toEqual([undefined, [id]]);
    expect(await shownAt(`${partOf(first)}/${id}`)).toContain('This product does not give it');
    expect((await read(id)).name).toBe('Licence');
  });

  it('attaches at most ten entitlements to a product, and says so', async () => {
    const productId = await addProduct(api);
    for (let made = 0; made < 10; made += 1) expect((await create(productId, licence)).status).toBe(303);
    const extra = (await api.call('POST /entitlements', { body: flagOfApi })).body.id;
    const refused = await send(partOf(productId), { action: 'attach', entitlement_id: extra });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('at most 10')]);
    expect(await givenBy(productId)).toHaveLength(10);
  });

  it('shows no form to a member with read access', async () => {
    const productId = await addProduct(api);
    const id = idIn(await create(productId, licence));
    const reader = await browse(api, await api.addKey({ access: 'read' }));
    const page = await shownAt(`${partOf(productId)}/${id}`, reader);
    expect(page).toContain('<fieldset class="card" disabled>');
    expect(page).not.toMatch(/name="action"/);
    expect(await shownAt(`/dashboard/products/${productId}`, reader)).not.toContain('?kind=');
  });

  it('writes each change to the audit log', async () => {
    const productId = await addProduct(api);
    const id = idIn(await create(productId, licence));
    await send(partOf(productId), { action: 'detach', entitlement_id: id });
    const { body } = await api.call('GET /audit-log');
    const entryOf = (command: string, subject: string) =>
      body.items.find(
        (entry: { command: string; subject_id: string }) =>
          [entry.command, entry.subject_id].join() === [command, subject].join(),
      );
    expect(entryOf('entitlement.create', id)).toMatchObject({ details: { product: productId } });
    expect(entryOf('product.update', productId)).toMatchObject({ details: { changed: 'entitlements' } });
  });
});

const flagOfApi = { name: 'Flag', integration_type: 'feature_flag', integration_config: { feature_id: 'area' } };

describe('a pool of codes on the page of a product', () => {
  const pool = { kind: 'codes', integration_type: 'license_key', pool: 'true', name: 'Game' };

  /** A product with a pool, and its page. */
  async function made() {
    const productId = await addProduct(api);
    const id = idIn(await create(productId, pool));
    return { productId, id, path: `${partOf(productId)}/${id}` };
  }
  const add = (path: string, codes: string, form?: string) => send(path, { action: 'add_codes', codes }, form);
  const facts = async (path: string) =>
    [...(await shownAt(path)).matchAll(/<dd>(\d+)<\/dd>/g)].map(([, count]) => Number(count));

  it('is created in one step, and stays a pool when its settings are saved', async () => {
    const { productId, id, path } = await made();
    expect(await shownAt(`${partOf(productId)}?kind=codes`)).toContain('for example of a game store');
    const fields = { integration_type: 'license_key', pool: 'true', name: 'Games', activation_message: 'In the store' };
    expect((await send(path, { action: 'save', ...fields })).status).toBe(303);
    expect(await read(id)).toMatchObject({
      name: 'Games',
      integration_config: { pool: true, fulfillment_mode: 'manual', activation_message: 'In the store' },
    });
    expect(await shownAt(path)).not.toContain('activations_limit');
  });

  it('reads the first column of pasted lines, and reports new, known and invalid codes', async () => {
    const { path } = await made();
    const first = await add(path, 'Code,Store\n"A-1",Steam\nA-2;Steam\n\nA-1');
    expect(first.headers['location']).toBe(`${path}?added=2&repeated=1#codes`);
    const again = await add(path, `A-1\nA-2\n${'x'.repeat(256)}\n4111111111111111`);
    expect(again.headers['location']).toBe(`${path}?added=1&repeated=2&refused=3#codes`);
    const page = await shownAt(again.headers['location']?.replace('#codes', '') ?? '');
    expect(page).toContain('1 code was added. 2 were here already.');
    expect(page).toMatch(/left out[^<]*: 3</);
    expect(await facts(path)).toEqual([3, 0, 0]);
  });

  it('shows the sales that wait for a code, and gives them the added codes', async () => {
    const { productId, path } = await made();
    await pay(await createSession(api, [{ product_id: productId, quantity: 1 }]), { expectedTotal: 1_999 });
    await sweep();
    expect(await shownAt(path)).toContain('1 sale waits for a code.');
    await add(path, 'ONE\nTWO');
    expect(await facts(path)).toEqual([1, 1, 0]);
    expect(await shownAt(path)).not.toContain('waits for a code');
  });

  it('accepts ten thousand codes in portions, and counts each code once', async () => {
    const { path } = await made();
    const portions = Array.from({ length: 20 }, (_, portion) =>
      Array.from({ length: 500 }, (_, index) => `GAME-${portion}-${index}`).join('\n'),
    );
    for (const portion of portions) expect((await add(path, portion)).status).toBe(303);
    expect((await add(path, portions[19] ?? '')).headers['location']).toContain('?added=0&repeated=500');
    expect(await shownAt(path)).toContain('<dd>10,000</dd>');
  });

  it('adds codes once if the same form is sent twice', async () => {
    const { path } = await made();
    const both = [await add(path, 'ONE', 'same'), await add(path, 'ONE', 'same')];
    expect(both.map(({ headers }) => headers['location'])).toEqual(Array(2).fill(`${path}?added=1&repeated=0#codes`));
  });

  it.each([
    ['', 'Paste at least one code.'],
    [Array.from({ length: 1_001 }, (_, index) => `C-${index}`).join('\n'), 'at most 1,000 codes at once'],
  ])('refuses an empty entry, and more codes than one request allows', async (codes, message) => {
    const { path } = await made();
    const answer = await add(path, codes);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(message)]);
    expect(await facts(path)).toEqual([0, 0, 0]);
  });
});

describe('licence keys of an earlier system on the page of a product', () => {
  /** The page of a product's licence keys, and a customer. */
  async function made() {
    const productId = await addProduct(api);
    const id = idIn(await create(productId, licence));
    const body = { email: `${crypto.randomUUID()}@example.com`, name: 'Ada' };
    const { customer_id: customer } = (await api.call('POST /customers', { body })).body;
    return { productId, customer, path: `${partOf(productId)}/${id}` };
  }
  const add = (path: string, keys: string, more: Record<string, string> = {}, form?: string) =>
    send(path, { action: 'import_keys', keys, ...more }, form);
  const kept = async (customer: string) =>
    (await api.call('GET /license_keys', { query: `customer_id=${customer}` })).body.items;
  const stranger = `cus_${'0'.repeat(21)}`;

  it('are imported once, with a report of known, invalid and short keys by line', async () => {
    const { path, productId, customer } = await made();
    const tag = crypto.randomUUID();
    const table = `Key;Customer_id;Activations_limit\n"${tag}";${customer};3\n\n${tag}-2;${customer};x\n${tag}-3;${stranger};\n${tag.slice(0, 9)};${customer};\n${tag};${customer};`;
    const expected = 'added=2&repeated=1&refused=4a.5c&short=6';
    const trial = await add(path, table, { trial: 'true' });
    expect(trial.headers['location']).toBe(`${path}?${expected}&trial=1#keys`);
    expect(await shownAt(`${path}?${expected}&trial=1`)).toContain('2 keys can be imported. 1 was here already.');
    expect(await kept(customer)).toEqual([]);
    const first = await add(path, table);
    expect(first.headers['location']).toBe(`${path}?${expected}#keys`);
    const page = await shownAt(`${path}?${expected}`);
    expect(page).toContain('2 keys were imported. 1 was here already.');
    expect(page).toMatch(/column activations_limit, in these lines: 4</);
    expect(page).toMatch(/column customer_id, in these lines: 5</);
    expect(page).toMatch(/fewer than 16 characters[^<]*: 6</);
    const again = await add(path, table);
    expect(again.headers['location']).toContain('added=0&repeated=3');
    const keys: { key: string }[] = await kept(customer);
    expect(keys.map(({ key }) => key).toSorted()).toEqual([tag, tag.slice(0, 9)].toSorted());
    expect(keys.find(({ key }) => key === tag)).toMatchObject({ product_id: productId, activations_limit: 3 });
  });

  it('are imported once if a form or the same keys are sent twice at the same time', async () => {
    const { path, customer } = await made();
    const keys = Array.from({ length: 40 }, () => crypto.randomUUID());
    const table = `key,customer_id\n${keys.map((key) => `${key},${customer}`).join('\n')}`;
    const both = await Promise.all([add(path, table, {}, 'same'), add(path, table, {}, 'same')]);
    expect(both.map(({ headers }) => headers['location'])).toEqual(Array(2).fill(`${path}?added=40&repeated=0#keys`));
    const fresh = `key,customer_id\n${crypto.randomUUID()},${customer}`;
    const racing = await Promise.all([add(path, fresh), add(path, fresh), add(path, fresh)]);
    const sums = ['?added=0&repeated=1#keys', '?added=0&repeated=1#keys', '?added=1&repeated=0#keys'];
    expect(racing.map(({ headers }) => headers['location']?.replace(path, '')).toSorted()).toEqual(sums);
    expect(await kept(customer)).toHaveLength(10);
  });

  it.each(['', 'key,customer_id', 'key,mail\nA,b', `key,customer_id\n${'A,b\n'.repeat(41)}`])(
    'are refused without a heading, without rows, or with more rows than one request allows',
    async (keys) => {
      const { path } = await made();
      const answer = await add(path, keys);
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Paste one to 40 keys')]);
    },
  );
});

describe('the refund form of a payment with entitlements', () => {
  /** A product with a flag, sold once. */
  async function sold() {
    const productId = await addProduct(api);
    await create(productId, { kind: 'flag', integration_type: 'feature_flag', name: 'Members', feature_id: 'area' });
    const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    return (await pay(session, { expectedTotal: 1_999 })).id;
  }

  it('names the access that a whole refund ends, but none for a partial refund or if the buyer keeps it', async () => {
    const path = `/dashboard/payments/${await sold()}`;
    const preview = async (fields: Record<string, string>) =>
      (await send(path, { action: 'preview', expected: '1999', ...fields })).text;
    const ends = 'access ends, if its rules say so: Members';
    expect(await preview({ scope: 'all' })).toContain(ends);
    expect(await preview({ scope: 'amount', amount: '1', basis: 'gross' })).not.toContain(ends);
    expect(await preview({ scope: 'all', keep_access: 'true' })).not.toContain(ends);
  });

  it('names only the products of which nothing remains after this refund', async () => {
    const products = await Promise.all(
      ['Atlas', 'Charts', 'Members'].map(async (name) => {
        const productId = await addProduct(api);
        await create(productId, { kind: 'flag', integration_type: 'feature_flag', name, feature_id: 'area' });
        return productId;
      }),
    );
    const session = await createSession(
      api,
      products.map((product_id) => ({ product_id, quantity: 1 })),
    );
    const { id } = await pay(session, { expectedTotal: 3 * 1_999 });
    const [atlas = '', charts = ''] = products;
    const endedBy = async (fields: Record<string, string>) => {
      const { refundable } = await payments().get(id);
      const form = { action: 'preview', basis: 'gross', expected: String(refundable), ...fields };
      const { text } = await send(`/dashboard/payments/${id}`, form);
      return /access ends, if its rules say so: ([^<]*)</.exec(text)?.[1];
    };
    expect(await endedBy({ scope: 'items', [`item.${atlas}`]: '19.99', [`item.${charts}`]: '19.98' })).toBe('Atlas');
    expect(await endedBy({ scope: 'amount', amount: '59.96' })).not.toContain('Atlas, Charts, Members');
    expect(await endedBy({ scope: 'all' })).toBe('Atlas, Charts, Members');
    const items = [{ item_id: atlas, amount: 1_999 }];
    await api.call('POST /refunds', { body: { payment_id: id, items, keep_access: true } });
    expect(await endedBy({ scope: 'items', [`item.${charts}`]: '19.99' })).toBe('Charts');
    expect(await endedBy({ scope: 'all' })).toBe('Charts, Members');
  });

  it.each<{ fields: Record<string, string>; kept: true | undefined }>([
    { fields: {}, kept: undefined },
    { fields: { keep_access: 'true' }, kept: true },
  ])('keeps the access only if the checkbox is ticked: $kept', async ({ fields, kept }) => {
    const id = await sold();
    const form = { action: 'refund', scope: 'all', expected: '1999', confirmed: '1999', ...fields };
    expect((await send(`/dashboard/payments/${id}`, form)).status).toBe(303);
    expect((await payments().get(id)).lines[0]?.isAccessKept).toBe(kept);
    expect((await shownAt(`/dashboard/payments/${id}`)).includes('The buyer keeps the access.')).toBe(kept === true);
  });
});
