import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { clock } from '../support/clock.ts';
import { signIn } from './dashboard-merchant.ts';
import {
  accessibilityFaults,
  type BrowserShop,
  chooseCard,
  due,
  euroBook,
  introduce,
  openBrowserShop,
  startBrowsing,
  supportPrice,
} from './shop.ts';

let shop: BrowserShop;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;

beforeAll(async () => {
  [shop, browsing] = await Promise.all([openBrowserShop(), startBrowsing()]);
});

afterEach(() => clock.run());
afterAll(async () => {
  await browsing?.stop();
  await shop?.stop();
});

it('a corrected field is no longer marked, and nothing moves meanwhile', async () => {
  const { page, complaints } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]));
  await page.fill('#email', 'ada@');
  await page.click('#pay');
  await page.locator('.advice').waitFor();
  const payAt = () => page.locator('#pay').boundingBox();
  const before = await payAt();
  await page.fill('#email', 'ada@example.com');
  expect(await page.locator('#email').getAttribute('aria-invalid')).toBeNull();
  expect(await page.locator('#email-fault').isVisible()).toBe(false);
  expect(await page.locator('#name-fault').isVisible()).toBe(true);
  expect(await payAt()).toEqual(before);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('a buyer without a connection is told so, keeps every entry, and goes on when it is back', async () => {
  const { page } = await browsing.visit(await shop.checkout([await shop.product(supportPrice)]));
  await introduce(page, { country: 'DE' });
  await page.getByText(/^VAT \d/).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('alert').getByText('There is no connection.').waitFor();
  await page.fill('#amount-0', '20');
  await page.getByRole('alert').getByText('There is no connection.').waitFor();
  await page.click('#pay');
  await page.waitForTimeout(300);
  expect(await page.inputValue('#email')).toBe('ada@example.com');
  await page.context().setOffline(false);
  await due(page, '€20.00');
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
});

it('a payment that takes long says that it is still tried, and is sent once', async () => {
  const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]));
  await introduce(page, { country: 'DE' });
  await due(page, '€19.99');
  await page.waitForLoadState('networkidle');
  let sent = 0;
  await page.route('**/pay?*', async (route) => {
    sent += 1;
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    await route.continue();
  });
  // the page tells what it says while it waits: nothing can be asked of it meanwhile
  await page.evaluate(`setTimeout(() => {
    sessionStorage.told = document.getElementById('slow').textContent;
    document.getElementById('pay').click();
  }, 4000);
  document.getElementById('pay').click()`);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await page.evaluate('sessionStorage.told')).toMatch(/^Still trying/);
  expect(sent).toBe(1);
});

it('a buyer who comes too late begins again from the product’s page', async () => {
  const product = await shop.product(euroBook);
  const url = await shop.checkout([product]);
  clock.forward({ hours: 25 });
  const { page, complaints } = await browsing.visit(url);
  await page.getByRole('link', { name: 'Start again' }).click();
  await page.waitForURL(`${shop.url}/buy/${product}?lang=en`);
  expect(complaints).toEqual([]);
});

it('a product that is archived says so to a buyer', async () => {
  const product = await shop.product(euroBook);
  await shop.api.delete(`/products/${product}`);
  const { page } = await browsing.visit(`${shop.url}/buy/${product}?lang=de`);
  await page.getByRole('heading', { name: 'Nicht mehr erhältlich' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it('a slow decline keeps what the buyer has entered', async () => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page } = await browsing.visit(url);
  await introduce(page, { country: 'DE' });
  await page.waitForLoadState('networkidle');
  await chooseCard(page, '3238');
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Your payment is being processed' }).waitFor();
  clock.forward({ minutes: 1 });
  await page.getByText('The card was declined.').waitFor();
  expect(await page.inputValue('#email')).toBe('ada@example.com');
  expect(await page.inputValue('#country')).toBe('DE');
});

it.each([true, false])('a large refund is asked about once more, with a script: %s', async (javaScript) => {
  const url = await shop.checkout([await shop.product({ ...euroBook, price: 300_000 })]);
  const buyer = await browsing.visit(url);
  await introduce(buyer.page, { country: 'DE' });
  await buyer.page.getByText(/^VAT \d/).waitFor();
  await buyer.page.click('#pay');
  await buyer.page.getByRole('heading', { name: 'Paid' }).waitFor();
  const { payment_id: id } = await shop.payment(url);
  const { page } = await browsing.visit(`${shop.url}/dashboard/payments/${id}`, { javaScript });
  await signIn(page);
  const press = () => page.locator('button[value=refund]').click();
  await press();
  await page.getByText('This returns €3,000.00 to the buyer').waitFor();
  expect(await shop.payment(url)).toMatchObject({ refundable_amount: 300_000 });
  // another amount is another question
  await page.getByText('Half of it').click();
  await press();
  await page.getByText('This returns €1,500.00 to the buyer').waitFor();
  await press();
  await page.getByText('Refunded.', { exact: true }).waitFor();
  expect(await shop.payment(url)).toMatchObject({ refundable_amount: 150_000 });
  await page.getByLabel('An amount').check();
  await page.getByLabel('Amount (EUR)').fill('750');
  await press();
  await page.getByText('Refunded.', { exact: true }).waitFor();
});
