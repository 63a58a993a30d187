import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';
import { deflatedPages } from '../../shared/docs/built.ts';
import { campaign } from '../support/seeded.ts';
import { launchBrowser } from '../support/shop/browser.ts';
import { accessibilityFaults } from './shop.ts';

let sandbox: Sandbox;
let browser: Browser;
beforeAll(async () => {
  [sandbox, browser] = await Promise.all([startSandbox({ port: 0, quiet: true }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});

const all = Object.keys(deflatedPages).map((slug) => (slug === 'index' ? '/docs' : `/docs/${slug}`));
/** All are made by the same parts. */
const addresses = campaign(all, ['/docs', '/docs/refunds', '/docs/verify-webhooks', '/docs/errors']);

it.each([
  { width: 375, colorScheme: 'dark' as const },
  { width: 1_280, colorScheme: 'light' as const },
])(
  'every page of the documentation is accessible, fits $width pixels and keeps our policy',
  async ({ width, colorScheme }) => {
    const page = await (await browser.newContext({ viewport: { width, height: 900 }, colorScheme })).newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    for (const address of addresses) {
      await page.goto(sandbox.url + address);
      expect({ address, faults: await accessibilityFaults(page) }).toEqual({ address, faults: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(complaints).toEqual([]);
  },
);

it('a reader goes from the first page to an operation, and the browser finds a field on it', async () => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${sandbox.url}/docs`);
  await page.getByRole('link', { name: 'Refund a payment', exact: true }).click();
  expect(page.url()).toBe(`${sandbox.url}/docs/refunds#refund-a-payment`);
  await page.getByRole('link', { name: 'Products', exact: true }).click();
  expect(await page.getByText('suggested_price').first().isVisible()).toBe(true);
  expect(await page.getByText('It is not enforced.').first().isVisible()).toBe(true);
});
