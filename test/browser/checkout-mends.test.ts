import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { clock } from '../support/clock.ts';
import { campaign } from '../support/seeded.ts';
import { openedShop } from './opened-shop.ts';
import { accessibilityFaults, chooseCard, due, euroBook, introduce, overflow, supportPrice, totals } from './shop.ts';

const { shop, browsing } = openedShop();

afterEach(() => clock.run());

it('a corrected field loses its error mark, and no other element moves', async () => {
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

it('a buyer who is offline sees a message, keeps every entry, and can pay when the connection is back', async () => {
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

it('a slow payment shows that it is still in progress, and is sent only once', async () => {
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
    sessionStorage.told = document.querySelector('.pay-bar .slow').textContent;
    document.getElementById('pay').click();
  }, 4000);
  document.getElementById('pay').click()`);
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await page.evaluate('sessionStorage.told')).toMatch(/^Still trying/);
  expect(sent).toBe(1);
});

it('a buyer whose session has expired can start again from the product’s page', async () => {
  const product = await shop.product(euroBook);
  const url = await shop.checkout([product]);
  clock.forward({ hours: 25 });
  const { page, complaints } = await browsing.visit(url);
  await page.getByRole('link', { name: 'Start again' }).click();
  await page.waitForURL(`${shop.url}/buy/${product}?lang=en`);
  expect(complaints).toEqual([]);
});

it('the page of an archived product tells the buyer that it is no longer sold', async () => {
  const product = await shop.product(euroBook);
  await shop.api.delete(`/products/${product}`);
  const { page } = await browsing.visit(`${shop.url}/buy/${product}?lang=de`);
  await page.getByRole('heading', { name: 'Nicht mehr erhältlich' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it('a decline that arrives late keeps the buyer’s entries', async () => {
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

it.each([true, false])(
  'the dashboard asks for a confirmation before each refund (JavaScript on: %s)',
  async (javaScript) => {
    const url = await shop.checkout([await shop.product({ ...euroBook, price: 300_000 })]);
    const buyer = await browsing.visit(url);
    await introduce(buyer.page, { country: 'DE' });
    await buyer.page.getByText(/^VAT \d/).waitFor();
    await buyer.page.click('#pay');
    await buyer.page.getByRole('heading', { name: 'Paid' }).waitFor();
    const { payment_id: id } = await shop.payment(url);
    const { page } = await browsing.visit(`${shop.url}/dashboard/payments/${id}`, { javaScript, isSignedIn: true });
    const press = () => page.locator('button[value=refund]').click();
    await page.getByLabel('The whole rest').check();
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
    await page.getByText('This returns €750.00 to the buyer').waitFor();
    await press();
    await page.getByText('Refunded.', { exact: true }).waitFor();
  },
);

/** A code of 20 %, unless said otherwise. */
const newCode = async (terms: object = {}): Promise<string> => {
  const made = await shop.api.post('/discounts', { type: 'percentage', amount: 2_000, ...terms });
  return (made as { code: string }).code;
};

/** A price by currency of a product. */
const priceIn = (product: string, terms: object) => shop.api.post(`/products/${product}/localized-prices`, terms);

const unfoldCode = (page: Page) => page.click('#discount > summary');

it('a discount code is applied, announced and removed without a page change, and typing it moves no element', async () => {
  const code = await newCode();
  const { page, complaints } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]));
  await introduce(page, { country: 'DE' });
  await due(page, '€19.99');
  await page.waitForLoadState('networkidle');
  await page.evaluate('window.isSamePage = true');
  await unfoldCode(page);
  const payAt = () => page.locator('#pay').boundingBox();
  const before = await payAt();
  await page.locator('#code').pressSequentially(code.toLowerCase());
  expect(await payAt()).toEqual(before);
  await page.keyboard.press('Enter');
  await due(page, '€15.99');
  await page.getByRole('status').getByText(`The code ${code} is applied.`).waitFor();
  expect(await totals(page)).toContain(`Discount ${code} −€4.00`);
  expect([await page.inputValue('#code'), await page.inputValue('#email')]).toEqual(['', 'ada@example.com']);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: `Remove ${code}` }).click();
  await due(page, '€19.99');
  await page.getByRole('status').getByText(`The code ${code} is removed.`).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('code');
  expect([await page.evaluate('window.isSamePage'), complaints]).toEqual([true, []]);
});

it('a wrong code shows an error at its field, and an applied code still counts after it has ended', async () => {
  const code = await newCode({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page } = await browsing.visit(url, { width: 320 });
  await introduce(page, { country: 'DE' });
  await page.waitForLoadState('networkidle');
  await unfoldCode(page);
  await page.fill('#code', 'NO-SUCH-CODE');
  await page.click('#apply-code');
  await page.getByRole('status').getByText('This code is not valid.').waitFor();
  expect(await page.inputValue('#code')).toBe('NO-SUCH-CODE');
  expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
  await page.fill('#code', code);
  expect(await page.locator('#code-fault').isVisible()).toBe(false);
  await page.click('#apply-code');
  await due(page, '€15.99');
  clock.forward({ hours: 2 });
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect((await shop.payment(url)).total_amount).toBe(1_599);
});

it('when others use up a code, the page says so, shows the new total and asks the buyer to confirm it', async () => {
  const code = await newCode({ usage_limit: 1 });
  const product = await shop.product(euroBook);
  const [url, faster] = [await shop.checkout([product]), await shop.checkout([product], { discount_codes: [code] })];
  const { page, complaints } = await browsing.visit(url);
  await introduce(page, { country: 'DE' });
  await unfoldCode(page);
  await page.fill('#code', code);
  await page.click('#apply-code');
  await due(page, '€15.99');
  const body = JSON.stringify({
    customer: { email: 'first@example.com', name: 'First' },
    billing_address: { country: 'DE' },
    test_card: '4242',
  });
  await fetch(`${faster}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await page.click('#pay');
  await page.getByRole('alert').getByText(`The code ${code} can no longer be used.`).waitFor();
  await due(page, '€19.99');
  expect([await shop.payment(url), await accessibilityFaults(page)]).toEqual([undefined, []]);
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect([(await shop.payment(url)).total_amount, complaints]).toEqual([1_999, []]);
});

it('a code never reduces a chosen price below its minimum, and each currency starts at its suggested amount', async () => {
  const code = await newCode({ amount: 9_000 });
  const product = await shop.product({ ...supportPrice, pricing_mode: 'by_currency' });
  await priceIn(product, { currency: 'USD', amount: 700, suggested_price: 2_000 });
  const { page, complaints } = await browsing.visit(await shop.checkout([product]), { locale: 'de-DE' });
  await page.goto(`${page.url()}?lang=en`);
  await unfoldCode(page);
  await page.fill('#code', code);
  await page.click('#apply-code');
  await page.getByText('Codes do not lower this below the minimum of €5.00.').waitFor();
  await due(page, '€5.00');
  await page.fill('#amount-0', '33');
  await page.selectOption('#currency', 'USD');
  await page.getByRole('status').getByText('The prices are now in USD.').waitFor();
  await due(page, '$7.00');
  expect([await page.inputValue('#amount-0'), await page.inputValue('#currency')]).toEqual(['20.00', 'USD']);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.selectOption('#country', 'FR');
  await page.waitForLoadState('networkidle');
  expect([await page.inputValue('#currency'), complaints]).toEqual(['USD', []]);
});

it.each(campaign([320, 1_280], [320, 1_280], [320]))(
  'discount codes and currencies are shown correctly from right to left at %i px',
  async (width) => {
    const code = await newCode();
    const product = await shop.product({ ...euroBook, pricing_mode: 'by_currency' });
    await priceIn(product, { currency: 'USD', amount: 2_400 });
    const url = `${shop.url}/buy/${product}?lang=ar&discount=${code}`;
    const { page, complaints } = await browsing.visit(url, { width });
    await page.click('button.pay');
    await page.locator('.totals .code').waitFor();
    await unfoldCode(page);
    expect([await accessibilityFaults(page), await overflow(page), complaints]).toEqual([[], 0, []]);
  },
);

it('plain forms apply a code and change the currency when JavaScript is off', async () => {
  const code = await newCode();
  const product = await shop.product({ ...euroBook, pricing_mode: 'by_currency' });
  await priceIn(product, { currency: 'USD', amount: 2_400 });
  const url = await shop.checkout([product]);
  const { page } = await browsing.visit(`${url}?lang=en`, { javaScript: false, locale: 'de-DE' });
  await introduce(page, { country: 'DE' });
  await unfoldCode(page);
  await page.fill('#code', 'NO-SUCH');
  await page.click('#apply-code');
  await page.getByRole('link', { name: 'This code is not valid. Check how it is written.' }).waitFor();
  await page.fill('#code', code);
  await page.click('#pay');
  await page.getByText('The total is now €15.99. Check it, then pay.').waitFor();
  await page.getByRole('button', { name: `Remove ${code}` }).click();
  await due(page, '€19.99');
  await page.selectOption('#currency', 'USD');
  await page.click('#update');
  await due(page, '$24.00');
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  expect(await shop.payment(url)).toMatchObject({ currency: 'USD', total_amount: 2_400 });
});
