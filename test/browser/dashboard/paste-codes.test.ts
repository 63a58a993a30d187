import { expect, it } from 'vitest';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, euroBook, overflow } from '../shop.ts';

const { shop, browsing } = openedShop();

/** The page of a new pool of codes. */
async function poolPage(options: { width?: number } = {}) {
  const config = { fulfillment_mode: 'manual', pool: true };
  const body = { name: 'Game', integration_type: 'license_key', integration_config: config };
  const { id } = (await shop.api.post('/entitlements', body)) as { id: string };
  const address = `${shop.url}/dashboard/products/${await shop.product(euroBook)}/entitlements/${id}`;
  return browsing.visit(address, { isSignedIn: true, ...options });
}

const file = (count: number) => ({
  name: 'codes.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(`code,shop\n${Array.from({ length: count }, (_, index) => `GAME-${index},Steam`).join('\n')}`),
});

it('A file with many codes is added in portions, and no code is added twice after a broken connection', async () => {
  const { page, complaints } = await poolPage();
  let portions = 0;
  await page.route(`${page.url()}*`, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    portions += 1;
    return portions === 2 ? route.abort('connectionreset') : route.continue();
  });
  await page.setInputFiles('#codes_file', file(1_200));
  await page.getByRole('button', { name: 'Add codes' }).click();
  await page.getByText('1,200 codes were added.').waitFor();
  expect(portions).toBe(4);
  await page.setInputFiles('#codes_file', file(1_201));
  await page.getByRole('button', { name: 'Add codes' }).click();
  await page.getByText('1 code was added. 1,200 were here already.').waitFor();
  expect(await page.locator('dl.facts dd').allTextContents()).toEqual(['1,201', '0', '0']);
  expect(complaints.filter((one) => !one.includes('CONNECTION_RESET'))).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
});

it('The page of a pool of codes fits on a phone, and lists the lines that were left out', async () => {
  const { page } = await poolPage({ width: 375 });
  await page.fill('#codes', `ONE\n${'x'.repeat(256)}\nTWO\nONE`);
  await page.getByRole('button', { name: 'Add codes' }).click();
  await page.getByText('2 codes were added. 1 was here already.').waitFor();
  expect(await page.getByText('These lines were left out').textContent()).toMatch(/: 2$/);
  expect(await overflow(page)).toBe(0);
});
