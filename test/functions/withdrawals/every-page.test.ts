import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { policyHash } from '../../../shared/domain/catalogue/policies.ts';
import { publishPolicies } from '../../../shared/use-cases/catalogue/publish-policies.ts';
import { updateWithdrawalSettings } from '../../../shared/use-cases/withdrawal/update-withdrawal-settings.ts';
import { brands, now, payments, sessions, withdrawals } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf, proofUrlOf, taxIdUrl } from '../../../shared/wiring/selling.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';
import { declareByForm } from '../../support/shop/withdrawals.ts';
import { openPortal, type PortalVisitor } from '../portal/portal-visitor.ts';

let shop: Awaited<ReturnType<typeof openPortal>>;
let bucket: Bucket;
/** A browser with a session of the portal and the cookie of the order. */
let buyer: PortalVisitor;
let paymentId: string;
let productId: string;
beforeAll(async () => {
  shop = await openPortal();
  bucket = await startBucket({ bucketNames: [localNames.files] });
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
  await publishPolicies({ brands: brands(), policyLanguage: 'en', now }, [terms], () => []);
  const entitlements = [{ entitlement_id: await newFile() }];
  productId = await addProduct(shop.api, { entitlements });
  const cart = [{ product_id: productId, quantity: 1 }];
  const email = 'ann@every.example';
  paymentId = (await pay(await createSession(shop.api, cart), { expectedTotal: 1_999, email })).id;
  buyer = shop.visitor();
  await buyer.signIn(email);
  await buyer.get(await orderUrlOf(await payments().get(paymentId)));
});
afterAll(async () => {
  await bucket.stop();
  await shop.close();
});

const terms = { kind: 'terms', language: 'en', text: 'Be kind.' } as const;

async function newFile(): Promise<string> {
  const config = { digital_file_ids: [] };
  const body = { name: 'The book', integration_type: 'digital_files', integration_config: config };
  const { id } = (await shop.api.call('POST /entitlements', { body })).body;
  const bytes = Buffer.from('%PDF-1.7 an example');
  const checksum_sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { file_name: 'book.pdf', file_size: bytes.length, checksum_sha256 };
  const { upload } = (await shop.api.call(`POST /entitlements/${id}/files`, { body: file })).body;
  await fetch(upload.url, { method: upload.method, headers: upload.headers, body: new Uint8Array(bytes) });
  return id;
}

const newSession = () => createSession(shop.api, [{ product_id: productId, quantity: 1 }]);
const sold = async () => payments().get(paymentId);

/** The page to which a link of the order page leads. */
async function linkedPage(part: RegExp): Promise<ApiAnswer> {
  const { text } = await buyer.get(`/orders/${paymentId}`);
  const [, link = ''] = part.exec(text) ?? [];
  return buyer.get(link.replaceAll('&amp;', '&'));
}

async function download(): Promise<ApiAnswer> {
  const { text } = await buyer.get(`/orders/${paymentId}`);
  const form = /action="([^"?]*downloads[^"?]*)[^"]*">\s*<input type="hidden" name="token" value="([^"]+)"/.exec(text);
  return buyer.get(`${form?.[1]}?token=${form?.[2]}`);
}

async function confirmPage(): Promise<ApiAnswer> {
  const id = await declareByForm(shop.api, { reference: paymentId, email: 'stranger@every.example' });
  expect((await withdrawals().get(id)).current.paymentId).toBe(paymentId);
  return buyer.get(await proofUrlOf(id, (await sold()).customer.email));
}

/** How a buyer comes to the page of each public path. */
const pages: Readonly<Record<string, () => Promise<ApiAnswer>>> = {
  '/invoices/payments/{payment_id}': () => linkedPage(/href="([^"]*\/invoices\/payments\/[^"]*format=html[^"]*)"/),
  '/invoices/refunds/{refund_id}': async () => {
    const { paymentId: refunded } = await sell(shop.api);
    const { body } = await shop.api.call('POST /refunds', { body: { payment_id: refunded } });
    const { documentSecret } = await payments().get(refunded);
    return buyer.get(`/invoices/refunds/${body.refund_id}?secret=${documentSecret}&format=html`);
  },
  '/invoices/payments/{payment_id}/tax-id': async () => buyer.get(await taxIdUrl(paymentId)),
  '/checkout/{id}': async () => buyer.get(`/checkout/${await newSession()}`),
  '/checkout/{id}/quote': async () => buyer.get(`/checkout/${await newSession()}/quote`),
  '/checkout/{id}/pay': async () => buyer.get(`/checkout/${await newSession()}/pay`),
  '/checkout/{id}/change': async () => buyer.get(`/checkout/${await newSession()}/change`),
  '/checkout/{id}/recover': async () => {
    const id = await newSession();
    const session = await sessions().get(id);
    await sessions().save({ ...session, status: 'expired', announcesExpiry: true });
    return buyer.get(`/checkout/${id}/recover`);
  },
  '/orders/{payment_id}': () => buyer.get(`/orders/${paymentId}`),
  '/withdraw': () => buyer.get('/withdraw'),
  '/withdraw/confirm': confirmPage,
  '/orders/{payment_id}/withdraw': () => buyer.get(`/orders/${paymentId}/withdraw`),
  '/portal': () => buyer.get('/portal'),
  '/portal/confirm': async () =>
    shop.visitor().get(`/portal/confirm?token=${(await buyer.link('ann@every.example')).token}`),
  '/portal/keys': () => buyer.get('/portal/keys'),
  '/portal/data': () => buyer.get('/portal/data'),
  '/downloads/{grant_id}/{file_id}': download,
  '/policies/{kind}': () => buyer.get('/policies/terms'),
  '/policies/{kind}/{hash}': () => buyer.get(`/policies/terms/${policyHash(terms)}`),
  '/buy/{id}': () => buyer.get(`/buy/${productId}`),
};

