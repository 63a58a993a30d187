import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { giveGoods } from '../../../infra/local/demo/goods.ts';
import { campaign } from '../../support/seeded.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, allMerchantScreens, colourFaults, euroBook, merchantScreens, overflow } from '../shop.ts';

const { shop, browsing } = openedShop();

interface Given {
  id: string;
  entitlement_id: string;
  customer_id: string;
  integration_type: string;
  license_key: { key: string } | null;
}

/** Sells a book with files and a licence key, activates the key on two devices, and downloads a file. */
async function soldBook() {
  const product = await shop.product(euroBook, { name: 'Star Atlas for binoculars and small telescopes' });
  await giveGoods(shop.api, product);
  const checkout = await shop.checkout([product]);
  const body = {
    customer: { email: 'augusta.ada.king-noel@very-long-department.example.com', name: 'Augusta Ada King-Noel' },
    billing_address: { country: 'DE' },
    test_card: '4242',
  };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${checkout}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { payment_id: paymentId, order_url: link } = await shop.payment(checkout);
  const { page } = await browsing.visit(link, {});
  await Promise.all([page.waitForEvent('download'), page.locator('.files button').first().click()]);
  const { customer } = (await shop.api.get(`/payments/${paymentId}`)) as { customer: { customer_id: string } };
  const path = `/customers/${customer.customer_id}/entitlement-grants`;
  const { items } = (await shop.api.get(path)) as { items: Given[] };
  const own = (type: string) => items.find(({ integration_type }) => integration_type === type) as Given;
  const [files, licence] = [own('digital_files'), own('license_key')];
  for (const name of ['MacBook-Pro-von-Augusta.local', 'Workshop'])
    await shop.api.post('/licenses/activate', { license_key: licence.license_key?.key, name });
  return { product, paymentId, customerId: customer.customer_id, files, licence };
}

type Sold = Awaited<ReturnType<typeof soldBook>>;

const placesOf = ({ product, paymentId, customerId, files, licence }: Sold) => ({
  holders: `/dashboard/products/${product}/entitlements/${licence.entitlement_id}`,
  key: `/dashboard/grants/${licence.id}`,
  files: `/dashboard/grants/${files.id}`,
  payment: `/dashboard/payments/${paymentId}`,
  customer: `/dashboard/customers/${customerId}`,
});

const at = (place: string, options: object = {}) =>
  browsing.visit(`${shop.url}${place}`, { isSignedIn: true, ...options });

/** Opens everything that is folded. */
const unfold = (page: Page) =>
  page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true");

it.each(campaign(allMerchantScreens, allMerchantScreens, [merchantScreens.german]))(
  'the pages of grants fit $width pixels in $locale, and axe finds no fault in light or dark',
  async (screen) => {
    const places = placesOf(await soldBook());
    const { page, complaints } = await at('/dashboard/members', screen);
    for (const [name, place] of Object.entries(places)) {
      await page.goto(`${shop.url}${place}`);
      await unfold(page);
      expect([name, await overflow(page), await accessibilityFaults(page), complaints]).toEqual([name, 0, [], []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([name, await colourFaults(page)]).toEqual([name, []]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  },
);

it('a member deactivates a device, replaces the key, revokes the grant and restores it', async () => {
  const sold = await soldBook();
  const { page } = await at(placesOf(sold).holders);
  await page.getByRole('link', { name: 'Augusta Ada King-Noel' }).click();
  const old = await page.locator('code.key').innerText();
  const device = page.getByRole('row', { name: 'Workshop' });
  await device.getByText('End it').click();
  await device.getByRole('button', { name: 'End this device' }).click();
  await page.getByText('The device is ended.').waitFor();
  expect(await page.getByRole('row', { name: 'Workshop' }).count()).toBe(0);
  await page.locator('summary').getByText('Replace it').click();
  await page.getByRole('button', { name: 'Replace it now' }).click();
  await page.getByText(/^Replaced\./).waitFor();
  expect(await page.locator('code.key').innerText()).not.toBe(old);
  await page.getByText('The key is active on no device.').waitFor();
  await page.locator('summary').getByText('Take the access away').click();
  await page.fill('#reason', 'Shared in a forum');
  await page.getByRole('button', { name: 'Take it away now' }).click();
  await page.getByText('The access is taken away.').waitFor();
  await page.getByText('Shared in a forum').waitFor();
  await page.getByRole('button', { name: 'Give the access back' }).click();
  await page.getByText('The buyer has the access again.').waitFor();
});
