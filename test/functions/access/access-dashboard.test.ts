import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { newSession } from '../../../shared/dashboard/session/new-session.ts';
import { dashboardCommands } from '../../../shared/domain/access/dashboard-commands.ts';
import { accessOfPage } from '../../../shared/domain/access/dashboard-pages.ts';
import type { Member } from '../../../shared/domain/access/member.ts';
import { draftFileName, newExportJob } from '../../../shared/domain/reports/export-job.ts';
import { exportBucket } from '../../../shared/outside/exports/export-bucket.ts';
import type { SmallSeller } from '../../../shared/tax/rules/small-seller.ts';
import { retryStale } from '../../../shared/use-cases/retry.ts';
import { exportJobs, filedReturns } from '../../../shared/wiring/books.ts';
import { buyerFiles } from '../../../shared/wiring/files.ts';
import { members, payments, signIns, table, taxRules } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { expectAudit } from '../../support/shop/audit.ts';
import { type Caller, callerNames, openCallers } from '../../support/shop/callers.ts';
import { cards } from '../../support/shop/cards.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { grantLicense } from '../../support/shop/grants.ts';
import { addMember, rewriteMembers } from '../../support/shop/members.ts';
import { hearDispute, loseDispute } from '../../support/shop/settle.ts';
import { addProduct, sell } from '../../support/shop/shop.ts';
import { declareByForm, declareByLink } from '../../support/shop/withdrawals.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { payOutSales } from '../../support/table/paid-out.ts';
import { type Written, watchWrites } from '../../support/table/rows.ts';

useShortPauses();

const mails = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));
let api: Api;
let bucket: Bucket;
let callers: Map<string, Caller>;
let writes: Written[];
/** The members who are callers. */
const stay = new Set<string>();
let shop: Record<
  | 'paymentId'
  | 'productId'
  | 'eventId'
  | 'webhookId'
  | 'customerId'
  | 'brandId'
  | 'memberId'
  | 'discountId'
  | 'entitlementId'
  | 'grantId'
  | 'disputeId'
  | 'payoutId'
  | 'withdrawalId',
  string
>;

