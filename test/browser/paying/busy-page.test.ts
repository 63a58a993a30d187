import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Locale, locales } from '../../../shared/pages/locale.ts';
import { busyHeaders, busyPage } from '../../../shared/pages/notices/busy-page.ts';
import { busyTexts } from '../../../shared/texts/texts.ts';
import { accessibilityFaults, startBrowsing } from '../shop.ts';

/** How many requests are still answered with the page for a rush, as the distribution does it. */
let refusals = 0;
let asked: string[] = [];
let server: Server;
let url: string;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;
beforeAll(async () => {
  server = createServer(({ method, url: path }, answer) => {
    asked.push(`${method} ${path}`);
    refusals -= 1;
    if (refusals >= 0) answer.writeHead(503, busyHeaders).end(busyPage());
    else answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>The shop</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  browsing = await startBrowsing();
});
afterAll(async () => {
  await browsing?.stop();
  server?.close();
});

async function rush(times: number, path: string, options: Parameters<typeof browsing.visit>[1] = {}) {
  refusals = times;
  asked = [];
  return browsing.visit(url + path, options);
}

it('a buyer who is refused in a rush comes to the same address by waiting, with two refusals on the way', async () => {
  refusals = 2;
  asked = [];
  const { page } = await browsing.visit('about:blank');
  await page.clock.install();
  await page.goto(`${url}/checkout/cks_1?a=b`);
  await page.clock.fastForward(20_000);
  await expect.poll(() => asked.length).toBe(2);
  await page.waitForSelector('h1');
  await page.clock.fastForward(20_000);
  await page.waitForFunction('document.title === "The shop"');
  expect(asked).toEqual(Array(3).fill('GET /checkout/cks_1?a=b'));
});

it('the button opens the same address at once', async () => {
  const { page } = await rush(1, '/orders/pay_1?lang=de');
  await page.getByRole('link', { name: busyTexts.de.again }).click();
  await page.waitForFunction('document.title === "The shop"');
  expect(page.url()).toBe(`${url}/orders/pay_1?lang=de`);
});

const tagOf: Partial<Record<Locale, string>> = { en: 'en-GB', zh: 'zh-CN', 'zh-TW': 'zh-HK', he: 'iw', pt: 'pt-BR' };

it.each(locales)('a browser in %s reads the page in that language, and no other', async (locale) => {
  const { page } = await rush(1, '/buy/pdt_1', { locale: tagOf[locale] ?? locale });
  const { title, text, safe } = busyTexts[locale];
  expect(await page.title()).toBe(title);
  expect(await page.getByRole('status').allInnerTexts()).toEqual([[title, text, safe].join('\n\n')]);
});

it('the language of the address comes first, and English stands where none is known', async () => {
  const chosen = await rush(1, '/checkout/cks_1?lang=ar', { locale: 'de-DE' });
  expect(await chosen.page.evaluate('document.documentElement.lang + document.documentElement.dir')).toBe('arrtl');
  const unknown = await rush(1, '/checkout/cks_1?lang=main', { locale: 'da-DK' });
  expect(await unknown.page.title()).toBe(busyTexts.en.title);
});

it('without a script the page is English, and the browser itself opens the address again', async () => {
  const { page } = await rush(1, '/checkout/cks_1?lang=de', { javaScript: false });
  expect(await page.locator('h1:visible').allInnerTexts()).toEqual([busyTexts.en.title]);
  expect(await page.locator('noscript meta').getAttribute('content')).toBe('15');
});

it.each([
  { width: 320, dark: true, locale: 'ar' },
  { width: 1_280, dark: false, locale: 'de' },
])('is accessible and keeps its content policy at $width pixels, also with text twice as large', async (options) => {
  const { page, complaints } = await rush(1, '/checkout/cks_1', options);
  expect(await accessibilityFaults(page)).toEqual([]);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 32 } });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.width);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
  expect(complaints.filter((complaint) => !complaint.includes('503'))).toEqual([]);
});
