import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checksumOf, giveGoods, goodOf, goods } from '../../../infra/local/demo/goods.ts';
import { campaign } from '../../support/seeded.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, colourFaults, euroBook, overflow } from '../shop.ts';

const { shop, browsing } = openedShop();

/** Buys a book with files and a licence key, and returns the link of its order. */
async function boughtBook(): Promise<{ link: string; paymentId: string }> {
  const product = await shop.product(euroBook);
  await giveGoods(shop.api, product);
  const checkout = await shop.checkout([product]);
  const body = {
    customer: { email: 'ada@example.com', name: 'Ada Lovelace' },
    billing_address: { country: 'DE' },
    test_card: '4242',
  };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${checkout}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { payment_id: paymentId, order_url: link } = await shop.payment(checkout);
  return { link, paymentId };
}

it('a buyer opens the order’s link on another phone and downloads each file, until the payment is refunded', async () => {
  const { link, paymentId } = await boughtBook();
  const { page, complaints } = await browsing.visit(link, { width: 390 });
  expect(page.url()).not.toContain('secret');
  for (const name of goods) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: new RegExp(`^Download ${name.replace('.', '\\.')} \\(\\d+ kB\\)$`) }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    expect(checksumOf(readFileSync(await download.path()))).toBe(checksumOf(goodOf(name)));
  }
  expect(await page.locator('code.key').innerText()).toMatch(/^([0-9A-Z]{5}-){4}[0-9A-Z]{5}$/);
  await shop.api.post('/refunds', { payment_id: paymentId });
  await page.reload();
  await page.getByText('no longer available').waitFor();
  expect([await page.locator('.files button').count(), await page.locator('code.key').count()]).toEqual([0, 0]);
  // the files come from the bucket, which is another origin
  expect(complaints.filter((one) => !one.includes('/tillstack-files/'))).toEqual([]);
});

it.each(campaign(['de', 'ar'], ['de', 'ar'], ['de']))(
  'the page of an order fits a small phone in %s, and axe finds no fault in light or dark',
  async (lang) => {
    const { link } = await boughtBook();
    const { page } = await browsing.visit(`${link}&lang=${lang}`, { width: 320 });
    expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
    const cards = await page
      .locator('.part-of-page')
      .evaluateAll((parts) => parts.map((part) => part.scrollWidth - part.clientWidth));
    expect(cards.every((beyond) => beyond <= 0)).toBe(true);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colourFaults(page)).toEqual([]);
  },
);
