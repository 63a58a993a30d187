import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { openedShop } from '../opened-shop.ts';
import {
  accessibilityFaults,
  asByForm,
  chooseCard,
  due,
  euroBook,
  introduce,
  overflow,
  supportPrice,
} from '../shop.ts';

const { shop, browsing } = openedShop();

type Refusal = (route: Route) => Promise<unknown>;

const gateway =
  (status: number, message: string): Refusal =>
  (route) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify({ message }) });

const refusals = {
  'the gateway’s 429': gateway(429, 'Too Many Requests'),
  'the gateway’s 503': gateway(503, 'Service Unavailable'),
  'a broken connection': (route: Route) => route.abort('connectionreset'),
};

/** Does the request outside the browser, so that the answer is lost with its cookies. */
const losing: Refusal = async (route) => {
  const request = route.request();
  const body = request.postData() ?? '';
  await fetch(request.url(), { method: 'POST', headers: await request.allHeaders(), body, redirect: 'manual' });
  await route.abort('connectionreset');
};

/** Puts refusals in front of the shop, for the first requests to an address. Returns the keys of all requests. */
async function refuseFirst(page: Page, address: string, times: number, refuse: Refusal) {
  const keys: (string | undefined)[] = [];
  await page.route(address, (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return keys.length > times ? route.continue() : refuse(route);
  });
  return keys;
}

/** Opens a checkout, whose pauses between two tries pass at once. */
async function fill(price: object, options: object = {}) {
  const url = await shop.checkout([await shop.product(price as typeof euroBook)]);
  const { page } = await browsing.visit(url, { locale: 'en-IE', ...options });
  await introduce(page, { country: 'IE' });
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    '{ const wait = setTimeout; setTimeout = (act, ms) => wait(act, ms > 400 && ms < 9000 ? 30 : ms) }',
  );
  return { url, page };
}

const isPaid = (page: Page) => page.getByRole('heading', { name: 'Paid' }).waitFor();
const beside = (page: Page, text: string) => page.locator('.pay-bar').getByText(text).waitFor();
const attempts = async (url: string) => (await shop.payment(url))?.payment_id;

it.each(Object.entries(refusals))('pays once, by one key, after %s', async (_, refuse) => {
  const { url, page } = await fill(euroBook);
  const keys = await refuseFirst(page, '**/pay?*', 3, refuse);
  await page.click('#pay');
  await isPaid(page);
  expect([keys.length, new Set(keys).size, keys[0]?.length]).toEqual([4, 1, expect.any(Number)]);
  expect(await shop.payment(url)).toMatchObject({ total_amount: 1_999, status: 'succeeded' });
});

it('a payment whose answer was lost leads the same browser to its receipt, with the buyer’s links', async () => {
  const { page } = await fill(euroBook);
  const keys = await refuseFirst(page, '**/pay?*', 1, losing);
  await page.click('#pay');
  await isPaid(page);
  await page.getByText('Payment reference').waitFor();
  expect(keys.length).toBe(2);
});

/** Presses Pay, loses every answer, and reloads the page when the script has given up. */
async function reloadUnanswered(page: Page) {
  const [key] = await loseAll(page);
  await page.unroute('**/pay?*');
  await page.reload();
  return key ?? '';
}

async function loseAll(page: Page) {
  const keys = await refuseFirst(page, '**/pay?*', 6, losing);
  await page.click('#pay');
  await beside(page, 'The shop does not answer at the moment.');
  return keys;
}

it('a buyer who reloads after a lost answer gets the receipt with the buyer’s links; no other tab or browser does', async () => {
  const { url, page } = await fill(euroBook);
  const [key = ''] = await loseAll(page);
  const others = [await page.context().newPage(), (await browsing.visit(url)).page];
  for (const other of others) {
    await other.goto(url, { waitUntil: 'networkidle' });
    await isPaid(other);
    expect(await other.getByText('Payment reference').count()).toBe(0);
  }
  await page.unroute('**/pay?*');
  await page.reload();
  await page.getByText('Payment reference').waitFor();
  expect([await page.evaluate('sessionStorage.length'), (await page.content()).includes(key)]).toEqual([0, false]);
});