beforeAll(async () => {
  api = await startApi(undefined, { MAIL_FOLDER: mails });
  bucket = await startBucket({ bucketNames: [localNames.files, localNames.bucket] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
  callers = await openCallers(api);
  for (const [name, browsing] of Object.entries(await endedSessions()))
    callers.set(name, { name, key: null, holder: 'none', browsing, refusal: () => 401 });
  const webhookId = await newWebhook();
  const sold = await sell(api);
  const { body: events } = await api.call('GET /webhook-events');
  const { body: payment } = await api.call(`GET /payments/${sold.paymentId}`);
  const { body: brands } = await api.call('GET /brands');
  const [customerId, brandId] = [payment.customer.customer_id, brands.items[0].brand_id];
  shop = {
    ...sold,
    eventId: events.items[0].event_id,
    webhookId,
    customerId,
    brandId,
    memberId: (await addMember('read')).id,
    entitlementId: await idOf('POST /entitlements', newLink),
    grantId: (await grantSample()).grant.id,
    disputeId: await hearDispute((await sell(api, { card: cards.disputeLost })).paymentId),
    payoutId: await payOutSales([sold.paymentId]),
    withdrawalId: await declareByForm(api),
    discountId: await idOf('POST /discounts', { type: 'percentage', amount: 1_000 }),
  };
  for (const { id } of (await members().list()).members) stay.add(id);
  writes = watchWrites(table().client);
});
afterAll(async () => {
  await api.stop();
  await bucket.stop();
  rmSync(mails, { recursive: true });
});

async function idOf(request: string, body: object): Promise<string> {
  const answer = await api.call(request, { body });
  expect([request, answer.status, answer.text]).toEqual([request, 200, expect.anything()]);
  return answer.body.id ?? answer.body.discount_id;
}
const newWebhook = () => idOf('POST /webhooks', { url: 'https://shop.example/hooks' });

/** There may be twenty at most: those that earlier forms have made go. */
async function afterTidying(path: string | (() => Promise<string>)): Promise<string> {
  const { body } = await api.call('GET /webhooks', { query: 'limit=100' });
  for (const { id } of body.data) if (id !== shop.webhookId) await api.call(`DELETE /webhooks/${id}`);
  return typeof path === 'string' ? path : path();
}

let rules = 0;
/** Two days that no earlier rule has. */
function nextDays(): [string, string] {
  rules += 1;
  const at = (day: number) => new Date(Date.UTC(2001, 0, day)).toISOString().slice(0, 10);
  return [at(2 * rules), at(2 * rules + 1)];
}

/** A return that the worker has made, of a month of its own, because a period is filed once. */
async function madeReturn(): Promise<string> {
  rules += 1;
  const from = new Date(Date.UTC(2000, rules, 1)).toISOString().slice(0, 10);
  const to = new Date(Date.UTC(2000, rules + 1, 0)).toISOString().slice(0, 10);
  const id = `exp_${randomUUID()}`;
  const createdAt = new Date().toISOString();
  const job = newExportJob({ kind: 'general', from, to }, { id, now: createdAt, createdBy: 'test' });
  await exportJobs().save({ ...job, status: 'done', isFileable: true });
  const filed = (await filedReturns().list()).map((one) => one.from);
  const draft = { kind: 'general', from, to, madeAt: createdAt, tableVersion: '1', rates: [], boxes: '', notes: [] };
  const movements = { counted: [], others: [], late: [], filedBefore: filed };
  const text = JSON.stringify({ ...draft, ...movements });
  await exportBucket(localNames.bucket).storeFile(id, draftFileName, text);
  return id;
}

/** Sets whether the merchant taxes small sales at home. */
async function asSmallSeller(smallSeller: SmallSeller | undefined): Promise<void> {
  await retryStale(async () => taxRules().save({ ...(await taxRules().get()), smallSeller }, []));
}

function registration() {
  // one that has begun cannot be removed
  const [active_from = '', expires_at = ''] = nextDays().map((day) => day.replace('20', '21'));
  return { country: 'SE', scheme: 'standard', active_from, expires_at };
}

function override() {
  const [effective_from, effective_to] = nextDays();
  return { country: 'SE', mode: 'replace', taxability: 'taxable', effective_from, effective_to, reason: 'A ruling.' };
}

const product = {
  name: 'Field Guide',
  description: 'An example.',
  tax_category: 'e_book',
  currency: 'EUR',
  price: '19.99',
};

/** A form that its page accepts, and what it is answered. */
interface Sample {
  path: string;
  fields?: Record<string, string>;
  status?: 200 | 303;
}

type Samples = {
  [Page in keyof typeof dashboardCommands]: {
    [Name in keyof (typeof dashboardCommands)[Page]]: (caller: Caller) => Sample | Promise<Sample>;
  };
};

/** A further session of a key or a member. */
async function furtherSession(holder: string): Promise<string> {
  const session = newSession(holder, { id: randomUUID(), at: new Date() });
  await signIns().save(session, []);
  return session.id;
}

const codePath = async () =>
  `/dashboard/discounts/${await idOf('POST /discounts', { type: 'percentage', amount: 1_000 })}`;
/** A product with a price in dollars, and what its form names. */
async function marketPath(): Promise<Sample> {
  const id = await addProduct(api, { pricing_mode: 'by_currency' });
  const { body } = await api.call(`POST /products/${id}/localized-prices`, { body: { amount: 900, currency: 'USD' } });
  return { path: `/dashboard/products/${id}`, fields: { price_id: body.id, currency: 'USD', amount: '19' } };
}

const given = { name: 'Course', integration_type: 'digital_files' };
const content = { external_url: 'https://course.example/' };
const newLink = { ...given, integration_config: content };

/** A product that gives a link, and what its forms name. */
async function givenSample(isOnProduct: boolean): Promise<Sample> {
  const productId = await addProduct(api);
  const to = `/dashboard/products/${productId}/entitlements`;
  const entitlement_id = await idOf('POST /entitlements', newLink);
  if (isOnProduct) return { path: to, fields: { entitlement_id } };
  return { path: `${to}/${entitlement_id}`, fields: { ...given, ...content } };
}

/** A grant with a licence key. */
async function grantSample() {
  const { grant, licenseKey } = await grantLicense(await payments().get((await sell(api)).paymentId));
  return { path: `/dashboard/grants/${grant.id}`, grant, licenseKey, fields: { key_id: licenseKey.id } };
}

const song = Buffer.from('la la l');
const onePart = { size: String(song.length), sha256: createHash('sha256').update(song).digest('hex') };

/** An entitlement that waits for the bytes of a file, and what its forms name. */
async function fileSample() {
  const { path } = await givenSample(false);
  const id = path.split('/').at(-1);
  const { body } = await api.call(`POST /entitlements/${id}/files`, { body: { file_size: song.length } });
  return { path, fields: { file_id: body.file_id as string } };
}

/** The same after the only part was sent. */
async function sentSample(): Promise<Sample> {
  const { path, fields } = await fileSample();
  const place = { entitlementId: path.split('/').at(-1) ?? '', fileId: fields.file_id };
  const uploadId = await buyerFiles().beginParts(place);
  const part = { uploadId, number: 1, size: song.length, sha256: onePart.sha256 };
  const { url, method, headers } = await buyerFiles().signPart(place, part);
  const sent = await fetch(url, { method, headers, body: new Uint8Array(song) });
  const parts = [{ number: 1, etag: sent.headers.get('etag'), sha256: onePart.sha256 }];
  return { path, fields: { ...fields, upload_id: uploadId, parts: JSON.stringify(parts) } };
}

/** A declaration through the link of an order, and what its form says. */
const withdrawalSample = async (fields: Record<string, string> = {}): Promise<Sample> => ({
  path: `/dashboard/withdrawals/${await declareByLink(api, (await sell(api)).paymentId)}`,
  fields,
});

const onPayment = (): string => `/dashboard/payments/${shop.paymentId}`;
const onWebhook = (): string => `/dashboard/webhooks/${shop.webhookId}`;

/** A payment whose tax id has proven good after the sale. */
async function proposed(): Promise<string> {
  const { paymentId } = await sell(api);
  const payment = await payments().get(paymentId);
  const at = payment.createdAt;
  const taxId = { id: 'FR83404833048', country: 'FR', status: 'valid', formatName: 'EU VAT', checkedAt: at } as const;
  const worth = { amount: 0, tax: payment.tax };
  const state = { status: 'proposed', cause: 'buyer', at, taxId, businessName: null, isNamed: true } as const;
  await payments().save({ ...payment, correction: { ...state, ...worth } });
  return paymentId;
}

/** There may be fifty at most: those that earlier forms have made go. */
const tidyMembers = () =>
  rewriteMembers((all) => [
    ...all.filter(({ id }) => stay.has(id)),
    ...all.filter(({ id }) => !stay.has(id)).slice(-20),
  ]);

/** The page of a new member. */
async function memberPath(fields: Partial<Member> = {}): Promise<string> {
  await tidyMembers();
  const { id } = await addMember('read', fields);
  return `/dashboard/members/${id}`;
}

/** A payment whose purchase mail was sent. */
async function documented(): Promise<string> {
  const { paymentId } = await sell(api);
  const { body } = await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` });
  const detail = { event_id: body.items[0].event_id, payment_id: paymentId, data: {} };
  await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
  return paymentId;
}

/** One for every command: a command that is missing here does not compile. */
const samples: Samples = {
  products: {
    preview: () => ({ path: '/dashboard/products', fields: product, status: 200 }),
    save: () => ({ path: '/dashboard/products', fields: product }),
    archive: async () => ({ path: `/dashboard/products/${await addProduct(api)}` }),
    archive_several: async () => ({ path: '/dashboard/products', fields: { product_id: await addProduct(api) } }),
    restore: async () => {
      const id = await addProduct(api);
      await api.call(`DELETE /products/${id}`);
      return { path: `/dashboard/products/${id}` };
    },
    set_markets: async () => ({
      path: `/dashboard/products/${await addProduct(api)}`,
      fields: { pricing_mode: 'by_country' },
    }),
    add_price: async () => ({
      path: `/dashboard/products/${await addProduct(api, { pricing_mode: 'by_currency' })}`,
      fields: { currency: 'USD', amount: '19' },
    }),
    change_price: () => marketPath(),
    archive_price: () => marketPath(),
  },
  entitlements: {
    create: async () => ({
      path: `/dashboard/products/${await addProduct(api)}/entitlements`,
      fields: { ...given, ...content, kind: 'link' },
    }),
    attach: () => givenSample(true),
    detach: () => givenSample(true),
    save: () => givenSample(false),
    add_codes: async () => {
      const config = { fulfillment_mode: 'manual', pool: true };
      const body = { name: 'Game', integration_type: 'license_key', integration_config: config };
      const { id } = (await api.call('POST /entitlements', { body })).body;
      return { path: `/dashboard/products/${await addProduct(api)}/entitlements/${id}`, fields: { codes: 'ONE' } };
    },
    import_keys: async () => {
      const { path } = await givenSample(false);
      const { customer_id: customer } = (
        await api.call('POST /customers', { body: { email: `${crypto.randomUUID()}@example.com`, name: 'Ada' } })
      ).body;
      return { path, fields: { keys: `key,customer_id\n${crypto.randomUUID()},${customer}` } };
    },
    add_file: async () => ({ path: (await fileSample()).path, fields: { file_name: 'Song.mp3', file_size: '7' } }),
    sign_part: async () => {
      const { path, fields } = await fileSample();
      return { path, fields: { ...fields, upload_id: 'begun', ...onePart, number: '1' }, status: 200 };
    },
    finish_file: () => sentSample(),
    rename_file: async () => {
      const { path, fields } = await fileSample();
      return { path, fields: { ...fields, file_name: 'Other.mp3' } };
    },
    move_file: () => fileSample(),
    remove_file: () => fileSample(),
  },
  mails: {
    send_example: () => ({ path: '/dashboard/mails', fields: { mail: 'invoice' } }),
    preview_words: () => ({ path: '/dashboard/mails', fields: { edit: 'purchase' }, status: 200 }),
    save_words: () => ({ path: '/dashboard/mails', fields: { edit: 'purchase', greeting: 'Hello {name},' } }),
  },
  discounts: {
    save: () => ({ path: '/dashboard/discounts', fields: { type: 'percentage', percent: '15', eligibility: 'any' } }),
    stop: async () => ({ path: await codePath() }),
    allow: async () => ({ path: await codePath(), fields: { emails: 'reader@example.com' } }),
    disallow: async () => ({ path: await codePath(), fields: { customer_id: 'cus_000000000000000000000' } }),
  },
  payments: {
    preview: () => ({ path: onPayment(), fields: { scope: 'all' }, status: 200 }),
    refund: async () => {
      const { paymentId } = await sell(api);
      return {
        path: `/dashboard/payments/${paymentId}`,
        fields: { scope: 'amount', amount: '1.00', expected: '1999', confirmed: '100' },
      };
    },
    resend: () => ({ path: onPayment(), fields: { event_id: shop.eventId, endpoint_id: shop.webhookId } }),
    correct: async () => ({ path: `/dashboard/payments/${await proposed()}` }),
    leave: async () => ({ path: `/dashboard/payments/${await proposed()}` }),
  },
  disputes: {
    choose_ground: async () => ({
      path: `/dashboard/disputes/${await loseDispute((await sell(api)).paymentId)}`,
      fields: { ground: 'uncollectible' },
    }),
  },
  grants: {
    revoke: async () => ({ path: (await grantSample()).path, fields: { reason: 'Shared' } }),
    restore: async () => {
      const { path, grant } = await grantSample();
      await api.call(`DELETE /entitlements/${grant.entitlementId}/grants/${grant.id}`);
      return { path };
    },
    reissue: async () => {
      const { path, fields } = await grantSample();
      return { path, fields: { ...fields, new_key: randomUUID() } };
    },
    change_key: async () => {
      const { path, fields } = await grantSample();
      return { path, fields: { ...fields, limit: '3', expires: '2035-01-01' } };
    },
    end_device: async () => {
      const { path, fields, licenseKey } = await grantSample();
      const body = { license_key: licenseKey.key, name: 'Laptop' };
      const { id } = (await api.call('POST /licenses/activate', { body, key: null })).body;
      return { path, fields: { ...fields, device_id: id } };
    },
  },
  orders: {
    send: async () => ({ path: `/dashboard/payments/${await documented()}/order` }),
    replace: async () => ({ path: `/dashboard/payments/${(await sell(api)).paymentId}/order` }),
    correct: async () => ({
      path: `/dashboard/payments/${(await sell(api)).paymentId}/order`,
      fields: { email: 'right@example.com' },
    }),
  },
  withdrawals: {
    confirm: () => withdrawalSample({ proposed: 'full_refund 1999' }),
    refund: () => withdrawalSample({ amount_0: '1.00', confirmed: '100' }),
    refuse: () => withdrawalSample({ reason: 'late' }),
    end: () => withdrawalSample(),
    close: () => withdrawalSample(),
    match: async () => ({
      path: `/dashboard/withdrawals/${await declareByForm(api)}`,
      fields: { payment_id: (await sell(api)).paymentId },
    }),
    enter: async () => ({
      path: '/dashboard/withdrawals',
      fields: {
        name: 'Ann Buyer',
        payment_id: (await sell(api)).paymentId,
        day: new Date().toISOString().slice(0, 10),
      },
    }),
  },
  customers: {
    erase: async () => {
      const { body } = await api.call('POST /customers', {
        body: { email: `${randomUUID()}@example.com`, name: 'Erika' },
      });
      return { path: `/dashboard/customers/${body.customer_id}` };
    },
  },
  webhooks: {
    create: async () => ({
      path: await afterTidying('/dashboard/webhooks'),
      fields: { url: 'https://shop.example/more' },
    }),
    save: () => ({ path: onWebhook(), fields: { url: 'https://shop.example/hooks', enabled: 'true' } }),
    rotate: async () => ({ path: `/dashboard/webhooks/${await afterTidying(newWebhook)}` }),
    test: () => ({ path: onWebhook(), fields: { type: 'payment.succeeded' } }),
    resend: () => ({ path: onWebhook(), fields: { event_id: shop.eventId } }),
    recover: () => ({ path: onWebhook() }),
    delete: async () => ({ path: `/dashboard/webhooks/${await afterTidying(newWebhook)}` }),
  },
  taxes: {
    add_registration: () => ({ path: '/dashboard/tax', fields: registration() }),
    change_registration: async () => {
      const added = registration();
      return { path: '/dashboard/tax', fields: { ...added, id: await idOf('POST /tax/registrations', added) } };
    },
    remove_registration: async () => ({
      path: '/dashboard/tax',
      fields: { id: await idOf('POST /tax/registrations', registration()) },
    }),
    add_override: () => ({ path: '/dashboard/tax', fields: { ...override(), name_1: 'Moms', rate_1: '6' } }),
    remove_override: async () => {
      const added = { ...override(), components: [{ name: 'Moms', rate: '0.06' }] };
      return { path: '/dashboard/tax', fields: { id: await idOf('POST /tax/overrides', added) } };
    },
    state_small_seller: async () => {
      await asSmallSeller(undefined);
      const fields = { currency: 'EUR', is_one_state: 'true', last_year: '0', this_year: '0' };
      return { path: '/dashboard/tax', fields };
    },
    leave_small_seller: async () => {
      await asSmallSeller({ from: '2020-01-01', elsewhere: {} });
      return { path: '/dashboard/tax' };
    },
  },
  keys: {
    create: () => ({ path: '/dashboard/keys', fields: { name: 'More', access: 'read' }, status: 200 }),
    revoke: async () => ({
      path: '/dashboard/keys',
      fields: { id: await idOf('POST /api-keys', { name: 'Spare', access: 'read' }) },
    }),
    end_session: async ({ holder }) => ({
      path: '/dashboard/keys',
      fields: { session_id: await furtherSession(holder) },
    }),
  },
  brands: {
    save: () => ({ path: '/dashboard/brands', fields: { name: 'Second' } }),
    save_policies: () => ({ path: '/dashboard/brands/policies', fields: { terms: 'All sales are final.' } }),
    make_policy: () => ({
      path: '/dashboard/brands/imprint',
      fields: { name: 'Example', address: '1 Street', email: 'a@example.com', phone: '+49 30 1', arbitration: 'none' },
    }),
    preview_policies: () => ({
      path: '/dashboard/brands/policies',
      fields: { text: 'All sales are final.' },
      status: 200,
    }),
    save_rights: () => ({ path: '/dashboard/brands/rights', fields: { offer: 'on' } }),
  },
  members: {
    invite: async () => {
      await tidyMembers();
      return { path: '/dashboard/members', fields: { email: `${randomUUID()}@example.com`, role: 'read' } };
    },
    invite_again: async () => ({
      path: await memberPath({ joinedAt: null, inviteEndsAt: '2099-01-01T00:00:00.000Z' }),
    }),
    change_role: async () => ({ path: await memberPath({ role: 'write' }), fields: { role: 'read' } }),
    remove: async () => ({ path: await memberPath() }),
    end_session: async () => {
      await tidyMembers();
      const { id } = await addMember('read');
      return { path: `/dashboard/members/${id}`, fields: { session_id: await furtherSession(id) } };
    },
    end_own_session: async ({ holder }) => ({
      path: '/dashboard/members',
      fields: { session_id: await furtherSession(holder) },
    }),
  },
  returns: {
    create: () => ({ path: '/dashboard/returns', fields: { kind: 'general', from: '2026-01-01', to: '2026-03-31' } }),
    file: async () => ({ path: '/dashboard/returns', fields: { job: await madeReturn() } }),
  },
};

/** What changes nothing, or neither money nor keys nor settings. */
const unaudited = new Set([
  'products preview',
  'brands preview_policies',
  'payments preview',
  'mails send_example',
  'mails preview_words',
  'entitlements sign_part',
  ...['payments resend', 'webhooks resend', 'webhooks recover', 'webhooks test'],
]);

const pages = Object.keys(samples) as (keyof Samples)[];
const sampleOf = (page: keyof Samples, name: string) =>
  (samples[page] as Record<string, (caller: Caller) => Sample | Promise<Sample>>)[name] as (
    caller: Caller,
  ) => Promise<Sample>;

const refusedSamples = new Map<string, Sample>();

/** The same sample for every caller who is refused, because a refused form changes nothing. */
const refusedSampleOf = (page: keyof Samples, name: string) => async (caller: Caller) => {
  const known = refusedSamples.get(`${page} ${name}`) ?? (await sampleOf(page, name)(caller));
  refusedSamples.set(`${page} ${name}`, known);
  return known;
};

const fieldsOfPages = new Map<keyof Samples, Promise<Record<string, string>>>();

/** What any command of a page would need. An undeclared command changes nothing, so it is made once for all callers. */
function allFieldsOf(page: keyof Samples): Promise<Record<string, string>> {
  const known = fieldsOfPages.get(page) ?? makeAllFieldsOf(page);
  fieldsOfPages.set(page, known);
  return known;
}

async function makeAllFieldsOf(page: keyof Samples): Promise<Record<string, string>> {
  const made = Object.keys(samples[page]).map((name) => sampleOf(page, name)(callerNamed('nobody')));
  return Object.assign({}, ...(await Promise.all(made)).map(({ fields }) => fields));
}

let forms = 0;

/** Posts a form by a caller. */
async function submit(caller: Caller, path: string, fields: Record<string, string>) {
  const { cookies, token } = caller.browsing;
  forms += 1;
  const sent = { ...fields, token, form_id: `form-${forms}` };
  const { status } = await postForm(api, path, sent, cookies);
  return status;
}

const callerNamed = (name: string): Caller => callers.get(name) as Caller;

/** Every route that takes forms of the dashboard. */
const posted = endpoints.filter(
  ({ method, paths }) => /ANY|POST/.test(method) && paths.some((path) => path.startsWith('/dashboard')),
);
const pageOf = (commands: unknown) => pages.find((page) => dashboardCommands[page] === commands) as keyof Samples;

/** Admins whose key is good, and whose session is over. */
const endedNames = ['an admin who has signed out', 'an admin whose session another one ended'] as const;

async function endedSessions(): Promise<Record<(typeof endedNames)[number], Browsing>> {
  const key = await api.addKey({ access: 'admin' });
  const [out, ended, ender] = [await browse(api, key), await browse(api, key), await browse(api, key)];
  await postForm(api, '/dashboard/sign-out', { token: out.token }, out.cookies);
  const { text } = await api.call('GET /dashboard/keys', { cookies: ender.cookies, key: null });
  const [, session_id = ''] = /name="session_id" value="([^"]+)"/.exec(text) ?? [];
  const form = { action: 'end_session', session_id, token: ender.token, form_id: 'end' };
  expect((await postForm(api, '/dashboard/keys', form, ender.cookies)).status).toBe(303);
  return { 'an admin who has signed out': out, 'an admin whose session another one ended': ended };
}

describe.each([...callerNames, ...endedNames])('the answer to a command from %s', (callerName) => {
  const declared = posted.flatMap(({ commands = {} }) =>
    Object.entries(commands).map(([command, { needs }]) => ({ page: pageOf(commands), command, needed: needs })),
  );

  it.each(declared)('follows the access table: $page $command needs $needed', async (asked) => {
    const caller = callerNamed(callerName);
    const refusal = caller.refusal(asked.needed, `${asked.page} ${asked.command}`);
    const take =
      refusal === undefined ? sampleOf(asked.page, asked.command) : refusedSampleOf(asked.page, asked.command);
    const { path, fields = {}, status = 303 } = await take(caller);
    writes.length = 0;
    expect(await submit(caller, path, { ...fields, action: asked.command })).toBe(refusal ?? status);
    if (refusal !== undefined) expect(writes).toEqual([]);
    else expectAudit(writes, !unaudited.has(`${asked.page} ${asked.command}`));
  });

  const invented = [
    '',
    'preview',
    'create',
    'save',
    'CREATE',
    'Save',
    'sign_in',
    '__proto__',
    'constructor',
    'toString',
  ];

  it.each(posted.filter(({ commands }) => commands))(
    'refuses a command that the access table does not declare: $function',
    async ({ commands = {}, paths }) => {
      const caller = callerNamed(callerName);
      const unknown = invented.filter((command) => !Object.hasOwn(commands, command));
      const everything = await allFieldsOf(pageOf(commands));
      writes.length = 0;
      for (const path of paths)
        for (const action of unknown) {
          const filled = path.replace('{id}', shop.webhookId);
          const answer = await submit(caller, filled, { ...everything, action });
          expect([action, answer]).toEqual([action, caller.refusal('read') ?? 403]);
        }
      expect(writes).toEqual([]);
    },
  );
});

/** Every page of the dashboard that shows something. */
const shown = endpoints.flatMap(({ method, paths }) =>
  /ANY|GET/.test(method) ? paths.filter((path) => path.startsWith('/dashboard') && !/sign-|\{file\}/.test(path)) : [],
);

describe.each([...callerNames, ...endedNames])('a dashboard page, opened by %s', (callerName) => {
  it.each(shown)(
    'is shown to the sessions that may open it, and leads strangers to the sign-in page: %s',
    async (path) => {
      const id = {
        products: shop.productId,
        payments: shop.paymentId,
        webhooks: shop.webhookId,
        customers: shop.customerId,
        brands: shop.brandId,
        members: shop.memberId,
        discounts: shop.discountId,
        grants: shop.grantId,
        disputes: shop.disputeId,
        payouts: shop.payoutId,
        withdrawals: shop.withdrawalId,
      };
      const named = path.replace(/(\w+)\/\{id\}/, (_, of: keyof typeof id) => `${of}/${id[of]}`);
      const filled = named.replace('{entitlement_id}', shop.entitlementId);
      const { browsing, refusal } = callerNamed(callerName);
      writes.length = 0;
      const { status, headers } = await api.call(`GET ${filled}`, { cookies: browsing.cookies, key: null });
      const isOut = refusal('read') !== undefined;
      const needs = accessOfPage(filled);
      const hasOwn = filled.startsWith(/member|owner/.test(callerName) ? '/dashboard/members' : '/dashboard/keys');
      const isClosed = needs !== undefined && refusal(needs) !== undefined && !hasOwn;
      expect([filled, status, headers['location']?.split('?')[0]]).toEqual([
        filled,
        isOut ? 303 : isClosed ? 403 : 200,
        isOut ? '/dashboard/sign-in' : undefined,
      ]);
      expect(writes).toEqual([]);
    },
  );
});

it('Every form of the dashboard names a declared command, except the forms for signing in and out', () => {
  expect(posted.filter(({ commands }) => !commands).map(({ paths }) => paths)).toEqual([
    ['/dashboard/sign-in', '/dashboard/sign-out'],
    ['/dashboard/sign-in/link', '/dashboard/sign-in/confirm'],
  ]);
  expect(posted.flatMap(({ commands }) => (commands ? [pageOf(commands)] : [])).sort()).toEqual([...pages].sort());
});
