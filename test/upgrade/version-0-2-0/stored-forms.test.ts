import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { exportJobs } from '../../../shared/wiring/books.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { drift } from '../../support/contract/drift.ts';
import { describeWith020, open020, type Release } from '../../support/released/version-0-2-0.ts';
import { type Api, type Call, startApi, testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { addMember, mailsIn } from '../../support/shop/members.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, support } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';

const announcing = { ...testMerchant, expiredCheckoutEvents: true };
const mails = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));

describeWith020('One version of a stack can read what the other one stored or handed out', () => {
  let api: Api;
  let before: Release;
  let bucket: Bucket;
  let productId: string;
  beforeAll(async () => {
    bucket = await startBucket({ bucketNames: [localNames.bucket] });
    api = await startApi(announcing, { AWS_ENDPOINT_URL_S3: bucket.url, MAIL_FOLDER: mails });
    before = await open020(api);
    productId = await addProduct(api);
    clock.stopAt('2031-03-01T12:00:00.000Z');
    // Only a session secret that 0.2.0 has made before today's first sign-in lets both versions accept a session.
    await browse(by('0.2.0') as Api, await api.addKey({ access: 'read' }));
  });
  beforeEach(() => clock.stopAt('2031-03-01T12:00:00.000Z'));
  afterAll(async () => {
    clock.run();
    await Promise.all([bucket.stop(), api.stop()]);
    rmSync(mails, { recursive: true });
  });

  useShortPauses();

  type Version = 'today' | '0.2.0';
  type Caller = Pick<Api, 'call'>;
  const by = (version: Version): Caller => (version === 'today' ? api : before);
  const invoke = (version: Version, name: string) => (version === 'today' ? invokeFunction : before.invoke)(name, {});
  const eitherWay = [
    { writes: 'today', reads: '0.2.0' },
    { writes: '0.2.0', reads: 'today' },
  ] as const;
  const rows = () => scanRows(table().client, table().name);

  const open = async ({ call }: Caller, fields: object = {}, id = productId): Promise<string> =>
    (await call('POST /checkouts', { body: { product_cart: [{ product_id: id, quantity: 1 }], ...fields } })).body
      .session_id;
  const pay = ({ call }: Caller, sessionId: string, { card = cards.good as string, ...fields } = {}) =>
    call(`POST /checkout/${sessionId}/pay`, {
      key: null,
      body: {
        customer: { email: 'buyer@example.com', name: 'A Buyer' },
        billing_address: { country: 'DE' },
        test_card: card.slice(-4),
        ...fields,
      },
    });
  const fixed = (price: number) => ({ type: 'one_time_price', currency: 'EUR', price, tax_inclusive: true });
  const sold = async (version: Caller, card: string = cards.good): Promise<string> =>
    (await pay(version, await open(version), { card })).body.payment_id;

  describe.each(eitherWay)(
    'the answers of requests with a key: $writes stores them, $reads repeats them',
    ({ writes, reads }) => {
      const twice = async (request: string, options: Call) => {
        const headers = { 'idempotency-key': crypto.randomUUID() };
        const first = await by(writes).call(request, { ...options, headers });
        return [first, await by(reads).call(request, { ...options, headers })].map(({ status, body }) => [
          status,
          body,
        ]);
      };

      it.each([
        ['POST /checkouts', 200, () => ({ product_cart: [{ product_id: productId, quantity: 2 }] })],
        ['POST /checkouts', 404, () => ({ product_cart: [{ product_id: 'pdt_000000000000000000000', quantity: 2 }] })],
        ['POST /discounts', 200, () => ({ type: 'percentage', amount: 1_000, usage_limit: 4 })],
        ['POST /webhooks', 200, () => ({ url: 'https://example.com/hook' })],
      ])('are the same for %s, which answers %i', async (request, status, body) => {
        const [first, second] = await twice(request, { body: body() });
        expect([first?.[0], second]).toEqual([status, first]);
      });

      it('are the same for POST /products, also without the fields that 0.2.0 does not know', async () => {
        const [first, second] = await twice('POST /products', { body: { ...support, tax_category: 'e_book' } });
        expect([first?.[0], second]).toEqual([200, first]);
        const unknown = [...drift].filter((fault) => fault.startsWith('products/create-product Product supply:'));
        expect(unknown).toHaveLength(writes === '0.2.0' ? 1 : 0);
        for (const fault of unknown) drift.delete(fault);
      });

      it('are the same for POST /refunds', async () => {
        const paymentId = await sold(by(writes));
        const [first, second] = await twice('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
        expect([first?.[0], second]).toEqual([200, first]);
      });
    },
  );

  describe.each(eitherWay)('payments that $writes changed last', ({ writes, reads }) => {
    it('are listed and shown by the other version, with a lost dispute and a refund', async () => {
      const paymentId = await sold(by(writes), cards.disputeLost);
      const other = await sold(by(reads));
      for (let day = 0; day < 3; day += 1) {
        clock.forward({ hours: 24 });
        await (writes === 'today' ? sweep() : before.invoke('events/sweep-due', {}));
      }
      await by(writes).call('POST /refunds', { body: { payment_id: other, amount: 500 } });
      for (const { call } of [api, before]) {
        const { status, body } = await call('GET /payments', { query: 'page_size=100' });
        expect(status).toBe(200);
        const listed = body.items.find((one: { payment_id: string }) => one.payment_id === paymentId);
        expect(listed).toMatchObject({ dispute_status: 'dispute_lost', total_amount: 1_999 });
        expect((await call('GET /disputes', { query: 'page_size=100' })).body.items.length).toBeGreaterThan(0);
        expect((await call(`GET /payments/${other}`)).body.refunds).toHaveLength(1);
      }
      const { cookies } = await browse(by(reads) as Api, await api.addKey({ access: 'read' }));
      for (const path of ['/dashboard', '/dashboard/payments', `/dashboard/payments/${paymentId}`])
        expect([path, (await by(reads).call(`GET ${path}`, { cookies, key: null })).status]).toEqual([path, 200]);
      expect(await moneyContradictions(await rows())).toEqual([]);
    });
  });

  /** Orders an export. The clock stands still, so the newest of the listed jobs need not be the one just ordered. */
  const ordering = async (version: Caller, fields: Record<string, string>, cookies: string[]) => {
    const earlier = new Set((await exportJobs().list()).map(({ id }) => id));
    expect((await postForm(version, '/dashboard/returns', fields, cookies)).status).toBe(303);
    return { job: async () => (await exportJobs().list()).find(({ id }) => !earlier.has(id)) };
  };

  it.each(eitherWay)('an export: $writes accepts the order, $reads makes its files', async ({ writes, reads }) => {
    const { cookies, token } = await browse(by(writes) as Api, await api.addKey({ access: 'read' }));
    const fields = { action: 'create', token, form_id: writes, kind: 'oss', from: '2031-01-01', to: '2031-03-31' };
    const { job: ordered } = await ordering(by(writes), fields, cookies);
    await invoke(reads, 'accounting/run-exports');
    const job = await ordered();
    expect(job).toMatchObject({ status: 'done' });
    for (const { call } of [api, before]) {
      const { status, text } = await call('GET /dashboard/returns', { cookies, key: null });
      expect([status, text.includes(`job=${job?.id}`)]).toEqual([200, true]);
    }
  });

  it.each(eitherWay)(
    'a tax return of a kind that 0.2.0 does not know is listed by both versions, and $reads makes its files',
    async ({ reads }) => {
      const { cookies, token } = await browse(by('0.2.0') as Api, await api.addKey({ access: 'read' }));
      const fields = { action: 'create', token, form_id: `home-${reads}`, kind: 'home' };
      const period = { from: '2031-01-01', to: '2031-03-31' };
      const { job: ordered } = await ordering(api, { ...fields, ...period }, cookies);
      const listed = async () => {
        const { status } = await before.call('GET /dashboard/returns', { cookies, key: null });
        return [status, (await ordered())?.kind];
      };
      expect(await listed()).toEqual([200, 'home']);
      await invoke(reads, 'accounting/run-exports');
      expect(await listed()).toEqual([200, reads === 'today' ? 'home' : 'general']);
      const job = await ordered();
      expect(job).toMatchObject({ status: 'done' });
      expect(job?.files[0]?.name).toContain(reads === 'today' ? 'home-' : 'general-');
    },
  );

  it.each(eitherWay)('a sign-in link: $writes mails it, $reads accepts it', async ({ writes, reads }) => {
    const member = await addMember('admin');
    await browse(api, await api.addKey({ access: 'admin' }));
    const asked = await postForm(by(writes), '/dashboard/sign-in/link', { email: member.email }, []);
    const token =
      /token=([A-Za-z0-9]{43})$/m.exec(mailsIn(mails).find(({ to }) => to.includes(member.email))?.text ?? '')?.[1] ??
      '';
    const cookiesOf = (set: readonly string[]) => set.map((cookie) => cookie.split(';')[0] ?? '');
    const clicked = await postForm(by(reads), '/dashboard/sign-in/confirm', { token }, cookiesOf(asked.cookies));
    expect(clicked.status).toBe(303);
    for (const { call } of [api, before])
      expect((await call('GET /dashboard', { cookies: cookiesOf(clicked.cookies), key: null })).status).toBe(200);
  });

  it('a suggested amount: 0.2.0 drops it, and neither version accepts less than the minimum', async () => {
    const chosen = await addProduct(api, support);
    const { headers } = await api.call(`POST /buy/${chosen}`, {
      key: null,
      query: 'amount=700',
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const sessionId = /(cks_\w+)/.exec(headers['location'] ?? '')?.[1] ?? '';
    const quoted = await before.call(`POST /checkout/${sessionId}/quote`, {
      key: null,
      body: { billing_address: { country: 'DE' }, amounts: { [chosen]: 800 } },
    });
    expect(quoted.body).toMatchObject({ total_amount: 800 });
    for (const version of [api, before]) {
      const low = await pay(version, sessionId, { amounts: { [chosen]: 100 } } as object);
      expect(low.status).toBe(422);
    }
    const paid = await pay(api, sessionId, { amounts: { [chosen]: 700 } } as object);
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: 700 });
  });

  it.each(eitherWay)('an expired checkout: $writes opened it, $reads opens it again', async ({ writes, reads }) => {
    const x = await addProduct(api, { price: fixed(1_000), pricing_mode: 'by_country' });
    await api.call(`POST /products/${x}/localized-prices`, {
      body: { country_code: 'FR', currency: 'EUR', amount: 500 },
    });
    const expired = await open(by(writes), { customer: { email: 'ada@example.com', name: 'Ada' } }, x);
    clock.forward({ hours: 24 });
    await before.invoke('events/sweep-due', {});
    await sweep();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const again = await by(reads).call(`POST /checkout/${expired}/recover`, { key: null, headers });
    const sessionId = /(cks_\w+)/.exec(again.headers['location'] ?? '')?.[1] ?? '';
    expect([again.status, sessionId === expired]).toEqual([303, false]);
    const paid = await pay(by(writes), sessionId, { billing_address: { country: 'FR' } } as object);
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: 500 });
  });

  it.each(eitherWay)(
    'the figures of a day: $writes counts them, $reads shows and continues them',
    async ({ writes, reads }) => {
      clock.stopAt(writes === 'today' ? '2032-03-01T12:00:00.000Z' : '2033-03-01T12:00:00.000Z');
      await sold(by(writes));
      clock.forward({ hours: 48 });
      await invoke(writes, 'accounting/watch-thresholds');
      await sold(by(writes));
      clock.forward({ hours: 48 });
      await invoke(reads, 'accounting/watch-thresholds');
      const year = writes === 'today' ? 2032 : 2033;
      const query = `period=custom&from=${year}-03-01&to=${year}-03-04`;
      for (const version of [api, before]) {
        const { cookies } = await browse(version as Api, await api.addKey({ access: 'read' }));
        const { status, text } = await version.call('GET /dashboard', { query, cookies, key: null });
        expect([status, text.replaceAll('\u00a0', ' ').includes('€39.98')]).toEqual([200, true]);
      }
    },
  );
});
