import type { Page } from 'playwright-core';
import { localKey } from '../../../infra/local/local-key.ts';
import { addMember } from '../../support/shop/members.ts';
import { type BrowserShop, euroBook, supportPrice } from '../shop.ts';
import type { PageState } from './page-states.ts';

type Reach = PageState['reach'];

const longName = 'Handbook of the Birds of the Northern Forests, their Calls and their Nests, the second edition';

const state = (name: string, reach: Reach): PageState => ({ name: `dashboard-${name}`, isMerchants: true, reach });

const productOf = (shop: BrowserShop, id: string): string => `${shop.url}/dashboard/products/${id}`;

async function change(shop: BrowserShop, path: string, fields: object): Promise<void> {
  const headers = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
  await fetch(`${shop.url}${path}`, { method: 'PATCH', headers, body: JSON.stringify(fields) });
}

/** The card below `#share` with all its parts open, as a link carries something. */
async function shared(page: Page, shop: BrowserShop, choice: string): Promise<void> {
  const id = await shop.product(supportPrice, { name: 'Support us by a link' });
  await page.goto(`${productOf(shop, id)}?${choice}`);
  for (const summary of await page.locator('#share details:not([open]) > summary').all()) await summary.click();
}

/** The newest form of a price by place, sent with an amount of too many digits. */
async function wrongMarket(page: Page, shop: BrowserShop): Promise<void> {
  const id = await shop.product(euroBook, { name: 'Guide with a wrong price' });
  await change(shop, `/products/${id}`, { pricing_mode: 'by_country' });
  await page.goto(productOf(shop, id));
  await page.selectOption('#market_country_new', 'US');
  await page.selectOption('#market_currency_new', 'USD');
  await page.fill('#market_amount_new', '12,345.678');
  await page.locator('button[value=add_price]').click();
  await page.locator('#markets [aria-invalid=true]').first().waitFor();
}

let refusals = 0;

/** A code for few customers, after an address was refused that it should be for. */
async function wrongGuest(page: Page, shop: BrowserShop): Promise<void> {
  refusals += 1;
  const body = { type: 'percentage', amount: 1_500, code: `FRIENDS${refusals}`, customer_eligibility: 'specific' };
  const { discount_id } = (await shop.api.post('/discounts', body)) as { discount_id: string };
  await shop.api.post(`/discounts/${discount_id}/customers`, { emails: ['ada@example.com'] });
  await page.goto(`${shop.url}/dashboard/discounts/${discount_id}`);
  await page.fill('#emails', 'grace@example.com, not an address');
  await page.locator('button[value=allow]').click();
  await page.locator('#emails[aria-invalid=true]').waitFor();
}

async function withMembers(page: Page, shop: BrowserShop): Promise<void> {
  const later = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const email = 'maximiliane.von-und-zu-hohenstein-wittgenstein@very-long-department.example.com';
  await addMember('admin', { email: 'ada@example.com' });
  await addMember('read', { email, inviteEndsAt: later, joinedAt: null });
  await addMember('write', { email: 'late@example.com', joinedAt: null });
  await page.goto(`${shop.url}/dashboard/members`);
}

/** The pages of what a new product gives: an access flag and, if asked for, licence keys with a limit. */
async function giving(page: Page, shop: BrowserShop): Promise<string> {
  const home = productOf(shop, await shop.product(euroBook, { name: longName }));
  await page.goto(`${home}/entitlements?kind=flag`);
  await page.fill('#feature_id', 'members-area');
  await page.locator('button[value=create]').click();
  await page.goto(`${home}/entitlements?kind=keys`);
  await page.fill('#activations_limit', '3');
  await page.locator('button[value=create]').click();
  await page.locator('button[value=save]').waitFor();
  return home;
}

/** What a shop shows before anything was sold. They come first, because the other states fill it. */
export const emptyStates: readonly PageState[] = [
  '',
  '/products',
  '/payments',
  '/discounts',
  '/customers',
  '/webhooks',
].map((path) => state(`empty${path.replace('/', '-')}`, (page, shop) => page.goto(`${shop.url}/dashboard${path}`)));

/** States of the dashboard that need more than an address. */
export const merchantStates: readonly PageState[] = [
  state('product-shared', (page, shop) => shared(page, shop, 'link_quantity=2&link_discount=WELCOME10')),
  state('product-shared-faulty', (page, shop) => shared(page, shop, 'link_quantity=many&link_amount=x')),
  state('product-adjustable', async (page, shop) => {
    const id = await shop.product(euroBook, { name: longName });
    await change(shop, `/products/${id}`, { adjustable_quantity: { minimum: 2, maximum: 40 } });
    await page.goto(productOf(shop, id));
  }),
  state('product-archived', async (page, shop) => {
    const id = await shop.product(euroBook, { name: 'An old edition' });
    await shop.api.delete(`/products/${id}`);
    await page.goto(productOf(shop, id));
  }),
  state('given-keys', async (page, shop) => void (await giving(page, shop))),
  state('given-product', async (page, shop) => void (await page.goto(await giving(page, shop)))),
  state('given-existing', async (page, shop) => void (await page.goto(`${await giving(page, shop)}/entitlements`))),
  state('given-faulty', async (page, shop) => {
    await page.goto(`${productOf(shop, await shop.product(euroBook))}/entitlements?kind=keys`);
    await page.fill('#duration_count', 'two');
    await page.locator('button[value=create]').click();
    await page.locator('[aria-invalid=true]').first().waitFor();
  }),
  state('product-market-faulty', wrongMarket),
  state('discount-guest-faulty', wrongGuest),
  state('members-invited', withMembers),
];