/** The public paths that show no page of their own to buyers. */
const others: Readonly<Record<string, string>> = {
  '/images/{file}': 'an image',
  '/checkout/{id}/return': 'leads to the checkout',
  '/checkout/{id}/step': 'plays the bank in the sandbox',
  '/portal/orders/{payment_id}': 'only takes the buttons of the portal',
  '/openapi.json': 'for integrators',
  '/docs': 'for integrators',
  '/docs/{page}': 'for integrators',
  '/llms.txt': 'for integrators',
  '/assets/{file}': 'a file',
  '/favicon.ico': 'an icon',
  '/robots.txt': 'for search engines',
  $default: 'an address that does not exist',
};

const functionLink = /href="[^"]*\/withdraw(\?[^"]*)?">Withdraw from contract here/;

const isForMembers = (path: string): boolean => path.startsWith('/dashboard');

describe('the function of withdrawal', () => {
  it('has a page, or a reason why there is none, for each path that a buyer can open', () => {
    const open = endpoints.filter(({ access, method }) => access === 'public' && method !== 'POST');
    const paths = open.flatMap(({ paths: all }) => all).filter((path) => !isForMembers(path));
    expect(new Set(paths.filter((path) => !(path in pages) && !(path in others)))).toEqual(new Set());
    expect(Object.keys({ ...pages, ...others }).filter((path) => !paths.includes(path))).toEqual([]);
  });

  it.each(Object.entries(pages))('is linked from the page %s', async (_, open) => {
    const { status, headers, text } = await open();
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
    expect(text).toMatch(functionLink);
  });

  it('is linked from the receipt', async () => {
    const { sessionId } = await sold();
    expect((await buyer.get(`/checkout/${sessionId}`)).text).toContain('>Withdraw from contract here');
  });

  const unknown = Object.keys(pages).filter((path) => path.includes('{'));
  it.each(unknown)('is linked from the page that %s shows for what does not exist', async (path) => {
    const { status, headers, text } = await buyer.get(`${path.replace(/\{\w+\}/g, 'unknown')}?format=html`);
    expect([status, headers['content-type']]).toEqual([expect.any(Number), expect.stringContaining('text/html')]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toMatch(functionLink);
  });

  it('is linked from the page that says that the link of a document was mailed', async () => {
    const { status, text } = await buyer.post(`/invoices/payments/${paymentId}?lang=en`, {});
    expect(status).toBeLessThan(500);
    expect(text).toMatch(functionLink);
  });

  it.each(Object.entries(others).filter(([, why]) => why === 'leads to the checkout'))(
    'needs no link on %s, which only redirects',
    async (path) => expect((await buyer.get(path.replace('{id}', await newSession()))).status).toBe(303),
  );
});

describe('the function of withdrawal that the merchant has switched off', () => {
  const switched = (isOff: boolean) =>
    updateWithdrawalSettings({ brands: brands() }, { isOff, refundsByItself: false }, () => []);
  beforeAll(() => switched(true));
  afterAll(() => switched(false));

  const isOfFunction = (path: string): boolean => path.includes('withdraw');
  it.each(Object.entries(pages).filter(([path]) => !isOfFunction(path)))(
    'is not linked from the page %s',
    async (_, open) => {
      const { status, text } = await open();
      expect([status, text.includes('Withdraw from contract')]).toEqual([200, false]);
    },
  );

  it('is not linked from the page that says that the link of a document was mailed', async () => {
    const { status, text } = await buyer.post(`/invoices/payments/${paymentId}?lang=en`, {});
    expect([status, text.includes('Withdraw from contract')]).toEqual([200, false]);
  });
});
