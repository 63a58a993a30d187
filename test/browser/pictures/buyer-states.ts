import type { Page } from 'playwright-core';
import { localKey } from '../../../infra/local/local-key.ts';
import { taxIdUrl } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type BrowserShop, chooseCard, introduce, supportPrice } from '../shop.ts';
import {
  at,
  book,
  course,
  description,
  filledCheckout,
  open,
  type PageState,
  paid,
  pressPay,
  refundedPayment,
  supportProduct,
} from './page-states.ts';

const dayMs = 86_400_000;
const shopHeaders = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
const someBooks = async (page: Page, shop: BrowserShop, maximum: number) => ({
  product_id: await book(page, shop),
  quantity: 2,
  adjustable_quantity: { maximum },
});

/** Waits until the page has its price. */
const priced = (page: Page) => page.locator('#checkout:not([aria-busy])').waitFor();

const codeOf = async (shop: BrowserShop, fields: object = {}): Promise<string> =>
  ((await shop.api.post('/discounts', { type: 'percentage', amount: 1_000, ...fields })) as { code: string }).code;

/** Enters a code and waits for what the page says of it. */
async function enter(page: Page, code: string): Promise<void> {
  if (!(await page.locator('#code').isVisible())) await page.click('#discount > summary');
  await page.fill('#code', code);
  await Promise.all([page.waitForResponse(/\/quote/), page.click('#apply-code')]);
  await priced(page);
}

/** The address of a session that was made this number of days ago. */
async function old(days: number, make: () => Promise<string>): Promise<string> {
  clock.stopAt(new Date(Date.now() - days * dayMs).toISOString());
  try {
    return await make();
  } finally {
    clock.run();
  }
}

/** The link of a cart that has expired, for a buyer whose address is known. */
const expired = async (page: Page, shop: BrowserShop, days: number): Promise<string> => {
  const cart = [{ product_id: await book(page, shop), quantity: 2 }, await supportProduct(page, shop)];
  const buyer = { customer: { email: 'ada@example.com' }, billing_address: { country: 'DE' } };
  return `${await old(days, () => shop.checkout(cart, buyer))}/recover`;
};

/** The page of such a link. The sweeper notices a moment later that the checkout has expired. */
async function recovery(page: Page, shop: BrowserShop): Promise<string> {
  const link = await expired(page, shop, 2);
  while ((await page.goto(link))?.status() !== 200) await page.waitForTimeout(250);
  return link;
}

/** Opens an expired checkout again by its link. */
async function reopened(page: Page, shop: BrowserShop): Promise<string> {
  const link = await recovery(page, shop);
  await page.click('main .pay');
  await page.locator('#checkout').waitFor();
  return link;
}

const instructions =
  'Thank you for reading.\nThe password of the file is “owl”. Write to us if the link does not work.';

/** A receipt of two products, of which both say how to get them. */
async function delivered(page: Page, shop: BrowserShop): Promise<void> {
  const fields = (name: string) => ({ name, description });
  const products = await Promise.all(
    ['Field Guide', 'Owls of the North'].map((name) => shop.product(supportPrice, fields(name))),
  );
  for (const [index, id] of products.entries())
    await fetch(`${shop.url}/products/${id}`, {
      method: 'PATCH',
      headers: shopHeaders,
      body: JSON.stringify({
        digital_product_delivery: {
          external_url: `https://files.example.com/${index}`,
          ...(index === 0 && { instructions }),
        },
      }),
    });
  await open(
    page,
    shop,
    products.map((product_id) => ({ product_id, quantity: 1, amount: 1_500 })),
  );
  await introduce(page, { country: 'FR' });
  await priced(page);
  await pressPay(page);
  await page.locator('.seal').waitFor();
}

const seen = async (page: Page, shop: BrowserShop, path: (id: string) => string) =>
  page.goto(`${shop.url}${path((await shop.payment(await paid(page, shop))).payment_id)}`);

/** Lets the gateway refuse every request to an address. The pauses between two tries pass at once. */
async function refuseAt(page: Page, address: string): Promise<void> {
  await page.route(address, (route) => route.fulfill({ status: 429, json: { message: 'Too Many Requests' } }));
  await page.evaluate(
    '{ const wait = setTimeout; setTimeout = (act, ms) => wait(act, ms > 400 && ms < 9000 ? 30 : ms) }',
  );
}

