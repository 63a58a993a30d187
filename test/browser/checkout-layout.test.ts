import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accessibilityFaults,
  type BrowserShop,
  due,
  euroBook,
  introduce,
  openBrowserShop,
  overflow,
  startBrowsing,
  supportPrice,
} from './shop.ts';

let shop: BrowserShop;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;

beforeAll(async () => {
  [shop, browsing] = await Promise.all([openBrowserShop(), startBrowsing()]);
});

afterAll(async () => {
  await browsing?.stop();
  await shop?.stop();
});

const box = async (page: Awaited<ReturnType<typeof browsing.visit>>['page'], selector: string) =>
  (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };

describe('the order', () => {
  it('stays in sight beside the form where there is room for both', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]), { width: 1_280 });
    await page.setViewportSize({ width: 1_280, height: 420 });
    const [order, form] = [await box(page, '.order'), await box(page, '.entries')];
    expect(order.x + order.width).toBeLessThan(form.x);
    await page.evaluate('scrollTo(0, 300)');
    expect((await box(page, '.order')).y).toBeGreaterThanOrEqual(0);
    expect((await box(page, '.entries')).y).toBeLessThan(0);
  });

  it.each([375, 768, 1_280])('widens no page at %i px, and axe finds nothing, in the dark as well', async (width) => {
    const cart = [await shop.product(supportPrice), await shop.product(euroBook)];
    for (const dark of [false, true]) {
      const { page } = await browsing.visit(await shop.checkout(cart), { width, dark });
      expect(await overflow(page)).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
    }
  });

  it('of many products is folded on a phone, and never beside the form', async () => {
    const cart = await Promise.all(Array.from({ length: 4 }, () => shop.product(euroBook)));
    const { page } = await browsing.visit(await shop.checkout(cart), { width: 375 });
    expect(await page.locator('.line').first().isVisible()).toBe(false);
    await page.click('.order summary');
    expect(await page.locator('.line').first().isVisible()).toBe(true);
    await page.click('.order summary');
    await page.setViewportSize({ width: 1_280, height: 900 });
    expect((await box(page, '.line >> nth=0')).height).toBeGreaterThan(20);
  });
});

describe('the button', () => {
  it('is in reach on a phone wherever the buyer is on the page, and hides no field that has the focus', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]), { width: 375 });
    await page.setViewportSize({ width: 375, height: 640 });
    for (const at of [0, 200, 500]) {
      await page.evaluate(`scrollTo(0, ${at})`);
      const { y, height } = await box(page, '#pay');
      expect(y + height).toBeLessThanOrEqual(640);
    }
    for (const id of ['email', 'name', 'country']) {
      await page.evaluate('scrollTo(0, 0)');
      await page.focus(`#${id}`);
      const field = await box(page, `#${id}`);
      expect(field.y + field.height).toBeLessThanOrEqual((await box(page, '.pay-bar')).y);
    }
  });

  it.each([
    ['DE', 'en', 'Order with obligation to pay'],
    ['FR', 'fr', 'Commande avec obligation de paiement'],
    ['NO', 'sv', 'Beställning förenad med betalningsskyldighet'],
    ['GB', 'en', 'Pay €19.99'],
  ])('for a buyer in %s says in %s what the law asks for: %s', async (country, locale, words) => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]), { locale });
    await page.selectOption('#country', country);
    await page.getByRole('button', { name: words, exact: true }).waitFor();
    // the summary stands right above it
    expect(await page.locator('.recap').textContent()).toContain('Field Guide');
    expect((await box(page, '#due')).y).toBeLessThan((await box(page, '#pay')).y);
  });

  it('says that it pays, to those who see it and to those who hear it', async () => {
    const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]));
    await introduce(page, { country: 'DE' });
    await page.getByText('VAT').first().waitFor();
    await page.evaluate(`document.getElementById('checkout').addEventListener('submit', () => setTimeout(() => {
      sessionStorage.told = ['pay', 'paying'].map((id) => document.getElementById(id).textContent).join('|');
    }))`);
    await page.click('#pay');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    expect(await page.evaluate('sessionStorage.told')).toBe('Paying…|Paying…');
  });
});

it.each(['ar', 'he'])('a page in %s is read from the right, fits a phone, and is accessible', async (locale) => {
  const url = await shop.checkout([await shop.product(euroBook)], { billing_address: { country: 'DE' } });
  const { page, complaints } = await browsing.visit(`${url}?lang=${locale}`, { width: 320 });
  expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl');
  const [label, amount] = [await box(page, '.due span'), await box(page, '#due')];
  expect(amount.x + amount.width).toBeLessThan(label.x);
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

describe('the country', () => {
  it.each([
    ['de-AT', 'AT', 'VAT 10 %'],
    ['en-US', 'US', 'Choose your state or province to see the tax.'],
    ['en', 'DE', 'VAT 7 %'],
  ])('of a browser in %s is %s at first, so that the first look shows its tax', async (locale, country, words) => {
    const url = await shop.checkout([await shop.product(euroBook)]);
    const { page } = await browsing.visit(`${url}?lang=en`, { locale, javaScript: false });
    expect(await page.inputValue('#country')).toBe(country);
    expect(await page.textContent('#totals')).toContain(words.split(' %')[0]);
  });

  it('that the integrator has named is not guessed', async () => {
    const url = await shop.checkout([await shop.product(euroBook)], { billing_address: { country: 'SE' } });
    const { page } = await browsing.visit(url, { locale: 'de-AT' });
    expect(await page.inputValue('#country')).toBe('SE');
  });
});

it('a subtotal is shown while its tax is not known', async () => {
  const product = await shop.product({ price: 18_300, currency: 'EUR', tax_inclusive: false });
  const { page } = await browsing.visit(await shop.checkout([product]), { javaScript: false });
  expect((await page.textContent('#totals'))?.replace(/\s+/g, ' ').trim()).toBe(
    'Subtotal without tax€183.00 Choose your state or province to see the tax.',
  );
  expect(await page.textContent('#due')).toBe('€183.00');
});

it('the amounts to choose from say which is the least and which is suggested', async () => {
  const { page } = await browsing.visit(await shop.checkout([await shop.product(supportPrice)]));
  expect((await page.locator('.preset').allTextContents()).map((text) => text.trim())).toEqual([
    '€5.00 minimum',
    '€10.00',
    '€15.00 suggested',
    '€30.00',
  ]);
  await page.getByRole('button', { name: '€5.00 minimum' }).click();
  await due(page, '€5.00');
});

it('the language changes with the choice, and there is no second button', async () => {
  const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]));
  await page.fill('#email', 'ada@example.com');
  expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0);
  await page.selectOption('#language', 'fr');
  await page.getByText('Votre commande').waitFor();
  expect(await page.inputValue('#email')).toBe('ada@example.com');
});

it('who sells is always named, with an address', async () => {
  const { page } = await browsing.visit(await shop.checkout([await shop.product(euroBook)]));
  expect(await page.textContent('.footer')).toContain(
    'Sold by Example Books (an example merchant), Musterstraße 1, 10115 Berlin, Germany',
  );
});
