import { expect, it } from 'vitest';
import { signIn } from './dashboard-merchant.ts';
import { openedShop } from './opened-shop.ts';
import { accessibilityFaults, euroBook, overflow } from './shop.ts';

const { shop, browsing } = openedShop();

const footer = async (javaScript = true) => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page } = await browsing.visit(`${url}?lang=en`, { width: 375, javaScript });
  return page;
};

it('a checkout shows no policy links before the merchant has written a text', async () => {
  expect(await (await footer()).locator('.policies a').count()).toBe(0);
  expect((await fetch(`${shop.url}/policies/terms`)).status).toBe(404);
  expect((await fetch(`${shop.url}/policies/constructor`)).status).toBe(404);
});

it.each([true, false])(
  'a merchant writes policy texts, and every checkout links to them, with a script: %s',
  async (javaScript) => {
    const { page, complaints } = await browsing.visit(`${shop.url}/dashboard/brands`, { javaScript, width: 768 });
    await signIn(page);
    await page.getByRole('link', { name: 'Edit the texts' }).click();
    await page.locator('#terms').waitFor();
    if (javaScript) expect(await accessibilityFaults(page)).toEqual([]);
    await page.fill('#terms', 'First line.\n\n<b>Second</b> line.');
    await page.fill('#refunds', 'Within 14 days.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.inputValue('#terms')).toBe('First line.\n\n<b>Second</b> line.');
    const buyer = await footer(javaScript);
    expect(await buyer.locator('.policies a').allTextContents()).toEqual(['Terms', 'Refunds']);
    const [shown] = await Promise.all([
      buyer.waitForEvent('popup'),
      buyer.getByRole('link', { name: 'Terms' }).click(),
    ]);
    await shown.getByRole('heading', { name: 'Terms' }).waitFor();
    expect(await shown.locator('.policy').innerText()).toBe('First line.\n\n<b>Second</b> line.');
    expect(await shown.locator('.policy b').count()).toBe(0);
    if (javaScript) expect([await accessibilityFaults(shown), await overflow(shown)]).toEqual([[], 0]);
    expect(complaints).toEqual([]);
  },
);

it('a text that was cleared loses its link, and the audit log shows the change', async () => {
  const { page } = await browsing.visit(`${shop.url}/dashboard/brands/policies`, { isSignedIn: true });
  await page.fill('#terms', '');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await (await footer()).locator('.policies a').allTextContents()).toEqual(['Refunds']);
  expect((await fetch(`${shop.url}/policies/terms`)).status).toBe(404);
  await page.goto(`${shop.url}/dashboard/audit-log`);
  expect(await page.textContent('main')).toContain('texts changed policies');
});

it('a brand keeps its policy links when the merchant saves it', async () => {
  const brands = (await shop.api.get('/brands')) as { items: { brand_id: string }[] };
  const { page } = await browsing.visit(`${shop.url}/dashboard/brands/${brands.items[0]?.brand_id}`, {
    isSignedIn: true,
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await (await footer()).locator('.policies a').allTextContents()).toEqual(['Refunds']);
});

it('a text that contains a card number is refused with an error at its field, and the entries stay', async () => {
  const { page } = await browsing.visit(`${shop.url}/dashboard/brands/policies`, { isSignedIn: true });
  await page.fill('#privacy', 'We know 4242 4242 4242 4242.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Please check:').waitFor();
  expect(await page.inputValue('#privacy')).toBe('We know 4242 4242 4242 4242.');
  expect(await page.inputValue('#refunds')).toBe('Within 14 days.');
});
