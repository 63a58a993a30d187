import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PolicyChange, policyHash } from '../../../shared/domain/catalogue/policies.ts';
import { publishPolicies } from '../../../shared/use-cases/catalogue/publish-policies.ts';
import { brands, now, payments, policyLanguage, sessions } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { addProduct, createSession, goodCard } from '../../support/shop/shop.ts';

let api: Api;
let book: string;
beforeAll(async () => {
  api = await startApi({ ...testMerchant, supportPhone: '+49 30 1234567' });
  book = await addProduct(api);
});
afterAll(() => api.stop());

const publish = (...changes: PolicyChange[]) =>
  publishPolicies({ brands: brands(), policyLanguage: policyLanguage(), now }, changes, () => []);

const german = { kind: 'terms', language: 'de', text: 'AGB' } as const;
const french = { kind: 'terms', language: 'fr', text: 'CGV' } as const;
const privacy = { kind: 'privacy', language: 'de', text: 'Daten' } as const;
const imprint = { kind: 'imprint', language: 'de', text: 'Beispiel GmbH' } as const;
const all = [german, french, privacy, imprint];

const newSession = () => createSession(api, [{ product_id: book, quantity: 1 }]);

async function payByProgram(): Promise<string> {
  const body = {
    customer: { email: 'ada@example.com', name: 'Ada' },
    billing_address: { country: 'FR' },
    test_card: '4242',
  };
  const { body: paid } = await api.call(`POST /checkout/${await newSession()}/pay`, { key: null, body });
  return paid.payment_id;
}

/** Pays on the page in a language. */
async function payOnPage(lang: string): Promise<string> {
  const id = await newSession();
  const { formToken: token } = await sessions().get(id);
  const fields = { email: 'ada@example.com', name: 'Ada', card: goodCard, country: 'FR', token };
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const send = (action: string, more: object) => {
    const raw = Buffer.from(new URLSearchParams({ ...fields, ...more }).toString());
    return api.call(`POST /checkout/${id}/${action}`, { key: null, query: `lang=${lang}`, headers, raw });
  };
  const { text } = await send('quote', {});
  const [, expected_total = ''] = /name="expected_total" value="(\d+)"/.exec(text) ?? [];
  expect((await send('pay', { expected_total })).status).toBe(303);
  return (await sessions().get(id)).paymentId ?? '';
}

const heldBy = async (paymentId: string) => (await payments().get(paymentId)).policies;

describe('the versions of the legal texts that a payment stores', () => {
  beforeAll(() => publish(...all));

  it.each([
    { lang: 'fr', terms: french },
    { lang: 'de', terms: german },
    { lang: 'sv', terms: german },
  ])('are those that the page in $lang has shown', async ({ lang, terms }) => {
    expect(await heldBy(await payOnPage(lang))).toEqual({ terms: policyHash(terms), privacy: policyHash(privacy) });
  });

  it('are in the language of the merchant’s country, if a program pays', async () => {
    expect(await heldBy(await payByProgram())).toEqual({ terms: policyHash(german), privacy: policyHash(privacy) });
  });

  it('stay readable after the texts have changed', async () => {
    const paymentId = await payOnPage('fr');
    await publish({ ...french, text: 'CGV 2' });
    const held = await heldBy(paymentId);
    expect(held?.['terms']).toBe(policyHash(french));
    expect(await brands().policyText(held?.['terms'] ?? '')).toMatchObject(french);
    await publish(french);
  });

  it('are absent if the merchant has no text', async () => {
    await publish(...all.map((one) => ({ ...one, text: '' })));
    expect(await payments().get(await payByProgram())).not.toHaveProperty('policies');
    await publish(...all);
  });
});

it('a checkout page shows the telephone number of the seller', async () => {
  const { text } = await api.call(`GET /checkout/${await newSession()}`, { key: null, query: 'lang=de' });
  expect(text).toContain('Telefon: <a href="tel:+49301234567" dir="ltr">+49 30 1234567</a>');
});
