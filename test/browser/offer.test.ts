import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadMerchantConfig } from '../../infra/merchant-config.ts';
import { campaign } from '../support/seeded.ts';
import {
  accessibilityFaults,
  type BrowserShop,
  colourFaults,
  euroBook,
  introduce,
  openBrowserShop,
  overflow,
  startBrowsing,
  supportPrice,
} from './shop.ts';

let shop: BrowserShop;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;

const merchant = {
  ...loadMerchantConfig('demo').merchant,
  returnOrigins: ['https://shop.example'],
  receipts: { from: 'till@shop.example' },
};

const mailFolder = mkdtempSync(join(tmpdir(), 'tillstack-mails-'));

beforeAll(async () => {
  const environment = { MERCHANT: JSON.stringify(merchant), MAIL_FOLDER: mailFolder };
  [shop, browsing] = await Promise.all([openBrowserShop(environment), startBrowsing()]);
});

afterAll(async () => {
  await browsing?.stop();
  await shop?.stop();
  rmSync(mailFolder, { recursive: true, force: true });
});

const description = 'First line.\nSecond line, with </script><script>alert(1)</script>.';

describe('the page of a product', () => {
  it.each(campaign([375, 768, 1_280], [375, 768, 1_280], [1_280]))(
    'shows the description with its line breaks, and fits %i px',
    async (width) => {
      const link = `${shop.url}/buy/${await shop.product(euroBook, { description })}?lang=en`;
      const { page, complaints } = await browsing.visit(link, { width });
      expect(await page.locator('.prose').innerText()).toBe(description);
      expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([await colourFaults(page), await overflow(page), complaints]).toEqual([[], 0, []]);
    },
  );

  it('describes the product to chat previews and search engines', async () => {
    const id = await shop.product(supportPrice, { name: 'Support "our" work', description });
    const { page } = await browsing.visit(`${shop.url}/buy/${id}`);
    const meta = (property: string) => page.getAttribute(`meta[property="${property}"]`, 'content');
    expect(await meta('og:title')).toBe('Support "our" work');
    expect(await meta('og:url')).toBe(`${shop.url}/buy/${id}`);
    expect(await meta('product:price:amount')).toBe('5.00');
    const data = JSON.parse((await page.textContent('script[type="application/ld+json"]')) ?? '');
    expect(data).toMatchObject({
      '@type': 'Product',
      name: 'Support "our" work',
      description,
      offers: { '@type': 'AggregateOffer', lowPrice: '5.00', priceCurrency: 'EUR' },
    });
    expect(await page.locator('script:not([src]):not([type])').count()).toBe(0);
  });
});

describe('a product’s link', () => {
  it.each([true, false])(
    'passes quantity, e-mail and language to the checkout (JavaScript on: %s)',
    async (javaScript) => {
      const id = await shop.product(euroBook);
      const link = `${shop.url}/buy/${id}?quantity=3&email=ada%40example.com&lang=de`;
      const { page } = await browsing.visit(link, { javaScript });
      expect(await page.textContent('.offer-price')).toContain('3 × 19,99');
      await page.getByRole('button', { name: 'Kasse' }).click();
      await page.waitForURL(/\/checkout\//);
      expect(await page.inputValue('#email')).toBe('ada@example.com');
      expect(await page.getAttribute('html', 'lang')).toBe('de');
      expect((await page.textContent('#due'))?.replace(/\s/g, ' ')).toBe('59,97 €');
    },
  );

  it('keeps its parameters when the language changes', async () => {
    const { page } = await browsing.visit(`${shop.url}/buy/${await shop.product(euroBook)}?quantity=2`);
    await page.selectOption('#language', 'fr');
    await page.waitForURL(/lang=fr/);
    expect(await page.textContent('.offer-price')).toContain('2 ×');
  });

  it('fills in the amount of its parameter, and is refused with an amount that cannot be paid', async () => {
    const id = await shop.product(supportPrice);
    const { page } = await browsing.visit(`${shop.url}/buy/${id}?amount=1200`);
    await page.getByRole('button', { name: 'Checkout' }).click();
    expect(await page.inputValue('#amount-0')).toBe('12.00');
    for (const query of ['amount=499', 'amount=0'])
      expect([(await post(id, query)).status, (await read(id, query)).status]).toEqual([422, 422]);
  });

  const read = (id: string, query: string) => fetch(`${shop.url}/buy/${id}?${query}`);
  const post = (id: string, query: string) =>
    fetch(`${shop.url}/buy/${id}?${query}`, { method: 'POST', redirect: 'manual', headers: { origin: shop.url } });

  it.each([
    'quantity=0',
    'quantity=1e3',
    'quantity=-1',
    'amount=1.5',
    'email=nobody',
    'return_url=javascript:alert(1)',
  ])('with an invalid parameter is refused: %s', async (query) => {
    const id = await shop.product(supportPrice);
    expect((await post(id, query)).status).toBe(422);
    expect((await read(id, query)).status).toBe(422);
  });

  it('returns the buyer only to an origin in the merchant’s configuration', async () => {
    const id = await shop.product(euroBook);
    const back = async (address: string) => {
      const query = `return_url=${encodeURIComponent(address)}`;
      return [(await post(id, query)).status, (await read(id, query)).status];
    };
    expect(await back('https://shop.example/thanks')).toEqual([303, 200]);
    for (const other of [
      'https://evil.example/',
      'https://shop.example.evil.example/',
      'https://shop.example@evil.example/',
    ])
      expect([other, ...(await back(other))]).toEqual([other, 422, 422]);
  });
});

it('the receipt shows its e-mail address and the refunds only to the buyer', async () => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page } = await browsing.visit(url);
  await introduce(page, { country: 'DE' });
  await page.getByText('VAT').first().waitFor();
  await page.click('#pay');
  await page.getByText('The invoice is sent to ada@example.com.').waitFor();
  expect(await page.getByText('Refunded').count()).toBe(0);
  const { payment_id } = await shop.payment(url);
  await shop.api.post('/refunds', { payment_id, amount: 500 });
  await page.reload();
  expect((await page.textContent('.facts'))?.replace(/\s+/g, ' ')).toContain('Refunded€5.00');
  expect(await accessibilityFaults(page)).toEqual([]);
  const stranger = await browsing.visit(url);
  expect(await stranger.page.getByText('ada@example.com').count()).toBe(0);
});

