import { describe, expect, it } from 'vitest';
import { buyByLink } from '../dashboard-merchant.ts';
import { openedShop } from '../opened-shop.ts';
import { euroBook } from '../shop.ts';
import { countingHand } from './counting-hand.ts';

const { shop, browsing } = openedShop();

async function dashboard(path: string) {
  const { page } = await browsing.visit(`${shop.url}/dashboard${path}`, { width: 1_280, isSignedIn: true });
  return page;
}

describe('the few clicks of a task', () => {
  it('a merchant needs 4 clicks and 3 fields to create a product and copy its link', async () => {
    const page = await dashboard('');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const hand = countingHand();
    await hand.click(page.getByRole('link', { name: 'Products', exact: true }));
    await hand.click(page.locator('main a[href="/dashboard/products/new"]').first());
    await hand.fill(page.locator('#name'), 'Field Guide');
    await hand.fill(page.locator('#description'), 'Birds of the northern forests.');
    await hand.fill(page.locator('#price'), '19.99');
    await hand.click(page.getByRole('button', { name: 'Create the product' }));
    await page.getByText('Created.').waitFor();
    await hand.click(page.getByRole('button', { name: 'Copy', exact: true }).first());
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(hand.done).toEqual({ clicks: 4, fields: 3 });
    const link: string = await page.evaluate('navigator.clipboard.readText()');
    expect((await fetch(link)).status).toBe(200);
  });

  it('a merchant needs 4 clicks and no calculation to refund half of a payment from the list, and is asked once more', async () => {
    const { page: buyer } = await browsing.visit(shop.url);
    const id = await buyByLink(buyer, `${shop.url}/buy/${await shop.product(euroBook)}`);
    const page = await dashboard('/payments');
    const hand = countingHand();
    await hand.clickRow(page.locator('tbody tr').first());
    await hand.click(page.getByText(/^Half of it: /));
    await hand.click(page.getByRole('button', { name: 'Refund €9.99', exact: true }));
    await page.getByText('This returns €9.99 to the buyer').waitFor();
    await hand.click(page.getByRole('button', { name: 'Refund €9.99', exact: true }));
    await page.getByText('Refunded.', { exact: true }).waitFor();
    expect(hand.done).toEqual({ clicks: 4, fields: 0 });
    const payment = (await shop.api.get(`/payments/${id}`)) as { refundable_amount: number };
    expect(payment.refundable_amount).toBe(1_000);
  });

  it('a merchant finds a sale by a name in 2 steps: a text and a click', async () => {
    const { page: buyer } = await browsing.visit(shop.url);
    const id = await buyByLink(buyer, `${shop.url}/buy/${await shop.product(euroBook, { name: 'Märchen der Nacht' })}`);
    const page = await dashboard('/payments');
    const hand = countingHand();
    await hand.fill(page.locator('#q'), 'marchen');
    await hand.click(page.getByRole('button', { name: 'Show' }));
    await page.getByText(/^1 found\./).waitFor();
    expect(hand.done).toEqual({ clicks: 1, fields: 1 });
    expect(await page.locator('tbody a.leads').getAttribute('href')).toBe(`/dashboard/payments/${id}`);
  });

  it('a buyer needs 2 clicks and 3 fields from a product’s link to a paid order', async () => {
    const { page } = await browsing.visit(`${shop.url}/buy/${await shop.product(euroBook)}`);
    const hand = countingHand();
    await hand.click(page.getByRole('button', { name: 'Checkout' }));
    await page.waitForURL(/\/checkout\//);
    await hand.fill(page.locator('#email'), 'ada@example.com');
    await hand.fill(page.locator('#name'), 'Ada Lovelace');
    await hand.choose(page.locator('#country'), 'DE');
    await page.getByText('VAT 7%').waitFor();
    await hand.click(page.locator('#pay'));
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(hand.done).toEqual({ clicks: 2, fields: 3 });
  });
});
