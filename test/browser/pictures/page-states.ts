import type { Page } from 'playwright-core';
import { localKey } from '../../../infra/local/local-key.ts';
import { clock } from '../../support/clock.ts';
import { type BrowserShop, chooseCard, euroBook, introduce, supportPrice } from '../shop.ts';
import { emptyStates, merchantStates } from './merchant-states.ts';

type Price = Parameters<BrowserShop['product']>[0];

/** A state of a page that a buyer or a merchant can meet, and the way there. */
export interface PageState {
  name: string;
  /** Whether it is a page of the dashboard, which needs a session. */
  isMerchants?: boolean;
  reach: (page: Page, shop: BrowserShop) => Promise<unknown>;
}

export const description =
  'Birds of the northern forests, with two hundred drawings.\nPDF and EPUB, 210 pages, without copy protection.';

let codes = 0;

/** A code with a limit, and one that has expired beside it. */
async function codeOf(page: Page, shop: BrowserShop): Promise<string> {
  codes += 1;
  await supportProduct(page, shop);
  const old = { type: 'percentage', amount: 2_500, code: `WINTER${codes}`, expires_at: '2026-01-01T00:00:00Z' };
  await shop.api.post('/discounts', old);
  const currency_options = [
    { currency: 'EUR', is_default: true, max_amount_possible: 500, minimum_subtotal: 2_000 },
    { currency: 'USD', max_amount_possible: 600 },
  ];
  const body = { type: 'flat', amount: 500, code: `SPRING${codes}`, name: 'Newsletter', usage_limit: 40 };
  const made = await shop.api.post('/discounts', { ...body, currency_options, expires_at: '2030-03-31T22:00:00Z' });
  return (made as { discount_id: string }).discount_id;
}

/** A product with a picture, made once for each shop and name. */
const made = new Map<string, Promise<string>>();

export function product(page: Page, shop: BrowserShop, price: Price, name: string): Promise<string> {
  const key = `${shop.url} ${name}`;
  const known = made.get(key) ?? shop.product(price, { name, description }).then((id) => withPicture(page, shop, id));
  made.set(key, known);
  return known;
}

