import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { publishPolicies } from '../../../shared/use-cases/catalogue/publish-policies.ts';
import { brands, now, sessions } from '../../../shared/wiring/runtime.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { openPortal, type PortalVisitor } from '../portal/portal-visitor.ts';

let shop: Awaited<ReturnType<typeof openPortal>>;
let product: string;
beforeAll(async () => {
  shop = await openPortal();
  const terms = { kind: 'terms', language: 'en', text: 'Be kind.' } as const;
  await publishPolicies({ brands: brands(), policyLanguage: 'en', now }, [terms], () => []);
  product = await addProduct(shop.api, { license_key_enabled: true });
});
afterAll(() => shop.close());

const origin = 'http://localhost:4000';

/** The addresses of our own pages to which a page or a mail leads. */
function linksIn(text: string, from: string): string[] {
  const found = text.startsWith('<!doctype')
    ? [...text.matchAll(/<a [^>]*?href="([^"]+)"/g)]
    : [...text.matchAll(/(http:\/\/localhost:4000\/[^\s)]+)/g)];
  return found
    .map(([, address = '']) => new URL(address.replaceAll('&amp;', '&'), new URL(from, origin)))
    .filter(({ href, pathname }) => href.startsWith(`${origin}/`) && !/^\/(assets|images)\//.test(pathname))
    .map(({ pathname, search }) => pathname + search);
}

const languageOf = ({ headers, text }: ApiAnswer): string | undefined =>
  headers['content-type']?.startsWith('text/html')
    ? /<html lang="([\w-]+)"/.exec(text)?.[1]
    : headers['content-language'];

/** Follows every link from the given ones on. Returns each page that is not in German. */
async function strayed(buyer: PortalVisitor, starts: readonly string[]): Promise<{ lost: string[]; seen: string[] }> {
  const seen = new Set<string>();
  const lost: string[] = [];
  const open = starts.map((address) => ({ address, from: 'start' }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { address, from } = next;
    const known = address.replace(/(token|secret)=[^&]+/g, '$1');
    if (seen.has(known)) continue;
    seen.add(known);
    const answer = await buyer.get(address);
    const { location = '' } = answer.headers;
    if (location !== '') open.push({ address: location, from: address });
    else {
      if (languageOf(answer) !== 'de') lost.push(`${from} → ${address}: ${answer.status} ${languageOf(answer)}`);
      if (answer.text.startsWith('<!doctype'))
        open.push(...linksIn(answer.text, address).map((link) => ({ address: link, from: address })));
    }
  }
  return { lost, seen: [...seen] };
}

async function payAt(buyer: PortalVisitor, address: string, card: string = cards.good): Promise<ApiAnswer> {
  const session = await sessions().get(/cks_\w+/.exec(address)?.[0] ?? '');
  const fields = { email: 'ann@every.example', name: 'Ann', country: 'DE', card, expected_total: '1999' };
  const action = /formaction="([^"]*\/pay[^"]*)"|action="([^"]*\/pay[^"]*)"/.exec((await buyer.get(address)).text);
  const path = (action?.[1] ?? action?.[2] ?? '').replaceAll('&amp;', '&');
  return buyer.post(path, { token: session.formToken, ...fields }, { 'sec-fetch-site': 'same-origin' });
}

/** Presses the first button of a page whose form posts. */
function pressed(buyer: PortalVisitor, { text }: ApiAnswer, at: string, typed: Record<string, string> = {}) {
  const [, attributes = '', body = ''] = /<form([^>]*method="post"[^>]*)>([\s\S]*?)<\/form>/.exec(text) ?? [];
  const action = /action="([^"]*)"/.exec(attributes)?.[1]?.replaceAll('&amp;', '&') ?? at;
  const named = [...body.matchAll(/<(?:input type="hidden"|button)[^>]*? name="([^"]+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(named.map(([, name = '', value = '']) => [name, value]).reverse());
  const { pathname, search } = new URL(action, new URL(at, origin));
  return buyer.post(pathname + search, { ...fields, ...typed }, { 'sec-fetch-site': 'same-origin' });
}

/** Issues the invoice of a session's payment, and mails it. */
async function mailPurchase(address: string): Promise<void> {
  const { paymentId } = await sessions().get(/cks_\w+/.exec(address)?.[0] ?? '');
  const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const detail = { event_id: items[0].event_id, payment_id: paymentId, data: {} };
  await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
}

describe('the language that a buyer has chosen, in a browser that prefers another one', () => {
  it('stays from the product’s page on every page, error page and document, in the links of mails, and in the portal', async () => {
    const buyer = shop.visitor();
    const page = await buyer.get(`/buy/${product}?lang=de`);
    const [, action = ''] = /<form id="offer" method="post" action="([^"]+)"/.exec(page.text) ?? [];
    const opened = await buyer.post(action.replaceAll('&amp;', '&'), {}, { 'sec-fetch-site': 'same-origin' });
    const checkout = opened.headers['location'] ?? '';
    const before = await strayed(buyer, [`/buy/${product}?lang=de`, checkout, '/checkout/cks_none?lang=de']);
    expect(before.lost).toEqual([]);
    const paid = await payAt(buyer, checkout);
    await mailPurchase(checkout);
    const mails = shop.mailsTo('ann@every.example');
    expect(mails.length).toBeGreaterThan(0);
    const mailed = mails.flatMap(({ text }) => linksIn(text, '/'));
    const after = await strayed(buyer, [paid.headers['location'] ?? '', ...mailed]);
    expect(after.lost).toEqual([]);
    for (const part of ['/orders/', '/invoices/payments/', '/withdraw', '/portal', '/policies/terms', 'format=pdf'])
      expect(after.seen.some((address) => address.includes(part))).toBe(true);
    const asked = await pressed(buyer, await buyer.get('/portal?lang=de'), '/portal', { email: 'ann@every.example' });
    const [link = ''] = linksIn(shop.mailsTo('ann@every.example').at(-1)?.text ?? '', '/portal');
    const inPortal = await pressed(buyer, await buyer.get(link), link);
    expect([languageOf(asked), await strayed(buyer, [link, inPortal.headers['location'] ?? ''])]).toMatchObject([
      'de',
      { lost: [] },
    ]);
  });

  it('is that of the link to a session that a program has opened', async () => {
    const buyer = shop.visitor();
    const id = await createSession(shop.api, [{ product_id: product, quantity: 1 }]);
    const paid = await payAt(buyer, `/checkout/${id}?lang=de`);
    expect((await strayed(buyer, [paid.headers['location'] ?? ''])).lost).toEqual([]);
  });

  it('stays when the bank confirms the payment, and back from there', async () => {
    const buyer = shop.visitor();
    const id = await createSession(shop.api, [{ product_id: product, quantity: 1 }]);
    const left = await payAt(buyer, `/checkout/${id}?lang=de`, '4000000000003063');
    const bank = await buyer.get(left.headers['location'] ?? '');
    expect(languageOf(bank)).toBe('de');
    const back = await pressed(buyer, bank, left.headers['location'] ?? '');
    expect((await strayed(buyer, [back.headers['location'] ?? ''])).lost).toEqual([]);
  });
});
