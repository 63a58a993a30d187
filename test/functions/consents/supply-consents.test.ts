import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type FakeRegisters, startFakeRegisters } from '../../../infra/local/registers/fake-registers.ts';
import { behaviourById } from '../../../infra/local/registers/register-behaviours.ts';
import type { Brands } from '../../../shared/domain/catalogue/brand.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { type Locale, locales } from '../../../shared/pages/locale.ts';
import { paymentWords } from '../../../shared/texts/legal-words.ts';
import { checkoutTexts } from '../../../shared/texts/texts.ts';
import { brands, payments, sessions } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, fieldGuide, goodCard } from '../../support/shop/shop.ts';
import { roundsOf } from '../../support/table/table-calls.ts';

const merchant = { ...testMerchant, name: 'Example Books', receipts: { from: 'receipts@example.com' } };
let api: Api;
let registers: FakeRegisters;
let kinds: Record<'book' | 'tool' | 'course' | 'tutoring', string>;

beforeAll(async () => {
  registers = await startFakeRegisters();
  api = await startApi(merchant, { REGISTER_URL: registers.url });
  kinds = {
    book: await addProduct(api, { name: 'Book', tax_category: 'e_book' }),
    tool: await addProduct(api, { name: 'Tool', tax_category: 'saas' }),
    course: await addProduct(api, { name: 'Course', tax_category: 'edtech' }),
    tutoring: await addProduct(api, { name: 'Lesson', tax_category: 'edtech', supply: 'service' }),
  };
});
afterAll(async () => {
  await api.stop();
  await registers.stop();
});

type Kind = keyof typeof kinds;
const open = (names: readonly Kind[] = ['book'], fields: object = {}) =>
  createSession(
    api,
    names.map((name) => ({ product_id: kinds[name], quantity: 1 })),
    fields,
  );

const whole = { email: 'ada@example.com', name: 'Ada Lovelace', card: goodCard, country: 'DE' };
const ticked = { 'consent.immediate_supply': 'yes', 'consent.early_start': 'yes' };

async function send(id: string, action: 'quote' | 'pay', fields: Record<string, string>, lang = 'en') {
  const { formToken: token } = await sessions().get(id);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const raw = Buffer.from(new URLSearchParams({ ...whole, token, ...fields }).toString());
  return api.call(`POST /checkout/${id}/${action}`, { key: null, query: `lang=${lang}`, headers, raw });
}

/** The words without the marks that keep a name apart in a text from right to left. */
const withoutIsolates = (text: string): string => text.replace(/[\u2068\u2069]/g, '');

const hidden = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
const boxesOf = (text: string) => [...text.matchAll(/name="consent\.(\w+)"/g)].map(([, kind]) => kind);

/** Pays what the page shows for the same entries, as a browser without a script does. */
async function pay(id: string, fields: Record<string, string> = {}, lang = 'en') {
  const { text } = await send(id, 'quote', fields, lang);
  const shown = { expected_total: hidden(text, 'expected_total'), label: hidden(text, 'label') };
  return { page: text, answer: await send(id, 'pay', { ...shown, ...fields }, lang) };
}

const paymentOf = async (id: string): Promise<Payment> =>
  payments().get((await sessions().get(id)).paymentId as string);

const setting = async (withdrawal: Brands['withdrawal']) => {
  const all = await brands().get();
  await brands().save({ ...all, withdrawal }, []);
};

const valid = { country: 'FR', tax_id: 'FR83404833048', street: '3 rue de la République', city: 'Lyon' };
const unconfirmed = { country: 'DE', tax_id: 'DE123456788' };