const orderOf = async (page: Page, shop: BrowserShop, id: string) =>
  page.goto(((await shop.api.get(`/payments/${id}`)) as { order_url: string }).order_url);

/** States of the pages that buyers see, beside those of a plain checkout. */
export const buyerStates: readonly PageState[] = [
  {
    name: 'checkout-quantity',
    reach: async (page, shop) => {
      await open(page, shop, [await someBooks(page, shop, 9), await supportProduct(page, shop)], {
        billing_address: { country: 'DE' },
      });
      await Promise.all([page.waitForResponse(/\/quote/), page.locator('.step').last().click()]);
      await priced(page);
    },
  },
  {
    name: 'checkout-quantity-fault',
    reach: async (page, shop) => {
      await open(page, shop, [await someBooks(page, shop, 9)]);
      await page.fill('#quantity-0', '12');
      await page.locator('#quantity-0-fault:not(:empty)').waitFor();
    },
  },
  {
    name: 'checkout-code-refused',
    reach: async (page, shop) => {
      const code = await codeOf(shop, { expires_at: '2026-01-01T00:00:00Z' });
      await open(page, shop, [await book(page, shop)]);
      await enter(page, code);
    },
  },
  {
    name: 'checkout-codes-several',
    reach: async (page, shop) => {
      const [first, second] = [await codeOf(shop), await codeOf(shop, { amount: 500 })];
      await open(page, shop, [await book(page, shop), await course(page, shop)], {
        billing_address: { country: 'DE' },
      });
      await enter(page, first);
      await enter(page, second);
    },
  },
  {
    name: 'checkout-code-free',
    reach: async (page, shop) => {
      const code = await codeOf(shop, { amount: 10_000 });
      await open(page, shop, [await book(page, shop)], { billing_address: { country: 'DE' } });
      await enter(page, code);
    },
  },
  {
    name: 'checkout-currency',
    reach: async (page, shop) => {
      const product = await shop.product({ ...supportPrice, pricing_mode: 'by_currency' }, { description });
      for (const [currency, amount] of [
        ['USD', 700],
        ['JPY', 900],
        ['CHF', 600],
      ])
        await shop.api.post(`/products/${product}/localized-prices`, { currency, amount });
      await open(page, shop, [product], { billing_currency: 'EUR' });
      await Promise.all([page.waitForResponse(/\/quote/), page.selectOption('#currency', 'JPY')]);
      await priced(page);
      await page.focus('#currency');
    },
  },
  {
    name: 'checkout-reverse-charge',
    reach: async (page, shop) => {
      await open(page, shop, [await book(page, shop)]);
      await introduce(page, { country: 'FR' });
      await page.click('#business > summary');
      await page.fill('#tax_id', 'FR40303265045');
      await page.fill('#business_name', 'Librairie du Nord');
      await page.press('#tax_id', 'Tab');
      await page.waitForLoadState('networkidle');
      await pressPay(page);
      await page.locator('.advice').waitFor();
    },
  },
  {
    name: 'checkout-offline',
    reach: async (page, shop) => {
      await filledCheckout(page, shop, '4242');
      await page.evaluate('dispatchEvent(new Event("offline"))');
      await page.locator('#told').waitFor();
    },
  },
  {
    name: 'checkout-unanswered',
    reach: async (page, shop) => {
      await filledCheckout(page, shop, '4242');
      await refuseAt(page, '**/pay?*');
      await pressPay(page);
      await page.locator('#told').waitFor();
    },
  },
  {
    name: 'checkout-stale',
    reach: async (page, shop) => {
      await filledCheckout(page, shop, '4242');
      await refuseAt(page, '**/quote?*');
      await page.selectOption('#country', 'FR');
      await page.locator('#stale').waitFor();
    },
  },
  {
    name: 'checkout-unsold',
    reach: async (page, shop) => {
      await open(page, shop, [await book(page, shop)]);
      await page.selectOption('#country', 'AF');
      await page.locator('#country-fault:not(:empty)').waitFor();
    },
  },
  {
    name: 'checkout-tax-id',
    reach: async (page, shop) => {
      await open(page, shop, [await book(page, shop)], { billing_address: { country: 'DE' } });
      await page.click('#business > summary');
    },
  },
  {
    name: 'order-refunded',
    reach: async (page, shop) => {
      const { payment_id } = await shop.payment(await paid(page, shop));
      await shop.api.post('/refunds', { payment_id });
      await orderOf(page, shop, payment_id);
    },
  },
  {
    name: 'order-disputed',
    reach: async (page, shop) => {
      const url = await filledCheckout(page, shop, '0259');
      await pressPay(page);
      await page.locator('.seal').waitFor();
      const { payment_id } = await shop.payment(url);
      await orderOf(page, shop, payment_id);
      while (!(await page.locator('main > p > strong').isVisible())) await page.reload();
    },
  },
  {
    name: 'receipt-free',
    reach: async (page, shop) => {
      await open(page, shop, [await shop.product({ price: 0, currency: 'EUR' })], {
        billing_address: { country: 'DE' },
      });
      await introduce(page);
      await pressPay(page);
      await page.locator('.seal').waitFor();
    },
  },
  {
    name: 'checkout-declined-slowly',
    reach: async (page, shop) => {
      await filledCheckout(page, shop, '3238');
      await pressPay(page);
      await page.locator('.waiting').waitFor();
      await page.locator('#advice .advice').waitFor({ timeout: 60_000 });
    },
  },
  {
    name: 'checkout-open-elsewhere',
    reach: async (page, shop) => {
      const url = await filledCheckout(page, shop, '3063');
      await pressPay(page);
      await page.locator('button[value=confirmed]').waitFor();
      await page.context().clearCookies();
      await page.goto(url);
    },
  },
  {
    name: 'checkout-exhausted',
    reach: async (page, shop) => {
      const url = await shop.checkout([await book(page, shop)], { cancel_url: 'https://shop.example/' });
      const customer = { email: 'ada@example.com', name: 'Ada Lovelace' };
      const body = JSON.stringify({ customer, billing_address: { country: 'DE' }, test_card: '0002' });
      for (let attempt = 0; attempt < 10; attempt += 1)
        await fetch(`${url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      await page.goto(url);
    },
  },
  {
    name: 'checkout-expired',
    reach: async (page, shop) => page.goto(await old(2, async () => shop.checkout([await book(page, shop)]))),
  },
  { name: 'recovery', reach: recovery },
  { name: 'recovery-too-old', reach: async (page, shop) => page.goto(await expired(page, shop, 60)) },
  { name: 'recovery-opened', reach: reopened },
  {
    name: 'recovery-paid',
    reach: async (page, shop) => {
      const link = await reopened(page, shop);
      await introduce(page, { country: 'DE' });
      await priced(page);
      await chooseCard(page, '4242');
      await pressPay(page);
      await page.locator('.seal').waitFor();
      await page.goto(link);
      await page.locator('.seal').waitFor();
    },
  },
  { name: 'receipt-delivery', reach: delivered },
  {
    name: 'receipt-of-others',
    reach: async (page, shop) => {
      const url = await paid(page, shop);
      await page.context().clearCookies();
      await page.goto(url);
    },
  },
  {
    name: 'offer-link',
    reach: async (page, shop) => {
      const id = await shop.product(supportPrice, { name: 'Support our work', description });
      await page.goto(`${shop.url}/buy/${id}?quantity=3&amount=2500&discount=${await codeOf(shop)}`);
    },
  },
  {
    name: 'offer-archived',
    reach: async (page, shop) => {
      const id = await shop.product(supportPrice);
      await fetch(`${shop.url}/products/${id}`, { method: 'DELETE', headers: shopHeaders });
      await page.goto(`${shop.url}/buy/${id}`);
    },
  },
  { name: 'offer-missing', reach: at('/buy/pdt_000000000000000000000') },
  { name: 'document-invoice', reach: (page, shop) => seen(page, shop, (id) => `/invoices/payments/${id}`) },
  {
    name: 'document-locked',
    reach: async (page, shop) => {
      const { payment_id } = await shop.payment(await paid(page, shop));
      await page.context().clearCookies();
      await page.goto(`${shop.url}/invoices/payments/${payment_id}`);
    },
  },
  {
    name: 'document-credit-note',
    reach: async (page, shop) => {
      const id = await refundedPayment(page, shop);
      const { refunds } = (await shop.api.get(`/payments/${id}`)) as { refunds: { refund_id: string }[] };
      await page.goto(`${shop.url}/invoices/refunds/${refunds[0]?.refund_id}`);
    },
  },
  {
    name: 'document-tax-id',
    reach: async (page, shop) => page.goto(await taxIdUrl((await shop.payment(await paid(page, shop))).payment_id)),
  },
];
