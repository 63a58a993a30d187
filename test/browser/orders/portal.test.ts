import { expect, it } from 'vitest';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { portals } from '../../../shared/wiring/runtime.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, colourFaults, euroBook, overflow } from '../shop.ts';

const { shop, browsing } = openedShop();

let links = 0;

/** Buys a book with an address, and returns the address of a link to the portal that any one browser may use. */
async function linkOf(email: string, lang: string): Promise<string> {
  const checkout = await shop.checkout([await shop.product(euroBook)]);
  const body = { customer: { email, name: 'Ada Lovelace' }, billing_address: { country: 'DE' }, test_card: '4242' };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${checkout}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
  await shop.payment(checkout);
  links += 1;
  const token = `link${links}`;
  const link = { hash: hashApiKey(token), email, customerId: null, returnUrl: null, browser: null, usedAt: null };
  await portals().saveLink({ ...link, expiresAt: new Date(Date.now() + 60_000).toISOString(), version: 0 });
  return `${new URL(checkout).origin}/portal/confirm?token=${token}&lang=${lang}`;
}

it('a buyer without script comes from a page’s foot to the portal, and from the mailed link to the order in two clicks', async () => {
  const link = await linkOf('ada@portal.example', 'en');
  const { page } = await browsing.visit(new URL(link).origin.concat('/withdraw?lang=en'), {
    width: 375,
    javaScript: false,
  });
  await page.getByRole('link', { name: 'Your purchases' }).click();
  expect(await page.locator('h1').innerText()).toBe('Your purchases');
  await page.goto(link);
  await page.getByRole('button', { name: 'Show my purchases' }).click();
  await page.getByRole('button', { name: /^Open this purchase/ }).click();
  expect(new URL(page.url()).pathname).toMatch(/^\/orders\/pay_/);
  expect(page.url()).not.toContain('secret');
  await page.getByRole('link', { name: 'Invoice', exact: true }).waitFor();
});

it.each(['de', 'ar'])('each page fits a small phone in %s, and axe finds no fault in light or dark', async (lang) => {
  const link = await linkOf(`ada-${lang}@portal.example`, lang);
  const { page } = await browsing.visit(link, { width: 320 });
  const check = async () => {
    expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourFaults(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  };
  await check();
  await page.locator('main button.pay').press('Enter');
  await page.locator('main form button.pay').waitFor();
  for (const path of ['', '/keys', '/data']) {
    await page.goto(`${new URL(link).origin}/portal${path}?lang=${lang}`);
    await check();
  }
});