it('a buyer who reloads after two lost answers, with an entry changed between them, gets the links as well', async () => {
  const { page } = await fill(euroBook);
  await loseAll(page);
  await page.unroute('**/pay?*');
  await page.fill('#name', 'Ada Byron');
  await reloadUnanswered(page);
  await page.getByText('Payment reference').waitFor();
});

it('a buyer who reloads after a lost answer continues at the bank', async () => {
  const { page } = await fill(euroBook);
  await chooseCard(page, '3063');
  await reloadUnanswered(page);
  await page.getByRole('link', { name: 'Continue paying' }).click();
  await page.getByRole('heading', { name: 'Confirm your payment' }).waitFor();
});

it('an answered press leaves nothing in the browser’s storage', async () => {
  const { page } = await fill(euroBook);
  await chooseCard(page, '0002');
  await page.click('#pay');
  await page.getByText('The card was declined.').waitFor();
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
});

it('a redirect by a function of an older version leads to the receipt, and the payment is sent once', async () => {
  const { page } = await fill(euroBook);
  const keys = await refuseFirst(page, '**/pay?*', 1, asByForm);
  await page.click('#pay');
  await isPaid(page);
  await page.getByText('Payment reference').waitFor();
  expect(keys.length).toBe(1);
});

it('a decline whose answer was lost is shown, and the card is not tried again', async () => {
  const { url, page } = await fill(euroBook);
  await chooseCard(page, '0002');
  await refuseFirst(page, '**/pay?*', 1, losing);
  await page.click('#pay');
  await page.getByText('The card was declined.').waitFor();
  const first = await attempts(url);
  expect(first).toMatch(/^pay_/);
  await chooseCard(page, '4242');
  await page.click('#pay');
  await isPaid(page);
  expect(await attempts(url)).not.toBe(first);
});

it('says what to do after the last try, keeps the entries, and the next press has the same key', async () => {
  const { url, page } = await fill(euroBook, { width: 375 });
  const keys = await refuseFirst(page, '**/pay?*', 6, refusals['the gateway’s 429']);
  await page.click('#pay');
  await beside(page, 'The shop does not answer at the moment.');
  expect([await page.inputValue('#email'), await page.locator('#pay').getAttribute('aria-disabled')]).toEqual([
    'ada@example.com',
    null,
  ]);
  expect([await page.evaluate('document.activeElement.id'), await shop.payment(url)]).toEqual(['pay', undefined]);
  expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
  await page.click('#pay');
  await isPaid(page);
  expect([keys.length, new Set(keys).size]).toEqual([7, 1]);
});

it('says beside the button that the total may be out of date, and charges no total that was not shown', async () => {
  const price = { ...supportPrice, tax_inclusive: false };
  const { url, page } = await fill(price);
  await refuseFirst(page, '**/quote?*', 1_000, refusals['the gateway’s 429']);
  await page.selectOption('#country', 'DE');
  await beside(page, 'This total may be out of date');
  await page.click('#pay');
  await beside(page, 'The total is now');
  expect(await shop.payment(url)).toBeUndefined();
  await page.unroute('**/quote?*');
  await page.selectOption('#country', 'FR');
  // 15.00 + 5.5 %, rounded half up
  await due(page, '€15.83');
  expect(await page.locator('#stale').count()).toBe(0);
});

it('asks for the total again by itself', async () => {
  const { page } = await fill(supportPrice);
  await refuseFirst(page, '**/quote?*', 2, refusals['the gateway’s 503']);
  await page.fill('#amount-0', '20');
  await due(page, '€20.00');
  expect(await page.locator('#stale').count()).toBe(0);
});
