import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, due, euroBook, introduce, overflow, supportPrice } from '../shop.ts';

const { shop, browsing } = openedShop();

const besidePay = (page: Page, text: string) => page.locator('.pay-bar').getByRole('alert').getByText(text).waitFor();
const isPaid = (page: Page) => page.getByRole('heading', { name: 'Paid' }).waitFor();
/** Types an amount and presses Pay before the page can show the new total. */
const typeAndPress = async (page: Page, amount: string) => {
  await page.fill('#amount-0', amount);
  await page.evaluate('document.getElementById("pay").click()');
};

describe.each([true, false])('a press on Pay (JavaScript on: %s)', (javaScript) => {
  it('pays an amount that was just typed, if it is the amount that is charged', async () => {
    const url = await shop.checkout([await shop.product(supportPrice)]);
    const { page, complaints } = await browsing.visit(url, { javaScript, locale: 'en-IE' });
    await introduce(page);
    await typeAndPress(page, '77');
    await isPaid(page);
    expect(await shop.payment(url)).toMatchObject({ total_amount: 7_700 });
    expect(complaints).toEqual([]);
  });

  it('shows the total beside the button if it is neither shown nor typed, and the second press pays it', async () => {
    const product = await shop.product({ ...supportPrice, tax_inclusive: false }, { tax_category: 'saas' });
    const url = await shop.checkout([product]);
    const { page, complaints } = await browsing.visit(url, { javaScript, width: 375 });
    await introduce(page, { country: 'DE' });
    if (javaScript) await page.getByText(/^VAT \d/).waitFor();
    await typeAndPress(page, '20');
    // 20.00 + 19 %
    await besidePay(page, 'The total is now €23.80.');
    expect(await shop.payment(url)).toBeUndefined();
    if (javaScript) expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
    await page.click('#pay');
    await isPaid(page);
    expect(await shop.payment(url)).toMatchObject({ total_amount: 2_380 });
    expect(complaints).toEqual([]);
  });

  it('shows the total in the new currency if the country was just chosen, and the second press pays it', async () => {
    const product = await shop.product({ ...supportPrice, price: 300, pricing_mode: 'by_currency' });
    const british = { currency: 'GBP', amount: 300, suggested_price: 5_000 };
    await shop.api.post(`/products/${product}/localized-prices`, british);
    const url = await shop.checkout([product]);
    const { page } = await browsing.visit(`${url}?lang=en`, { javaScript, locale: 'de-DE' });
    await introduce(page, { country: 'DE' });
    await page.fill('#amount-0', '4');
    if (javaScript) await due(page, '€4.00');
    await page.evaluate(`document.getElementById('country').value = 'GB';
      document.getElementById('country').dispatchEvent(new Event('change', { bubbles: true }));
      document.getElementById('pay').click()`);
    await besidePay(page, 'The total is now £50.00.');
    expect(await shop.payment(url)).toBeUndefined();
    await page.click('#pay');
    await isPaid(page);
    expect(await shop.payment(url)).toMatchObject({ total_amount: 5_000, currency: 'GBP' });
  });

  it('shows what is wrong with an amount that was just typed', async () => {
    const url = await shop.checkout([await shop.product(supportPrice)]);
    const { page } = await browsing.visit(url, { javaScript });
    await introduce(page, { country: 'DE' });
    await typeAndPress(page, '2');
    await page.locator('.faults').getByText('The amount must be at least €5.00.').waitFor();
    expect(await shop.payment(url)).toBeUndefined();
  });

  it('shows the words that the law requires when the country was just chosen, and the second press orders', async () => {
    const url = await shop.checkout([await shop.product(euroBook)]);
    const { page } = await browsing.visit(url, { javaScript, locale: 'de-CH' });
    await page.goto(`${url}?lang=en`);
    await introduce(page);
    await page.evaluate(`document.getElementById('country').value = 'DE';
      document.getElementById('country').dispatchEvent(new Event('change', { bubbles: true }));
      document.getElementById('pay').click()`);
    await besidePay(page, 'The words on the button have changed for your country.');
    expect(await shop.payment(url)).toBeUndefined();
    await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
    await isPaid(page);
  });
});

it('a message about the connection stands beside the button that was pressed', async () => {
  await shop.api.post('/discounts', { type: 'percentage', amount: 1_000 });
  const { page } = await browsing.visit(await shop.checkout([await shop.product(supportPrice)]));
  await introduce(page, { country: 'DE' });
  await due(page, '€15.00');
  await page.click('#discount > summary');
  await page.fill('#code', 'SPRING');
  await page.context().setOffline(true);
  await page.click('#apply-code');
  await page.locator('#codes').getByRole('alert').getByText('There is no connection.').waitFor();
  await page.click('#pay');
  await besidePay(page, 'There is no connection.');
  expect([await page.getByRole('alert').count(), await accessibilityFaults(page)]).toEqual([1, []]);
  await page.context().setOffline(false);
  await page.waitForFunction('!document.getElementById("told")');
});

it('a button that is disabled until an amount is typed stays so when the page opens and after a refused press', async () => {
  const { suggested_price: _, ...unsuggested } = supportPrice;
  const { page } = await browsing.visit(await shop.checkout([await shop.product(unsuggested)]));
  await introduce(page, { country: 'IE' });
  await page.waitForLoadState('networkidle');
  const state = () =>
    page.evaluate('[pay.getAttribute("aria-disabled"), getComputedStyle(pay).cursor, pay.hasAttribute("data-locked")]');
  expect(await state()).toEqual(['true', 'not-allowed', false]);
  await page.evaluate('pay.click()');
  await page.locator('.faults a').first().waitFor();
  await page.locator('#pay:not([data-locked])').waitFor();
  expect(await state()).toEqual(['true', 'not-allowed', false]);
  await page.fill('#amount-0', '20');
  await page.locator('#pay:not([aria-disabled])').waitFor();
  await page.click('#pay');
  await isPaid(page);
});