describe('the checkboxes for the supply of digital content on a checkout page', () => {
  it.each<{ who: string; fields: Record<string, string>; isAsked: boolean }>([
    { who: 'a consumer in DE', fields: { country: 'DE' }, isAsked: true },
    { who: 'a consumer in GB', fields: { country: 'GB' }, isAsked: true },
    { who: 'a consumer in NO', fields: { country: 'NO' }, isAsked: true },
    { who: 'a consumer in CH', fields: { country: 'CH' }, isAsked: false },
    { who: 'a consumer in US', fields: { country: 'US', region: 'CA', postal_code: '94105' }, isAsked: false },
    { who: 'a buyer whose country is not known', fields: { country: '' }, isAsked: false },
    { who: 'a buyer whose tax id no register has confirmed', fields: unconfirmed, isAsked: true },
    { who: 'a business whose tax id a register has confirmed', fields: valid, isAsked: false },
  ])('are shown to $who: $isAsked', async ({ fields, isAsked }) => {
    registers.behave = (question) => (fields === unconfirmed ? 'MS_UNAVAILABLE' : behaviourById(question));
    const { text } = await send(await open(['book', 'tool']), 'quote', fields);
    expect(boxesOf(text)).toEqual(isAsked ? ['immediate_supply', 'early_start'] : []);
  });

  it.each<{ names: Kind[]; asked: string[] }>([
    { names: ['book'], asked: ['immediate_supply'] },
    { names: ['course'], asked: ['immediate_supply'] },
    { names: ['tool'], asked: ['early_start'] },
    { names: ['tutoring'], asked: ['early_start'] },
    { names: ['tutoring', 'course'], asked: ['immediate_supply', 'early_start'] },
  ])('are the right ones for an order of $names', async ({ names, asked }) => {
    expect(boxesOf((await send(await open(names), 'quote', {})).text)).toEqual(asked);
  });

  it('are unticked and optional, and say what happens without them', async () => {
    const { text } = await send(await open(['book', 'tool']), 'quote', {});
    const boxes = text.match(/<input type="checkbox"[^>]*name="consent[^>]*>/g) ?? [];
    expect(boxes).toHaveLength(2);
    for (const box of boxes) expect(box).not.toMatch(/checked|required/);
    expect(text).toContain('Optional: even if you leave this empty, you get everything at once');
  });

  it('stay ticked when the buyer changes an entry, but not when the language changes', async () => {
    const id = await open();
    expect((await send(id, 'quote', ticked)).text).toMatch(/name="consent\.immediate_supply"[^>]* checked/);
    const { text } = await send(id, 'quote', { ...ticked, switch_to: 'de' });
    expect(boxesOf(text)).toEqual(['immediate_supply']);
    expect(text).not.toMatch(/name="consent\.immediate_supply"[^>]* checked/);
  });

  it('are not shown for a free order', async () => {
    const free = await addProduct(api, { price: { ...fieldGuide.price, price: 0 } });
    const id = await createSession(api, [{ product_id: free, quantity: 1 }]);
    expect(boxesOf((await send(id, 'quote', {})).text)).toEqual([]);
    expect((await pay(id, ticked)).answer.status).toBe(303);
    expect((await paymentOf(id)).supplyConsents).toBeUndefined();
  });

  it('are not shown, and store nothing, if the integrator asks for the consents itself', async () => {
    const id = await open(['book'], { consents_by: 'integrator' });
    const { page, answer } = await pay(id, ticked);
    expect([boxesOf(page), answer.status]).toEqual([[], 303]);
    expect((await paymentOf(id)).supplyConsents).toBeUndefined();
  });

  it('are not shown, and store nothing, if the merchant has turned them off', async () => {
    await setting({ isOff: true });
    const id = await open();
    const { page, answer } = await pay(id, ticked);
    await setting(undefined);
    expect([boxesOf(page), answer.status]).toEqual([[], 303]);
    expect((await paymentOf(id)).supplyConsents).toBeUndefined();
  });
});

describe('a payment from the checkout page', () => {
  it.each<{ lang: Locale }>([{ lang: 'en' }, { lang: 'de' }, { lang: 'ar' }])(
    '303: stores each ticked checkbox with its text, language, time and lines ($lang)',
    async ({ lang }) => {
      const id = await open(['tool', 'book', 'course']);
      const { page, answer } = await pay(id, ticked, lang);
      expect(answer.status).toBe(303);
      const payment = await paymentOf(id);
      const text = (kind: 'immediate_supply' | 'early_start') =>
        checkoutTexts[lang][`consent.${kind}`].replace('{seller}', 'Example Books');
      const at = payment.createdAt;
      const plain = (payment.supplyConsents ?? []).map((one) => ({ ...one, text: withoutIsolates(one.text) }));
      expect(plain).toEqual([
        { kind: 'immediate_supply', language: lang, text: text('immediate_supply'), lines: [1, 2], at },
        { kind: 'early_start', language: lang, text: text('early_start'), lines: [0], at },
      ]);
      for (const consent of payment.supplyConsents ?? []) expect(page).toContain(`>${consent.text}</label>`);
    },
  );

  it.each<{ what: string; fields: Record<string, string> }>([
    { what: 'unticked boxes', fields: {} },
    { what: 'a ticked box about lines that the order does not have', fields: { 'consent.early_start': 'yes' } },
    { what: 'a ticked box of a country outside of the area', fields: { ...ticked, country: 'CH' } },
    { what: 'a ticked box of a business', fields: { ...ticked, ...valid } },
    { what: 'the waiver of 0.2.0', fields: { 'consent.withdrawal': 'yes' } },
  ])('303: stores nothing for $what', async ({ fields }) => {
    const id = await open(['book']);
    expect((await pay(id, fields)).answer.status).toBe(303);
    expect((await paymentOf(id)).supplyConsents).toBeUndefined();
  });

  it('303: stores the seller’s text, even if the form sends another one', async () => {
    const id = await open();
    const forged = { ...ticked, 'consent.immediate_supply': 'I give up everything', text: 'x', lines: '7', at: 'y' };
    expect((await pay(id, forged)).answer.status).toBe(303);
    const [consent] = (await paymentOf(id)).supplyConsents ?? [];
    expect(consent).toMatchObject({
      lines: [0],
      text: expect.stringContaining('I expressly consent to Example Books'),
    });
  });

  it('303: stores no consent from a page without a label, which release 0.2.0 showed', async () => {
    const id = await open();
    expect((await pay(id, { ...ticked, 'consent.withdrawal': 'yes', label: '' })).answer.status).toBe(303);
    const payment = await paymentOf(id);
    expect([payment.supplyConsents, payment.consents]).toEqual([undefined, undefined]);
  });

  it('303: does not continue an open payment if the buyer has unticked its checkbox since', async () => {
    const id = await open();
    const stepCard = { card: '4000000000003063' };
    const { page, answer } = await pay(id, { ...ticked, ...stepCard });
    const atProcessor = answer.headers['location'];
    expect(atProcessor).toContain('step=confirm');
    const shown = { ...stepCard, expected_total: hidden(page, 'expected_total'), label: hidden(page, 'label') };
    expect((await send(id, 'pay', { ...shown, ...ticked })).headers['location']).toBe(atProcessor);
    expect((await send(id, 'pay', shown)).headers['location']).toBe(`/checkout/${id}?lang=en`);
  });

  it('stores the consents in the payment’s row, without an additional write', async () => {
    const writes = async (fields: Record<string, string>) => {
      const id = await open();
      const { text } = await send(id, 'quote', fields);
      const shown = { expected_total: hidden(text, 'expected_total'), label: hidden(text, 'label') };
      const { result, rounds } = await roundsOf(() => send(id, 'pay', { ...fields, ...shown }));
      expect(result.status).toBe(303);
      return rounds;
    };
    expect(await writes(ticked)).toBe(await writes({}));
  });
});

describe('the label of the Pay button that the checkout page showed', () => {
  const order = 'Order with obligation to pay';

  it.each([
    { country: 'DE', lang: 'en', label: 'order:en:DE' },
    { country: 'GB', lang: 'fr', label: 'order:fr:GB' },
    { country: 'US', lang: 'en', label: 'pay:en:US', region: 'CA', postal_code: '94105' },
    { country: '', lang: 'de', label: 'pay:de:' },
  ])('is sent by the page’s form: $label', async ({ lang, label, ...fields }) => {
    expect(hidden((await send(await open(), 'quote', fields as never, lang)).text, 'label')).toBe(label);
  });

  it.each([
    { label: 'pay:en:', to: 'DE' },
    { label: 'pay:en:US', to: 'GB' },
    { label: 'free:en:DE', to: 'DE' },
    { label: 'order:fr:DE', to: 'DE' },
    { label: 'order:en:US', to: 'DE' },
    { label: 'order', to: 'DE' },
    { label: '<script>', to: 'DE' },
    { label: ':'.repeat(20_000), to: 'DE' },
  ])(
    '422: stops the payment if it was $label and another one is right in $to, and the page shows that one',
    async ({ label, to }) => {
      const id = await open();
      const { answer } = await pay(id, { label, country: to });
      expect([answer.status, hidden(answer.text, 'label')]).toEqual([422, `order:en:${to}`]);
      expect(answer.text).toMatch(
        new RegExp(`id="pay-news"[^>]*><p>The words on the button[\\s\\S]*<button id="pay"[^>]*>${order}<`),
      );
      expect(await sessions().get(id)).toMatchObject({ status: 'open', attempts: 0 });
      // the redrawn page pays
      expect((await pay(id, { country: to })).answer.status).toBe(303);
    },
  );

  const us = { country: 'US', region: 'CA', postal_code: '94105' };
  it.each<{ what: string; fields: Record<string, string>; kept: string | undefined }>([
    { what: 'prescribed by the law there', fields: { country: 'DE' }, kept: 'order:en:DE' },
    {
      what: 'shown for another country with the same words',
      fields: { country: 'DE', label: 'order:en:FR' },
      kept: 'order:en:FR',
    },
    { what: 'free to choose', fields: us, kept: 'pay:en:US' },
    { what: 'none of ours', fields: { ...us, label: '<b>:en:US' }, kept: undefined },
    { what: 'none of ours, and long', fields: { ...us, label: `pay:en:US${':'.repeat(20_000)}` }, kept: undefined },
    { what: 'missing, as on a page of 0.2.0', fields: { country: 'DE', label: '' }, kept: undefined },
  ])('is stored with the sale, and shown to the merchant: $what', async ({ fields, kept }) => {
    const id = await open();
    expect((await pay(id, fields)).answer.status).toBe(303);
    const payment = await paymentOf(id);
    expect(payment.payLabel).toBe(kept);
    const { cookies } = await browse(api, localKey);
    const { text } = await api.call(`GET /dashboard/payments/${payment.id}`, { key: null, cookies });
    expect(text.includes('Pay button')).toBe(kept !== undefined);
    if (kept) expect(text).toContain(kept.split(':').join(' · '));
    if (kept?.startsWith('order')) expect(text).toContain(`“${paymentWords.en.words}”`);
  });

  it('422: stands beside the legal wording of the new country, if the page’s language has no wording for it', async () => {
    const id = await open();
    const { answer } = await pay(id, { label: 'order:ar:FR', country: 'DE' }, 'ar');
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(paymentWords.de.words)]);
  });

  it.each([
    { label: 'order:en:FR', to: 'DE', why: 'has the same words' },
    { label: 'order:en:DE', to: 'CH', why: 'says more than the country asks for' },
    { label: 'pay:en:', to: 'CH', why: 'is of a country without such a law' },
  ])('303: allows the payment if it $why', async ({ label, to }) => {
    expect((await pay(await open(), { label, country: to })).answer.status).toBe(303);
  });

  it.each(locales.map((lang) => ({ lang })))('303: is accepted on a page in the language $lang', async ({ lang }) => {
    const { page, answer } = await pay(await open(), {}, lang);
    expect([page, answer.status]).toEqual([expect.stringContaining(paymentWords[lang].words), 303]);
  });
});

