import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalStripe, startLocalStripe } from '../../../infra/local/demo/local-stripe.ts';
import {
  accessibilityFaults,
  type BrowserShop,
  euroBook,
  openBrowserShop,
  overflow,
  startBrowsing,
  supportPrice,
} from '../shop.ts';

let stripe: LocalStripe;
let shop: BrowserShop;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;

beforeAll(async () => {
  stripe = await startLocalStripe();
  [shop, browsing] = await Promise.all([openBrowserShop(stripe.environment), startBrowsing()]);
});

afterAll(async () => {
  await browsing?.stop();
  await shop?.stop();
  await stripe?.stop();
});

/** A hand that counts the buttons that it presses and the fields that it fills. */
const countingHand = (page: Page) => {
  const count = { clicks: 0, fields: 0 };
  return {
    count,
    press: async (name: string) => {
      count.clicks += 1;
      await page.getByRole('button', { name, exact: true }).click();
    },
    fill: async (label: string, text: string) => {
      count.fields += 1;
      await page.getByLabel(label).fill(text);
    },
    choose: async (label: string, option: string) => {
      count.fields += 1;
      await page.getByLabel(label).selectOption(option);
    },
  };
};

it.each([
  { locale: 'en-US', price: euroBook, checkout: 'Checkout', pay: 'Continue to pay €19.99', fields: 3 },
  { locale: 'de-DE', price: euroBook, checkout: 'Zur Kasse', pay: 'Zahlungspflichtig bestellen', fields: 2 },
  {
    locale: 'en-US',
    price: { ...supportPrice, suggested_price: undefined },
    checkout: 'Checkout',
    pay: 'Continue to pay €12.00',
    fields: 4,
    amount: '12',
  },
  {
    locale: 'de-DE',
    price: { ...supportPrice, suggested_price: undefined },
    checkout: 'Zur Kasse',
    pay: 'Zahlungspflichtig bestellen',
    fields: 3,
    amount: '12,50',
  },
])(
  'a buyer in $locale gets from a link to Stripe’s page with 2 clicks and $fields fields (amount: $amount)',
  async ({ locale, price, checkout, pay, fields, amount }) => {
    const { suggested_price: _, ...terms } = price;
    const link = `${shop.url}/buy/${await shop.product(price.suggested_price ? price : terms)}`;
    const { page, complaints } = await browsing.visit(link, { locale, width: 375, leadsTo: stripe.fake.url });
    const hand = countingHand(page);
    expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
    if (amount) {
      expect(await page.evaluate('document.activeElement.id')).toBe('amount');
      await hand.fill(locale === 'de-DE' ? 'Ihr Betrag' : 'Your amount', amount);
    }
    await hand.press(checkout);
    await page.waitForURL(/\/checkout\//);
    await hand.fill('E-Mail', 'ada@example.com');
    await hand.fill('Name', 'Ada Lovelace');
    if (locale === 'en-US') await hand.choose('State or province', 'OR');
    await hand.press(pay);
    await page.waitForURL((address) => address.origin === new URL(stripe.fake.url).origin);
    expect(hand.count).toEqual({ clicks: 2, fields });
    expect(complaints).toEqual([]);
  },
);

it('a suggested amount fills the field of a product’s page, and without JavaScript opens the page with it', async () => {
  const link = `${shop.url}/buy/${await shop.product(supportPrice)}`;
  for (const javaScript of [true, false]) {
    const { page, complaints } = await browsing.visit(link, { locale: 'en-IE', javaScript });
    await page.getByRole('link', { name: '€30.00' }).click();
    await page.waitForFunction('document.getElementById("amount").value === "30.00"').catch(() => {});
    expect(await page.inputValue('#amount')).toBe('30.00');
    expect(await page.getAttribute('a.preset[aria-current]', 'data-amount')).toBe('30.00');
    await page.getByRole('button', { name: 'Checkout' }).click();
    expect([await page.inputValue('#amount-0'), complaints]).toEqual(['30.00', []]);
  }
});

it.each([true, false])(
  'the price follows the country that the buyer chooses (JavaScript on: %s)',
  async (javaScript) => {
    const product = await shop.product({ ...euroBook, pricing_mode: 'by_currency' });
    await shop.api.post(`/products/${product}/localized-prices`, {
      currency: 'USD',
      amount: 2_400,
      tax_inclusive: false,
    });
    const { page } = await browsing.visit(`${shop.url}/buy/${product}?lang=en&quantity=2`, {
      locale: 'en-IE',
      javaScript,
    });
    await page.selectOption('#country', 'US');
    if (!javaScript) await page.getByRole('button', { name: 'Show the price there' }).click();
    await page.waitForURL(/country=US/);
    expect((await page.textContent('.offer-price'))?.trim()).toBe('2 × $24.00 plus tax');
    await page.getByRole('button', { name: 'Checkout' }).click();
    expect([await page.inputValue('#country'), await page.textContent('#due')]).toEqual(['US', '$48.00']);
  },
);