describe('the browser page that one test reuses after another', () => {
  let first: Awaited<ReturnType<typeof browsing.visit>>;
  const changed = new Set<Page>();
  const visit = () => browsing.visit(shop.url, { locale: 'nl-NL' });
  const stored = (page: Page) => page.evaluate('Object.keys({ ...localStorage, ...sessionStorage })');

  it('stores data and a cookie in the first test', async () => {
    first = await visit();
    const { page } = first;
    await page.evaluate('localStorage.here = sessionStorage.there = "1"');
    await page.context().addCookies([{ name: 'session', value: '1', url: shop.url }]);
    expect([await stored(page), (await page.context().cookies()).length]).toEqual([['here', 'there'], 1]);
  });

  it('has no storage and no cookies in the next test, and reports new console errors only to that test', async () => {
    const { page, complaints } = await visit();
    expect([page === first.page, await stored(page), await page.context().cookies()]).toEqual([true, [], []]);
    await page.evaluate('console.error("of the second")');
    expect([first.complaints, complaints]).toEqual([[], ['of the second']]);
  });

  it('allows a test to change settings that can be reset', async () => {
    first = await visit();
    const { page } = first;
    await page.route('**/*', (route) => route.abort());
    page.on('dialog', (dialog) => void dialog.accept());
    await page.emulateMedia({ forcedColors: 'active', contrast: 'more' });
    await page.context().grantPermissions(['clipboard-read']);
    await (await page.context().newPage()).goto(shop.url);
    await page.context().setOffline(true);
    await page.evaluate('setInterval(() => console.error("Still there"), 1)');
  });

  it('has its default settings and the requested language in the next test', async () => {
    const { page, complaints } = await browsing.visit(shop.url, { locale: 'sv-SE' });
    const state = `Promise.all([navigator.language, (1.5).toLocaleString(), navigator.onLine,
      ...['(forced-colors: active)', '(prefers-contrast: more)'].map((query) => matchMedia(query).matches),
      navigator.permissions.query({ name: 'clipboard-read' }).then(({ state }) => state)])`;
    expect(await page.evaluate(state)).toEqual(['sv-SE', '1,5', true, false, false, 'prompt']);
    expect([page === first.page, page.context().pages().length]).toEqual([true, 1]);
    expect(await page.evaluate('confirm("Does anybody listen?")')).toBe(false);
    expect(complaints).toEqual([]);
  });

  it.each([
    { change: 'a clock', make: (page: Page) => page.clock.install() },
    { change: 'a script of each page', make: (page: Page) => page.addInitScript('globalThis.isChanged = true') },
    { change: 'another site', make: (page: Page) => page.goto(shop.returnUrl) },
    {
      change: 'another site in a second tab',
      make: async (page: Page) => (await page.context().newPage()).goto(shop.returnUrl),
    },
    { change: 'no changes', make: () => {} },
  ])('is closed, not reused, after a change that cannot be reset: a visit with $change', async ({ make }) => {
    const { page } = await visit();
    expect(changed.has(page)).toBe(false);
    await make(page);
    changed.add(page);
  });
});