const program = {
  customer: { email: 'ada@example.com', name: 'Ada' },
  billing_address: { country: 'DE' },
  test_card: '4242',
};
const words = { text: 'Ich verlange es sofort.\nIch weiß, was ich verliere.', language: 'de' };
const payByProgram = (id: string, more: object = {}) =>
  api.call(`POST /checkout/${id}/pay`, { key: null, body: { ...program, ...more } });

describe('POST /checkout/{id}/pay with consents', () => {
  it('200: stores the integrator’s text with the lines that it concerns, and answers it', async () => {
    const id = await open(['book', 'tool'], { consents_by: 'integrator' });
    const consents = [
      { kind: 'early_start', ...words },
      { kind: 'immediate_supply', ...words },
    ];
    const { status, body } = await payByProgram(id, { consents });
    const { createdAt: at, supplyConsents } = await paymentOf(id);
    expect([status, supplyConsents]).toEqual([
      200,
      [
        { ...consents[0], source: 'api', lines: [1], at },
        { ...consents[1], source: 'api', lines: [0], at },
      ],
    ]);
    const told = { given_at: at, source: 'integrator' };
    const withdrawal = {
      right: 'waivable',
      period_ends_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      consents: [
        { ...consents[0], lines: [1], ...told },
        { ...consents[1], lines: [0], ...told },
      ],
    };
    expect(body.withdrawal).toEqual(withdrawal);
    expect((await api.call(`GET /payments/${body.payment_id}`)).body.withdrawal).toEqual(withdrawal);
  });

  it.each<{ what: string; names: Kind[]; more: object; right: string }>([
    { what: 'no consents', names: ['book'], more: {}, right: 'kept' },
    { what: 'null', names: ['book'], more: { consents: null }, right: 'kept' },
    { what: 'none', names: ['book'], more: { consents: [] }, right: 'kept' },
    {
      what: 'a consent about lines that the order does not have',
      names: ['book'],
      more: { consents: [{ kind: 'early_start', ...words }] },
      right: 'kept',
    },
    { what: 'a buyer in CH', names: ['book'], more: { billing_address: { country: 'CH' } }, right: 'none' },
    {
      what: 'a business',
      names: ['book'],
      more: { billing_address: { country: 'FR', street: valid.street, city: valid.city }, tax_id: valid.tax_id },
      right: 'none',
    },
  ])('200: stores no consent for $what, and answers that the right is “$right”', async ({ names, more, right }) => {
    const id = await open(names, { consents_by: 'integrator' });
    const { status, body } = await payByProgram(id, more);
    expect([status, body.withdrawal]).toMatchObject([200, { right, consents: [] }]);
    expect((body.withdrawal.period_ends_on === null) === (right === 'none')).toBe(true);
    expect((await paymentOf(id)).supplyConsents).toBeUndefined();
  });

  it('200: answers no right of withdrawal for a failed payment', async () => {
    const { body } = await payByProgram(await open(), { test_card: '0002' });
    expect(body).toMatchObject({ status: 'failed', withdrawal: null });
  });

  const consent = { kind: 'immediate_supply', ...words };
  it.each<{ what: string; consents: unknown }>([
    { what: 'an unknown kind', consents: [{ ...consent, kind: 'withdrawal' }] },
    { what: 'a kind of the page', consents: [{ ...consent, kind: 'terms' }] },
    { what: 'a kind twice', consents: [consent, consent] },
    { what: 'no words', consents: [{ ...consent, text: ' ' }] },
    { what: 'too many words', consents: [{ ...consent, text: 'x'.repeat(2_001) }] },
    { what: 'no language', consents: [{ kind: consent.kind, text: consent.text }] },
    { what: 'a language that is none', consents: [{ ...consent, language: 'Deutsch!' }] },
    { what: 'a field of the payment', consents: [{ ...consent, lines: [0] }] },
    { what: 'a text', consents: 'immediate_supply' },
  ])('422: refuses $what, and charges nothing', async ({ consents }) => {
    const id = await open();
    const { status, text } = await payByProgram(id, { consents });
    expect([status, text]).toEqual([422, expect.stringContaining('consents')]);
    expect(await sessions().get(id)).toMatchObject({ status: 'open', attempts: 0 });
  });
});

