import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, allMerchantScreens, colourFaults, euroBook, merchantScreens, overflow } from '../shop.ts';

const { shop, browsing } = openedShop();
const home = '/dashboard/withdrawals';

const at = (place: string, options: object = {}) =>
  browsing.visit(`${shop.url}${place}`, { isSignedIn: true, ...options });

/** Sells a book to a buyer in Germany. */
async function sold(): Promise<{ payment_id: string; order_url: string }> {
  const name = 'Star Atlas for binoculars and small telescopes';
  const checkout = await shop.checkout([await shop.product(euroBook, { name })]);
  const body = {
    customer: { email: 'ada@example.com', name: 'Augusta Ada King-Noel' },
    billing_address: { country: 'DE' },
    test_card: '4242',
  };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${checkout}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
  return shop.payment(checkout);
}

/** Declares through the link of an order, as its buyer does. */
async function declaredByLink(): Promise<string> {
  const { payment_id: id, order_url: link } = await sold();
  const headers = { cookie: `order=${new URL(link).searchParams.get('secret')}` };
  const body = new URLSearchParams({ form_token: id, step: 'confirm' });
  await fetch(`${shop.url}/orders/${id}/withdraw`, { method: 'POST', headers, body });
  return id;
}

/** Declares by the form for everyone. */
async function declaredByForm(name: string, reference: string): Promise<void> {
  const form = { name, reference, email: 'ada@example.com', form_token: name, step: 'confirm' };
  await fetch(`${shop.url}/withdraw`, { method: 'POST', body: new URLSearchParams(form) });
}

const newest = async (): Promise<string> => {
  const { items } = (await shop.api.get('/withdrawals')) as { items: { withdrawal_id: string }[] };
  return `${home}/${items[0]?.withdrawal_id}`;
};

/** A declaration of each kind: the place of its page. */
async function places(): Promise<Record<string, string>> {
  const proven = await declaredByLink();
  const provenPlace = await newest();
  await declaredByForm('Maximiliane von und zu Hohenstein-Wittgenstein', (await sold()).payment_id);
  const unprovenPlace = await newest();
  await declaredByForm('Somebody Else', 'the book about the stars that I bought last week, or was it the week before');
  const payment = `/dashboard/payments/${proven}`;
  return { list: home, proven: provenPlace, unproven: unprovenPlace, unmatched: await newest(), payment };
}

/** Opens everything that is folded. */
const unfold = (page: Page) =>
  page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true");

it.each(campaign(allMerchantScreens, allMerchantScreens, [merchantScreens.english]))(
  'the pages of withdrawals fit $width pixels in $locale, and axe finds no fault in light or dark',
  async (screen) => {
    const shown = await places();
    const { page, complaints } = await at('/dashboard/members', screen);
    for (const [name, place] of Object.entries(shown)) {
      await page.goto(`${shop.url}${place}`);
      await unfold(page);
      expect([name, await overflow(page), await accessibilityFaults(page), complaints]).toEqual([name, 0, [], []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([name, await colourFaults(page)]).toEqual([name, []]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  },
);

it('a member finds a declaration, is asked once more with the amounts, and refunds it', async () => {
  const id = await declaredByLink();
  const { page } = await at(home);
  await page.locator('tr', { hasText: id }).locator('a.leads').click();
  expect(await page.getByRole('button', { name: 'Refund €19.99' }).count()).toBe(0);
  await page.locator('.asked summary', { hasText: 'Refund €19.99' }).click();
  await page.getByText('ada@example.com gets').waitFor();
  await page.getByRole('button', { name: 'Refund €19.99' }).click();
  await page.getByText(/^Decided\./).waitFor();
  expect(await page.getByRole('button', { name: /Refund/ }).count()).toBe(0);
  const { refunds } = (await shop.api.get(`/payments/${id}`)) as { refunds: { amount: number }[] };
  expect(refunds.map(({ amount }) => amount)).toEqual([1_999]);
});
