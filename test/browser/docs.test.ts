import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';
import { sitePages } from '../../infra/reference/site.ts';
import { campaign } from '../support/seeded.ts';
import { accessibilityFaults, startBrowsing } from './shop.ts';

let sandbox: Sandbox;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;
beforeAll(async () => {
  [sandbox, browsing] = await Promise.all([startSandbox({ port: 0, quiet: true }), startBrowsing()]);
});
afterAll(async () => {
  await browsing?.stop();
  await sandbox?.stop();
});

const all = Object.keys(sitePages()).map((slug) => (slug === 'index' ? '/docs' : `/docs/${slug}`));
/** All are made by the same parts. */
const addresses = campaign(all, ['/docs', '/docs/refunds', '/docs/verify-webhooks', '/docs/errors']);

it.each([
  { width: 375, dark: true },
  { width: 1_280, dark: false },
])(
  'every page of the documentation is accessible, fits $width pixels and keeps our content security policy',
  async ({ width, dark }) => {
    const { page, complaints } = await browsing.visit(`${sandbox.url}/docs`, { width, dark });
    page.on('console', (message) => complaints.push(message.text()));
    for (const address of addresses) {
      await page.goto(sandbox.url + address);
      expect({ address, faults: await accessibilityFaults(page) }).toEqual({ address, faults: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
    expect(complaints).toEqual([]);
  },
);

it('a reader can go from the first page to an operation, and the browser’s search finds a field on it', async () => {
  const { page } = await browsing.visit(`${sandbox.url}/docs`, { javaScript: false });
  await page.getByRole('link', { name: 'Refund a payment', exact: true }).click();
  expect(page.url()).toBe(`${sandbox.url}/docs/refunds#refund-a-payment`);
  await page.getByRole('link', { name: 'Products', exact: true }).click();
  expect(await page.getByText('suggested_price').first().isVisible()).toBe(true);
  expect(await page.getByText('It is not enforced.').first().isVisible()).toBe(true);
});