describe('POST /checkouts with the field consents_by', () => {
  const create = (fields: object, key?: string) =>
    api.call('POST /checkouts', {
      body: { product_cart: [{ product_id: kinds.book, quantity: 1 }], ...fields },
      ...(key && { key }),
    });

  it.each([{ by: 'page' }, { by: '' }, { by: true }, { by: ['integrator'] }])('422: refuses $by', async ({ by }) => {
    const { status, text } = await create({ consents_by: by });
    expect([status, text]).toEqual([422, expect.stringContaining('consents_by')]);
  });

  it('200: treats null as consents by the page', async () => {
    const { body } = await create({ consents_by: null });
    expect(boxesOf((await send(body.session_id, 'quote', {})).text)).toEqual(['immediate_supply']);
  });

  it('403: refuses a read-only key', async () => {
    expect((await create({ consents_by: 'integrator' }, await api.addKey({ access: 'read' }))).status).toBe(403);
  });
});

describe('the dashboard’s page of a payment', () => {
  beforeEach(() => setting(undefined));

  it('shows the text of each consent, with language, time, lines and who asked for it', async () => {
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    const onPage = await open(['tool', 'book', 'course']);
    await pay(onPage, ticked);
    const byApi = await open(['book']);
    await payByProgram(byApi, { consents: [{ kind: 'immediate_supply', ...words }] });
    const [page, api_] = await Promise.all(
      [onPage, byApi].map(async (id) => {
        const { text } = await api.call(`GET /dashboard/payments/${(await paymentOf(id)).id}`, { cookies, key: null });
        return text;
      }),
    );
    expect(page).toMatch(
      /<p lang="en" dir="auto">“I expressly consent to Example Books[^”]*”<\/p><p class="hint">[\s\S]*?<bdi>en<\/bdi> · For Book, Course</,
    );
    expect(page).toMatch(/“I expressly request[^”]*”<\/p><p class="hint">[\s\S]*?For Tool</);
    expect(page).not.toContain('Your own site asked');
    expect(api_).toMatch(/<p lang="de" dir="auto">“Ich verlange es sofort[\s\S]*?Your own site asked for it/);
  });
});
