import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Access } from '../../../shared/domain/access/access.ts';
import { withDownload } from '../../../shared/domain/entitlements/downloads.ts';
import { grantsOwedBy } from '../../../shared/domain/entitlements/grant.ts';
import { entitlements, grants, licenseKeys, payments } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { hearBank, hearDispute, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { makeFilesReady } from '../../support/table/ready-files.ts';

let api: Api;
beforeAll(async () => {
  clock.stopAt('2026-03-10T12:00:00.000Z');
  api = await startApi();
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

const create = async (name: string, integration_type: string, integration_config: object): Promise<string> =>
  (await api.call('POST /entitlements', { body: { name, integration_type, integration_config } })).body.id;

async function sold(entitlementIds: readonly string[]): Promise<string> {
  const attached = entitlementIds.map((entitlement_id) => ({ entitlement_id }));
  const product = await addProduct(api, { entitlements: attached });
  const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
  return (await pay(session, { expectedTotal: 1_999, card: cards.disputeLost })).id;
}

/** The page of the dispute of a payment, as somebody sees it who may only read. */
async function evidenceOf(paymentId: string): Promise<string> {
  const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
  const disputeId = await hearDispute(paymentId);
  const { status, text } = await api.call(`GET /dashboard/disputes/${disputeId}`, { cookies, key: null });
  expect(status).toBe(200);
  return text;
}

/** The text of a field to copy. */
const copied = (page: string, field: 'service' | 'log'): string[] =>
  (new RegExp(`<textarea id="${field}"[^>]*>([^<]*)</textarea>`).exec(page)?.[1] ?? '').split('\n');

it('the page of a dispute lists deliveries, downloads and activations, without the licence key', async () => {
  const files = await create('The book', 'digital_files', {});
  for (const file_name of ['Atlas.pdf', 'Map.pdf']) {
    await api.call(`POST /entitlements/${files}/files`, { body: { file_name, file_size: 3 } });
    await makeFilesReady(files);
  }
  const license = await create('The program', 'license_key', {});
  const paymentId = await sold([files, license]);
  await sweep();
  const owed = grantsOwedBy(await payments().get(paymentId)).map(({ id }) => id);
  const [ofFiles, ofKey] = [...(await grants().findMany(owed)).values()];
  const { config } = await entitlements().get(files);
  const fileId = config.type === 'digital_files' ? (config.files[0]?.id ?? '') : '';
  if (!ofFiles || !ofKey) throw new Error('Nothing was given.');
  const first = withDownload(ofFiles, fileId, new Date('2026-03-10T13:00:00.000Z'));
  await grants().save({ grant: withDownload(first, fileId, new Date('2026-03-11T09:30:00.000Z')) });
  const { key } = await licenseKeys().get(ofKey.licenseKeyId ?? '');
  await api.call('POST /licenses/activate', { key: null, body: { license_key: key, name: 'Studio' } });

  const page = await evidenceOf(paymentId);
  expect(copied(page, 'service')).toEqual([
    'Sold: Field Guide (e-book) × 1, €19.99, on 10 Mar 2026, 12:00 UTC',
    `Payment: ${paymentId}`,
    'Buyer: A Buyer, buyer@example.com',
    expect.stringMatching(/^Address check: billing address in Germany/),
    'Mail with the link to the order: none is recorded',
    'The book: made available on 10 Mar 2026, 12:00 UTC',
    'The program: made available on 10 Mar 2026, 12:00 UTC',
  ]);
  expect(copied(page, 'log')).toEqual([
    'Atlas.pdf: downloaded 2 times, first on 10 Mar 2026, 13:00 UTC, last on 11 Mar 2026, 09:30 UTC',
    'Map.pdf: not downloaded',
    'The program: activated on the device “Studio” on 10 Mar 2026, 12:00 UTC',
  ]);
  expect(page).not.toContain(key);
  expect(page).not.toContain(key.slice(-5));
  expect(page).not.toMatch(/\b\d{1,3}(\.\d{1,3}){3}\b/);
});

it('the page of a dispute says so if a sale delivered nothing through the shop', async () => {
  const page = await evidenceOf(await sold([]));
  expect(page).toContain('This payment gave nothing through this shop');
  expect(copied(page, 'service')).toHaveLength(5);
  expect(page).not.toContain('<textarea id="log"');
});

it('404: an unknown dispute has no page', async () => {
  const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
  const { status } = await api.call('GET /dashboard/disputes/dp_unknown', { cookies, key: null });
  expect(status).toBe(404);
});

/** What the page of a dispute says about the next step. */
async function nextStepOf(said: Parameters<typeof hearBank>[1], access: Access = 'write'): Promise<string> {
  const refunds = access === 'read' ? null : { perDay: null };
  const { cookies } = await browse(api, await api.addKey({ access, refunds }));
  const id = await hearBank(await sold([]), said);
  const { text } = await api.call(`GET /dashboard/disputes/${id}`, { cookies, key: null });
  return (/id="next-title">(.*?)<\/section>/s.exec(text)?.[1] ?? '').replace(/<[^>]*>/g, ' ');
}

it('the page of an open dispute says why, what to do next, until when, and where', async () => {
  const url = 'https://bank.example/dispute';
  const next = await nextStepOf({ dueBy: '2026-03-20T00:00:00.000Z', url, reason: 'product_not_received' });
  expect(next).toContain('The buyer says that nothing arrived.');
  expect(next).toMatch(/Read the texts below.*The bank accepts it until\s+20 Mar 2026/s);
  expect(next).toContain('Answer at the processor');
  expect(next).not.toContain('Refund instead');
});

it('the page of an inquiry offers a refund, and a decided dispute has nothing to answer', async () => {
  const inquiry = { stage: 'pre_dispute', isRefundable: true, withdrawn: 0 } as const;
  expect(await nextStepOf(inquiry)).toContain('Refund instead');
  expect(await nextStepOf(inquiry, 'read')).not.toContain('Refund instead');
  expect(await nextStepOf({ status: 'won' })).toContain('The money is yours again.');
  expect(await nextStepOf({ status: 'challenged' })).toContain('Nothing is to do until it decides.');
});