/** A cover that the browser draws. */
async function withPicture(page: Page, shop: BrowserShop, id: string): Promise<string> {
  const tab = await page.context().newPage();
  await tab.setViewportSize({ width: 600, height: 800 });
  await tab.setContent(cover);
  await tab.bringToFront();
  const body = new Uint8Array(await tab.screenshot({ type: 'png' }));
  await tab.close();
  const authorization = `Bearer ${localKey}`;
  const answer = await fetch(`${shop.url}/products/${id}/images`, { method: 'PUT', headers: { authorization } });
  const { url, image_id } = (await answer.json()) as { url: string; image_id: string };
  await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'image/png' } });
  const headers = { authorization, 'content-type': 'application/json' };
  await fetch(`${shop.url}/products/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ image_id }) });
  return id;
}

const cover = `<body style="margin:0;background:linear-gradient(160deg,#134e4a,#0f766e 60%,#f59e0b);height:100vh">
<svg viewBox="0 0 600 800"><circle cx="430" cy="190" r="90" fill="#fde68a"/><path d="M0 620l170-230 120 150 110-170 200 250v180H0z" fill="#042f2e"/>
<path d="M120 250q30-30 60 0q30-30 60 0M260 330q22-22 44 0q22-22 44 0" stroke="#ecfdf5" stroke-width="8" fill="none"/></svg></body>`;

export const book = (page: Page, shop: BrowserShop) => product(page, shop, euroBook, 'Field Guide');
export const course = (page: Page, shop: BrowserShop) =>
  product(page, shop, { ...euroBook, price: 18_300, tax_inclusive: false }, 'Course');
export const supportProduct = (page: Page, shop: BrowserShop) => product(page, shop, supportPrice, 'Support our work');

export const open = async (
  page: Page,
  shop: BrowserShop,
  products: Parameters<BrowserShop['checkout']>[0],
  fields = {},
) => {
  const url = await shop.checkout(products, fields);
  await page.goto(url);
  return url;
};

/** A buyer in Germany who has chosen a card, on the page of a priced order. */
export async function filledCheckout(page: Page, shop: BrowserShop, lastFour: string): Promise<string> {
  const url = await open(page, shop, [await book(page, shop)]);
  await introduce(page, { country: 'DE' });
  await page.waitForLoadState('networkidle');
  await chooseCard(page, lastFour);
  return url;
}

export const pressPay = (page: Page) => page.click('#pay');

export const at =
  (path: string): PageState['reach'] =>
  (page, shop) =>
    page.goto(`${shop.url}${path}`);

export async function paid(page: Page, shop: BrowserShop): Promise<string> {
  const url = await filledCheckout(page, shop, '4242');
  await pressPay(page);
  await page.locator('.seal').waitFor();
  return url;
}

const dayMs = 86_400_000;

/** Sales of the last weeks, made once for each shop: a busy book, an open price, and one refund. */
const histories = new Map<string, Promise<void>>();

async function sellForWeeks(page: Page, shop: BrowserShop): Promise<void> {
  const [guide, open_] = [await book(page, shop), await supportProduct(page, shop)];
  const today = Date.now();
  for (let days = 44; days >= 0; days -= 1) {
    clock.stopAt(new Date(today - days * dayMs - 3_600_000).toISOString());
    for (let serial = 0; serial < (days * 7) % 4; serial += 1) await payAtOnce(shop, guide);
    if (days % 3 === 0)
      await payAtOnce(shop, { product_id: open_, quantity: 1, amount: [500, 500, 1_500, 2_200][days % 4] ?? 500 });
  }
  clock.run();
}

async function payAtOnce(shop: BrowserShop, product: Parameters<BrowserShop['checkout']>[0][number]): Promise<void> {
  const url = await shop.checkout([product]);
  const customer = { email: 'ada@example.com', name: 'Ada Lovelace' };
  const body = JSON.stringify({ customer, billing_address: { country: 'DE' }, test_card: '4242' });
  await fetch(`${url}/pay`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

const withHistory =
  (path: string): PageState['reach'] =>
  async (page, shop) => {
    const history = histories.get(shop.url) ?? sellForWeeks(page, shop);
    histories.set(shop.url, history);
    await history;
    await page.goto(`${shop.url}${path}`);
  };

export async function refundedPayment(page: Page, shop: BrowserShop): Promise<string> {
  const url = await paid(page, shop);
  const { payment_id } = await shop.payment(url);
  await shop.api.post('/refunds', { payment_id, items: [{ item_id: await book(page, shop), amount: 500 }] });
  return payment_id;
}

/** A checkout with a code of 90 % on a chosen price, and another currency to choose. */
async function coded(page: Page, shop: BrowserShop, language: string): Promise<void> {
  const { code } = (await shop.api.post('/discounts', { type: 'percentage', amount: 9_000 })) as { code: string };
  const product = await shop.product({ ...supportPrice, pricing_mode: 'by_currency' });
  await shop.api.post(`/products/${product}/localized-prices`, { currency: 'USD', amount: 700 });
  const url = await shop.checkout([product], { billing_currency: 'EUR' });
  await page.goto(`${url}?lang=${language}`);
  await page.click('#discount > summary');
  await page.fill('#code', code);
  await page.click('#apply-code');
  await page.locator('.totals .code').waitFor();
  await page.fill('#code', 'NO-SUCH-CODE');
  await page.click('#apply-code');
  await page.locator('#code-fault:not(:empty)').waitFor();
}

export const pageStates: readonly PageState[] = [
  ...emptyStates,
  { name: 'checkout-codes', reach: (page, shop) => coded(page, shop, 'en') },
  { name: 'checkout-codes-arabic', reach: (page, shop) => coded(page, shop, 'ar') },
  { name: 'checkout-book', reach: async (page, shop) => open(page, shop, [await book(page, shop)]) },
  { name: 'checkout-priced', reach: (page, shop) => filledCheckout(page, shop, '4242') },
  {
    name: 'checkout-cart',
    reach: async (page, shop) => {
      const support_ = await supportProduct(page, shop);
      await open(page, shop, [{ product_id: await book(page, shop), quantity: 3 }, support_]);
      await introduce(page, { country: 'DE' });
      await page.waitForLoadState('networkidle');
    },
  },
  { name: 'checkout-pwyw', reach: async (page, shop) => open(page, shop, [await supportProduct(page, shop)]) },
  {
    name: 'checkout-state-missing',
    reach: async (page, shop) => {
      await open(page, shop, [await course(page, shop)]);
      await introduce(page, { country: 'US' });
      await page.locator('#region').waitFor();
    },
  },
  {
    name: 'checkout-business',
    reach: async (page, shop) => {
      await filledCheckout(page, shop, '4242');
      await page.click('#business > summary');
      await page.fill('#tax_id', 'DE123');
      await page.press('#tax_id', 'Tab');
      await page.waitForLoadState('networkidle');
    },
  },
  {
    name: 'checkout-faults',
    reach: async (page, shop) => {
      await open(page, shop, [await book(page, shop)]);
      await page.fill('#email', 'ada@');
      await pressPay(page);
      await page.locator('.advice').waitFor();
    },
  },
  {
    name: 'checkout-declined',
    reach: async (page, shop) => {
      await filledCheckout(page, shop, '0002');
      await pressPay(page);
      await page.locator('.advice').waitFor();
    },
  },
  ...(['ja', 'ko', 'th', 'zh', 'zh-TW', 'ar', 'he'] as const).map(
    (locale): PageState => ({
      name: `checkout-cart-${locale}`,
      reach: async (page, shop) => {
        const lines = [{ product_id: await book(page, shop), quantity: 3 }, await supportProduct(page, shop)];
        await page.goto(`${await shop.checkout(lines, { billing_address: { country: 'DE' } })}?lang=${locale}`);
      },
    }),
  ),
  {
    name: 'checkout-faults-ar',
    reach: async (page, shop) => {
      await page.goto(`${await shop.checkout([await supportProduct(page, shop)])}?lang=ar`);
      await page.fill('#amount-0', '1');
      await page.fill('#email', 'ada@');
      await pressPay(page);
      await page.locator('.advice').waitFor();
    },
  },
  {
    name: 'receipt-ar',
    reach: async (page, shop) => {
      const url = await paid(page, shop);
      await page.goto(`${url}?lang=ar`);
    },
  },
  {
    name: 'offer-ar',
    reach: async (page, shop) => page.goto(`${shop.url}/buy/${await supportProduct(page, shop)}?lang=ar`),
  },
  {
    name: 'checkout-step',
    reach: async (page, shop) => {
      await filledCheckout(page, shop, '3063');
      await pressPay(page);
      await page.locator('button[value=confirmed]').waitFor();
    },
  },
  {
    name: 'checkout-open',
    reach: async (page, shop) => {
      const url = await filledCheckout(page, shop, '3063');
      await pressPay(page);
      await page.locator('button[value=confirmed]').waitFor();
      await page.goto(url);
    },
  },
  {
    name: 'checkout-processing',
    reach: async (page, shop) => {
      await filledCheckout(page, shop, '3220');
      await pressPay(page);
      await page.locator('.waiting').waitFor();
    },
  },
  { name: 'receipt', reach: paid },
  {
    name: 'receipt-refunded',
    reach: async (page, shop) => {
      await refundedPayment(page, shop);
      await page.reload();
    },
  },
  { name: 'checkout-missing', reach: at('/checkout/cks_000000000000000000000') },
  { name: 'offer-book', reach: async (page, shop) => page.goto(`${shop.url}/buy/${await book(page, shop)}`) },
  { name: 'offer-pwyw', reach: async (page, shop) => page.goto(`${shop.url}/buy/${await supportProduct(page, shop)}`) },
  { name: 'sign-in', reach: at('/dashboard/sign-in') },
  ...(
    [
      ['overview', ''],
      ['products', '/products'],
      ['product-new', '/products/new'],
      ['payments', '/payments'],
      ['disputes', '/disputes'],
      ['payouts', '/payouts'],
      ['customers', '/customers'],
      ['exports', '/exports'],
      ['tax', '/tax'],
      ['webhooks', '/webhooks'],
      ['brands', '/brands'],
      ['keys', '/keys'],
      ['audit-log', '/audit-log'],
      ['mails', '/mails'],
      ['mail-words', '/mails?edit=purchase&language=de'],
      ['unknown', '/nothing-here'],
    ] as const
  ).map(
    ([name, path]): PageState => ({ name: `dashboard-${name}`, isMerchants: true, reach: at(`/dashboard${path}`) }),
  ),
  ...(
    [
      ['overview-sold', ''],
      ['overview-today', '?period=today'],
      ['overview-quarter', '?period=90'],
      ['payments-many', '/payments'],
    ] as const
  ).map(
    ([name, path]): PageState => ({
      name: `dashboard-${name}`,
      isMerchants: true,
      reach: withHistory(`/dashboard${path}`),
    }),
  ),
  {
    name: 'dashboard-overview-attention',
    isMerchants: true,
    reach: async (page, shop) => {
      const expires_at = new Date(Date.now() + 3 * dayMs).toISOString();
      await shop.api.post('/api-keys', { name: 'Web shop', expires_at });
      await withHistory('/dashboard?period=custom&from=2026-02-02&to=2026-02-01')(page, shop);
    },
  },
  {
    name: 'dashboard-payments-not-found',
    isMerchants: true,
    reach: withHistory('/dashboard/payments?q=owls'),
  },
  {
    name: 'dashboard-product',
    isMerchants: true,
    reach: async (page, shop) => page.goto(`${shop.url}/dashboard/products/${await supportProduct(page, shop)}`),
  },
  {
    name: 'dashboard-discounts',
    isMerchants: true,
    reach: async (page, shop) => {
      await codeOf(page, shop);
      await page.goto(`${shop.url}/dashboard/discounts`);
    },
  },
  {
    name: 'dashboard-discount',
    isMerchants: true,
    reach: async (page, shop) => page.goto(`${shop.url}/dashboard/discounts/${await codeOf(page, shop)}`),
  },
  {
    name: 'dashboard-discount-new',
    isMerchants: true,
    reach: at('/dashboard/discounts/new'),
  },
  {
    name: 'dashboard-discount-faulty',
    isMerchants: true,
    reach: async (page, shop) => {
      await page.goto(`${shop.url}/dashboard/discounts/new`);
      await page.locator('[type=radio][value=flat]').check();
      await page.locator('main form button:not(.second)').last().click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'dashboard-product-markets',
    isMerchants: true,
    reach: async (page, shop) => {
      const id = await shop.product(supportPrice, { name: 'Support us everywhere', description });
      const headers = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ pricing_mode: 'by_country' });
      await fetch(`${shop.url}/products/${id}`, { method: 'PATCH', headers, body });
      const yen = {
        amount: 800,
        currency: 'JPY',
        country_code: 'JP',
        suggested_price: 2_400,
        preset_amounts: [800, 2_400],
      };
      await shop.api.post(`/products/${id}/localized-prices`, yen);
      await shop.api.post(`/products/${id}/localized-prices`, { amount: 600, currency: 'USD', country_code: 'US' });
      await page.goto(`${shop.url}/dashboard/products/${id}`);
      await page.locator('details:not([open]):has(select[name=country]) > summary').last().click();
    },
  },
  {
    name: 'dashboard-payment',
    isMerchants: true,
    reach: async (page, shop) => page.goto(`${shop.url}/dashboard/payments/${await refundedPayment(page, shop)}`),
  },
  {
    name: 'dashboard-payments-found',
    isMerchants: true,
    reach: async (page, shop) => {
      await refundedPayment(page, shop);
      await page.goto(`${shop.url}/dashboard/payments?q=ada`);
    },
  },
  {
    name: 'dashboard-refund-asked',
    isMerchants: true,
    reach: async (page, shop) => {
      await page.goto(`${shop.url}/dashboard/payments/${await refundedPayment(page, shop)}`);
      await page.locator('#scope_all').check();
      await page.locator('button[value=refund]').click();
      await page.locator('.note.wait[role=alert]').waitFor();
    },
  },
  {
    name: 'dashboard-customer',
    isMerchants: true,
    reach: async (page, shop) => {
      const payment = await shop.api.get(`/payments/${await refundedPayment(page, shop)}`);
      const { customer } = payment as { customer: { customer_id: string } };
      await page.goto(`${shop.url}/dashboard/customers/${customer.customer_id}`);
      for (const summary of await page.locator('details.guarded > summary').all()) await summary.click();
    },
  },
  ...merchantStates,
];
