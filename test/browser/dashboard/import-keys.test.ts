import { expect, it } from 'vitest';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, euroBook, overflow } from '../shop.ts';

const { shop, browsing } = openedShop();

it('A file of licence keys is imported in portions on a phone, and no key is imported twice after a broken connection', async () => {
  const body = { name: 'Licence', integration_type: 'license_key', integration_config: {} };
  const { id } = (await shop.api.post('/entitlements', body)) as { id: string };
  const { customer_id: customer } = (await shop.api.post('/customers', {
    email: 'reader@example.com',
    name: 'Reader',
  })) as { customer_id: string };
  const rows = Array.from({ length: 100 }, (_, index) => `"KEY-OF-2020-${1_000 + index}";${customer}`);
  const lines = ['\uFEFFkey;customer_id', ...rows.slice(0, 90), '', 'SHORT;nobody', ...rows.slice(90)];
  const file = { name: 'keys.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) };
  const address = `${shop.url}/dashboard/products/${await shop.product(euroBook)}/entitlements/${id}`;
  const { page, complaints } = await browsing.visit(address, { isSignedIn: true, width: 375 });
  const press = async () => {
    await page.setInputFiles('#keys_file', file);
    await page.getByRole('button', { name: 'Import keys' }).click();
  };
  await page.getByLabel('Only check, and import nothing').check();
  await press();
  await page.getByText('100 keys can be imported.').waitFor();
  let portions = 0;
  await page.route(`${address}*`, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    portions += 1;
    return portions === 2 ? route.abort('connectionreset') : route.continue();
  });
  await press();
  await page.getByText('100 keys were imported.').waitFor();
  expect(await page.getByText('Left out because of the column customer_id').textContent()).toMatch(/: 93$/);
  expect(portions).toBe(4);
  await press();
  await page.getByText('0 keys were imported. 100 were here already.').waitFor();
  expect(complaints.filter((one) => !one.includes('CONNECTION_RESET'))).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
});
