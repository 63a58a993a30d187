import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../infra/local/demo/receiver.ts';
import { exifSegment, jpegSegment } from '../outside/images/forge.ts';
import { samples } from '../outside/images/samples.ts';
import { campaign } from '../support/seeded.ts';
import { buyByLink, parseCsv, portrait, signIn, sumOfColumn, sumsIn } from './dashboard-merchant.ts';
import { accessibilityFaults, type BrowserShop, openBrowserShop, overflow, startBrowsing } from './shop.ts';

let shop: BrowserShop;
let receiver: Receiver;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;

beforeAll(async () => {
  [shop, browsing, receiver] = await Promise.all([openBrowserShop(), startBrowsing(), startReceiver()]);
});

afterAll(async () => {
  await browsing?.stop();
  await receiver?.stop();
  await shop?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
const get = async (path: string): Promise<any> => shop.api.get(path);

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();

/** Ids that two elements of a page have. */
const doubledIds = (page: Page): Promise<string[]> =>
  page.evaluate(
    '[...document.querySelectorAll("[id]")].map(({ id }) => id).filter((id, at, ids) => ids.indexOf(id) !== at)',
  );

/** The photo of a camera that was turned, with a place in it. */
const photo = Buffer.concat([
  samples.jpeg.subarray(0, 2),
  exifSegment(6),
  jpegSegment(0xfe, Buffer.from('GPS 59.3293N 18.0686E')),
  samples.jpeg.subarray(2),
]);

/** An address without a server. */
const downUrl = 'http://127.0.0.1:9/down';

/** One merchant's day, from the first product to the tax return; each step begins where the one before ended. */
describe('a merchant', () => {
  let page: Page;
  let complaints: string[];
  const links = { guide: '', support: '' };
  const payments = { guide: '', support: '' };

  it('signs in, after an unknown key was refused', async () => {
    ({ page, complaints } = await browsing.visit(`${shop.url}/dashboard/products`, { width: 1_280, stays: true }));
    page.setDefaultTimeout(10_000);
    await page.waitForURL(/\/dashboard\/sign-in\?next=/);
    await page.fill('#key', 'sk_test_nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is not an API key. A key begins with sk_.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await portrait(page, 'dashboard-sign-in');
    await signIn(page);
    expect(new URL(page.url()).pathname).toBe('/dashboard/products');
  });

  it('reads on every empty page what to do first', async () => {
    for (const path of ['', '/products', '/payments', '/customers', '/webhooks']) {
      await page.goto(`${shop.url}/dashboard${path}`);
      expect(await page.locator('.empty h2').count()).toBe(1);
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    await page.goto(`${shop.url}/dashboard`);
    await portrait(page, 'dashboard-empty');
  });

  it('creates a tax-inclusive product with an image, and sees before saving how much of the price remains without tax', async () => {
    await page.goto(`${shop.url}/dashboard/products/new`);
    await page.fill('#name', 'Field Guide (e-book)');
    await page.fill('#description', 'Birds of the northern forests.');
    await page.locator('.folded summary', { hasText: 'Digital products, tax included' }).click();
    await page.getByLabel('E-books').check();
    await page.selectOption('#currency', 'EUR');
    await page.fill('#price', '19.99');
    await page.selectOption('#place', 'DE');
    await page.getByText('VAT 7%').waitFor();
    expect(await sumsIn(page, '#example')).toEqual(['Net €18.68', 'VAT 7% €1.31', 'The buyer pays €19.99']);
    await page.selectOption('#place', 'SE');
    await page.getByText('VAT 6%').waitFor();
    expect(await sumsIn(page, '#example')).toEqual(['Net €18.86', 'VAT 6% €1.13', 'The buyer pays €19.99']);
    await page.setInputFiles('#image', { name: 'cover.jpeg', mimeType: 'image/jpeg', buffer: photo });
    await page.locator('#image-next').waitFor();
    await portrait(page, 'dashboard-new-product');
    await page.getByRole('button', { name: 'Create the product' }).click();
    await page.getByText('Created.').waitFor();
    links.guide = await page.inputValue('#link');
    const { items } = await get('/products');
    expect(items[0]).toMatchObject({
      name: 'Field Guide (e-book)',
      price: 1_999,
      tax_inclusive: true,
      tax_category: 'e_book',
    });
  });

  it('gets the image back with the same pixels and rotation, and without the place where it was taken', async () => {
    await page.waitForFunction('document.querySelector("#image-now").complete');
    expect(
      await page.evaluate(
        '[document.querySelector("#image-now").naturalWidth, document.querySelector("#image-now").naturalHeight]',
      ),
    ).toEqual([16, 24]);
    const { items } = await get('/products');
    const answer = await fetch(items[0].image);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual([
      'image/jpeg',
      'nosniff',
    ]);
    expect(bytes.toString('latin1')).not.toMatch(/GPS|ICC_PROFILE/);
  });

  it('creates a product whose buyers choose the price, and corrects a refused entry', async () => {
    await page.goto(`${shop.url}/dashboard/products/new`);
    await page.fill('#name', 'Support our work');
    await page.getByLabel('Pay what you want').check();
    await page.fill('#minimum', '5');
    await page.fill('#suggested', '4');
    await page.setInputFiles('#image', { name: 'cover.png', mimeType: 'image/png', buffer: samples.png });
    await page.getByRole('button', { name: 'Create the product' }).click();
    await page.getByText('Please check:').waitFor();
    expect(await page.locator('.note li').allTextContents()).toEqual([
      'Enter a description of 1 to 1,000 characters, without card numbers.',
      'The suggestion must be at least the minimum, €5.00.',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByText('This image is kept.').waitFor();
    await page.fill('#description', 'Keeps the drawings coming.');
    expect(await page.locator('.note li[data-settled]').count()).toBe(1);
    await page.getByRole('link', { name: 'The suggestion must be at least the minimum, €5.00.' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('suggested');
    await page.fill('#suggested', '15.00');
    await page.selectOption('#place', 'DE');
    await page.getByText('If the buyer chooses €15.00').waitFor();
    expect(await sumsIn(page, '#example')).toEqual(['Net €12.61', 'VAT 19% €2.39', 'The buyer pays €15.00']);
    await page.getByRole('button', { name: 'Create the product' }).click();
    await page.getByText('Created.').waitFor();
    links.support = await page.inputValue('#link');
    const { items } = await get('/products');
    expect((await fetch(items[0].image)).headers.get('content-type')).toBe('image/png');
  });

  it('copies the link of a product', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${shop.url}/dashboard/products`);
    await page.getByRole('button', { name: 'Copy link' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(links.support);
  });

  it('creates a discount code with the keyboard, copies a link with that code, and stops the code', async () => {
    await page.goto(`${shop.url}/dashboard/discounts`);
    expect(await page.locator('.empty h2').textContent()).toBe('No codes yet');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Create your first code' }).click();
    await heading(page, 'New discount code');
    await page.getByRole('button', { name: 'Create the code' }).click();
    await page.getByRole('link', { name: 'Enter a percentage above 0 and at most 100' }).click();
    await page.keyboard.type('15');
    await page.getByRole('textbox', { name: 'Code (optional)' }).fill('spring');
    await page.keyboard.press('Enter');
    await heading(page, 'SPRING');
    await page.setViewportSize({ width: 375, height: 800 });
    expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.locator('.field', { hasText: 'Support our work' }).getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${links.support}?discount=SPRING`);
    await page.getByText('Stop this code').click();
    await page.getByRole('button', { name: 'Stop the code' }).click();
    await page.getByText('Nobody can use it any more.').waitFor();
    expect((await get('/discounts')).items).toEqual([]);
  });

  it('adds a webhook endpoint and sends it a test event', async () => {
    await page.goto(`${shop.url}/dashboard/webhooks`);
    await page.fill('#url', receiver.url);
    await page.getByRole('button', { name: 'Create the endpoint' }).click();
    await page.getByText('Created.').waitFor();
    await page.getByText('Show the secret').click();
    receiver.setSecret(await page.inputValue('#secret'));
    await page.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('A test event is on its way').waitFor();
    await receiver.waitFor('payment.succeeded', 15_000);
  });

  it('adds an endpoint that does not answer, and disables and enables it', async () => {
    await page.goto(`${shop.url}/dashboard/webhooks`);
    await page.fill('#url', 'ftp://example.com');
    await page.getByRole('button', { name: 'Create the endpoint' }).click();
    await page.locator('.note a[href="#url"]').waitFor();
    await page.fill('#url', downUrl);
    await page.getByLabel('payment.succeeded').check();
    await page.getByRole('button', { name: 'Create the endpoint' }).click();
    await page.getByText('Created.').waitFor();
    for (const state of ['disabled', 'enabled']) {
      await page.getByLabel('Enabled').setChecked(state === 'enabled');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.states .badge').filter({ hasText: state }).waitFor();
    }
    expect((await get('/webhooks')).data[1]).toMatchObject({ disabled: false, filter_types: ['payment.succeeded'] });
  });

  it('sells both products by their links', async () => {
    const { page: buyer } = await browsing.visit(links.guide, { width: 1_000 });
    expect(await accessibilityFaults(buyer)).toEqual([]);
    await portrait(buyer, 'product-link');
    payments.guide = await buyByLink(buyer, links.guide);
    payments.support = await buyByLink(buyer, links.support, '20.00');
    expect(await get(`/payments/${payments.guide}`)).toMatchObject({ total_amount: 1_999, tax: 131 });
    expect(await get(`/payments/${payments.support}`)).toMatchObject({ total_amount: 2_000, tax: 319 });
  });

  it('sees the list of payments, and filters it to find one', async () => {
    await page.goto(`${shop.url}/dashboard/payments`);
    expect(await page.locator('tbody tr').count()).toBe(2);
    await portrait(page, 'dashboard-payments');
    expect(await page.locator('tbody tr').first().textContent()).toContain('Support our work');
    expect(await page.locator('#status, #currency, #attention').count()).toBe(0); // all are paid in euros
    await page.fill('#q', 'ADA@example.com');
    await page.press('#q', 'Enter');
    await page.waitForURL(/q=ADA/);
    expect(await page.locator('tbody tr').count()).toBe(2);
    await page.fill('#q', '19,99');
    await page.press('#q', 'Enter');
    await page.waitForURL(/q=19/);
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.locator('tbody tr td').nth(2).click({ force: true }); // the row’s link lies over it
    await page.waitForURL(new RegExp(payments.guide));
    await page.goto(`${shop.url}/dashboard/payments?currency=USD`);
    await page.getByText('No payment matches').waitFor();
    await page.goto(`${shop.url}/dashboard/payments?from=2026-02-30&currency=EUR`);
    expect(await page.locator('tbody tr').count()).toBe(2);
    await page.goto(`${shop.url}/dashboard/payments?currency=XXX`);
    await page.getByText('This filter does not exist').waitFor();
  });

  it('refunds a part, and first sees the amount that the buyer gets and the tax in it', async () => {
    await page.goto(`${shop.url}/dashboard/payments/${payments.guide}`);
    await heading(page, '€19.99');
    expect(await sumsIn(page, '[aria-labelledby=sums-title]')).toEqual([
      'Net €18.68',
      'VAT 7% €1.31',
      'Paid €19.99',
      'Refunded €0.00',
      'Left to refund €19.99',
    ]);
    await page.getByLabel('An amount').check();
    await page.getByLabel('Amount (EUR)').fill('5.00');
    await page.getByText('€14.99').waitFor();
    // 131 × 500 / 1999 = 32.8
    expect(await sumsIn(page, '#refund-preview')).toEqual([
      'Field Guide (e-book) €5.00',
      'The buyer gets €5.00',
      'Net €4.67',
      'Tax €0.33',
      'Left after this refund €14.99',
    ]);
    await page.getByLabel('Net', { exact: false }).check();
    await page.getByText('€5.35').first().waitFor();
    await page.getByLabel('What the buyer gets').check();
    await page.getByText('€14.99').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await portrait(page, 'dashboard-refund');
    await page.getByRole('button', { name: 'Refund €5.00', exact: true }).click();
    await page.getByText('This returns €5.00 to the buyer').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await portrait(page, 'dashboard-refund-asked');
    await page.getByRole('button', { name: 'Refund €5.00', exact: true }).click();
    await page.getByText('Refunded.', { exact: true }).waitFor();
    expect(await page.getByText('on its way').count()).toBe(0);
    const note = await page.getByRole('link', { name: 'Credit note' }).getAttribute('href');
    expect(await page.evaluate(`fetch('${note}').then((answer) => answer.text())`)).toContain('Credit note');
    const { refunds, refundable_amount } = await get(`/payments/${payments.guide}`);
    expect({ refunds, refundable_amount }).toMatchObject({
      refunds: [{ amount: 500, status: 'succeeded' }],
      refundable_amount: 1_499,
    });
  });

  it('shows on the button how much a refund would return, and nothing before an amount is chosen', async () => {
    const other = await page.context().newPage();
    await other.goto(`${shop.url}/dashboard/payments/${payments.support}`);
    await other.getByRole('button', { name: 'Refund', exact: true }).waitFor();
    await other.getByText('Half of it: €10.00').click();
    await other.getByRole('button', { name: 'Refund €10.00', exact: true }).waitFor();
    await other.context().setOffline(true);
    await other.getByRole('alert').getByText('You are offline.').waitFor();
    await other.getByText(/^The whole rest: /).click();
    await other.getByRole('button', { name: 'Refund', exact: true }).waitFor();
    await other.context().setOffline(false);
    await other.getByRole('alert').waitFor({ state: 'detached' });
    await other.close();
  });

  it('reads very large amounts of a payment without scrolling sideways, on a phone and on a tablet', async () => {
    const other = await page.context().newPage();
    await other.goto(`${shop.url}/dashboard/payments/${payments.support}`);
    await other.evaluate(
      'for (const cell of document.querySelectorAll(".number > div, .sums dd, #refund-amount")) cell.textContent = "IDR\u00a021,474,836.47"',
    );
    const wider = async (width: number) => {
      await other.setViewportSize({ width, height: 900 });
      return other.evaluate(
        '[document.documentElement, ...document.querySelectorAll(".table, .card")].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className || box.tagName)',
      );
    };
    for (const width of [320, 375, 1_024]) expect(await wider(width), `at ${width}`).toEqual([]);
    await other.close();
  });

  it('opens the menu with the keyboard on a phone; a desktop shows all links at once', async () => {
    const other = await page.context().newPage();
    await other.goto(`${shop.url}/dashboard/payments`);
    const links = other.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
    await other.setViewportSize({ width: 1_280, height: 900 });
    expect(await links.count()).toBe(17);
    expect(await links.last().isVisible()).toBe(true);
    for (const width of [375, 320]) {
      await other.setViewportSize({ width, height: 900 });
      expect(await links.first().isVisible()).toBe(false);
      const line = other.locator('nav summary');
      expect([await line.innerText(), (await line.boundingBox())?.height]).toEqual(['Menu Payments', 44]);
      await line.press('Enter');
      await links.last().waitFor();
      expect(await overflow(other)).toBe(0);
      await line.press('Enter');
    }
    await other.close();
  });

  it('sees a message while a form waits for its answer, and no message after the answer', async () => {
    const other = await page.context().newPage();
    await other.addInitScript(
      'const wait = setTimeout; window.setTimeout = (act, ms) => wait(act, ms === 3000 ? 20 : ms);',
    );
    await other.goto(`${shop.url}/dashboard/products/new`);
    await other.evaluate('document.addEventListener("submit", (event) => event.preventDefault())');
    await other.getByRole('button', { name: 'Create the product' }).click();
    await other.getByRole('status').filter({ hasText: 'Still trying' }).waitFor();
    await other.evaluate('dispatchEvent(new Event("pageshow"))');
    expect(await other.locator('#slow').count()).toBe(0);
    await other.close();
  });

  it('cannot refund if somebody else made a refund in the meantime', async () => {
    const other = await page.context().newPage();
    await other.goto(`${shop.url}/dashboard/payments/${payments.support}`);
    await other.getByText(/^The whole rest: /).click();
    const button = other.getByRole('button', { name: 'Refund €20.00', exact: true });
    await button.waitFor();
    await shop.api.post('/refunds', { payment_id: payments.support, amount: 100 });
    await button.click();
    await other.getByText('Another refund came first.').waitFor();
    expect((await get(`/payments/${payments.support}`)).refundable_amount).toBe(1_900);
    await other.close();
  });

  it('refunds only once when the button is pressed repeatedly', async () => {
    await page.goto(`${shop.url}/dashboard/payments/${payments.support}`);
    const fields: [string, string][] = await page.evaluate(
      '[...new FormData(document.querySelector("#refund form"))].map(([name, value]) => [name, String(value)])',
    );
    const body = new URLSearchParams([
      ...fields.filter(([name]) => !['amount', 'scope', 'confirmed'].includes(name)),
      ['confirmed', '100'],
      ['scope', 'amount'],
      ['amount', '1.00'],
      ['action', 'refund'],
    ]);
    const [cookie] = await page.context().cookies();
    const send = () =>
      fetch(page.url(), {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: { cookie: `${cookie?.name}=${cookie?.value}`, 'sec-fetch-site': 'same-origin' },
      });
    const answers = [await send(), ...(await Promise.all([send(), send(), send()]))];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
    expect((await get(`/payments/${payments.support}`)).refundable_amount).toBe(1_800);
  });

  it('sees the list of events, and sends a webhook again', async () => {
    await receiver.waitFor('refund.succeeded', 15_000);
    await page.goto(`${shop.url}/dashboard/payments/${payments.guide}`);
    const happened = await page.locator('.timeline > li strong').allTextContents();
    expect(happened.slice(0, 3)).toEqual(['Checkout opened', 'Payment of €19.99 begun', 'Payment']);
    expect(happened).toEqual(expect.arrayContaining(['Refund of €5.00 asked for', 'Refund']));
    expect(happened.filter((title) => /^Document (INV|CRN)-\d{4}-\d+ issued$/.test(title))).toHaveLength(2);
    const [first] = receiver.deliveries.filter(({ body }) => body.includes(payments.guide));
    for (const url of [downUrl, receiver.url]) {
      const sold = page.locator('.timeline > li').filter({ hasText: 'payment.succeeded' });
      const delivery = sold.locator('.deliveries > li').filter({ hasText: url });
      await delivery.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('Sent again').waitFor();
    }
    await receiver.waitFor(({ id, receivedAt }) => id === first?.id && receivedAt > (first?.receivedAt ?? 0), 15_000);
    expect(await accessibilityFaults(page)).toEqual([]);
    await portrait(page, 'dashboard-payment');
  });

  it('sees every attempt of an endpoint, and rotates its secret', async () => {
    await page.goto(`${shop.url}/dashboard/webhooks`);
    await page.getByRole('link', { name: receiver.url }).click();
    await page.locator('#deliveries tbody tr').first().waitFor();
    await page.locator('#deliveries summary').first().click();
    expect(await page.locator('#deliveries').textContent()).toContain('200 after');
    await portrait(page, 'dashboard-webhook');
    await page.getByText('Show the secret').click();
    const before = await page.inputValue('#secret');
    await page.getByText('Replace this secret').click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByText('There is a new signing secret').waitFor();
    await page.getByText('Show the secret').click();
    expect(await page.inputValue('#secret')).not.toBe(before);
  });

  it('sends waiting webhooks at once, recovers failed ones, and removes an endpoint', async () => {
    await page.goto(`${shop.url}/dashboard/webhooks`);
    await page.getByRole('link', { name: downUrl }).click();
    const row = page.locator('#deliveries tbody tr').first();
    expect(await row.textContent()).toMatch(/pending.*no connection after/s);
    await row.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Sent again').waitFor();
    await page.getByText('Send failed events again').click();
    await page.getByRole('button', { name: 'Send failed events' }).click();
    await page.getByText('Failed events are being sent again.').waitFor();
    await page.getByText('Delete this endpoint').click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Removed.').waitFor();
    expect((await get('/webhooks')).data).toHaveLength(1);
  });

  it('exports payments and taxes with the same sums as the API', async () => {
    await page.goto(`${shop.url}/dashboard/exports`);
    expect(await accessibilityFaults(page)).toEqual([]);
    await portrait(page, 'dashboard-exports');
    const download = async (name: string): Promise<string> => {
      const waiting = page.waitForEvent('download');
      await page.locator(`form[action$="${name}"] button`).click();
      const file = await (await waiting).createReadStream();
      return Buffer.concat(await file.toArray()).toString();
    };
    const sold = parseCsv(await download('payments.csv'));
    const taxes = parseCsv(await download('taxes.csv'));
    const { items } = await get('/payments?status=succeeded&page_size=100');
    const whole = await Promise.all(items.map((item: { payment_id: string }) => get(`/payments/${item.payment_id}`)));
    const refunds = (await get('/refunds?status=succeeded&page_size=100')).items;
    const returned = await Promise.all(refunds.map((item: { refund_id: string }) => get(`/refunds/${item.refund_id}`)));
    const total = (list: Record<string, number>[], field: string) =>
      list.reduce((sum, one) => sum + (one[field] ?? 0), 0);
    const paid = items.map((item: { payment_id: string }) => item.payment_id);
    const succeeded = sold.filter(({ payment_id }) => paid.includes(payment_id));
    expect([sumOfColumn(succeeded, 'total'), sumOfColumn(succeeded, 'tax')]).toEqual([
      total(whole, 'total_amount'),
      total(whole, 'tax'),
    ]);
    expect(sumOfColumn(succeeded, 'net') + sumOfColumn(succeeded, 'tax')).toBe(sumOfColumn(succeeded, 'total'));
    expect(sumOfColumn(taxes, 'tax')).toBe(total(whole, 'tax'));
    expect(sumOfColumn(taxes, 'net')).toBe(total(whole, 'total_amount') - total(whole, 'tax'));
    expect(sumOfColumn(taxes, 'refunded_tax')).toBe(total(returned, 'tax'));
    expect(sumOfColumn(taxes, 'refunded_net')).toBe(total(returned, 'amount') - total(returned, 'tax'));
    expect(taxes.map(({ country, rate_percent, currency }) => [country, rate_percent, currency])).toEqual([
      ['DE', '7', 'EUR'],
      ['DE', '19', 'EUR'],
    ]);
  });

  it('sees figures, a chart, the chosen amounts and open problems on the overview', async () => {
    await page.goto(`${shop.url}/dashboard`);
    await heading(page, 'Overview');
    expect(await page.locator('.figure .big').allTextContents()).toEqual(['€39.99', '€4.50', '€35.49', '€7.00']);
    expect(await page.locator('svg.chart[role=img]').count()).toBe(1);
    await page.getByText('1 unit, on average €20.00.').waitFor();
    await page.getByText('0% paid the minimum of €5.00.').waitFor();
    expect(await page.getByText(/^before: €0\.00$/).count()).toBe(7); // four figures, two products, and the country
    expect(await accessibilityFaults(page)).toEqual([]);
    await portrait(page, 'dashboard-overview');
  });

  it('adds a tax registration, and sees why a wrong one is refused', async () => {
    await page.goto(`${shop.url}/dashboard/tax`);
    await page.getByText('Add a registration').click();
    await page.selectOption('#registration-country', 'US');
    await page.getByRole('button', { name: 'Add the registration' }).click();
    await page.getByText('Enter the state: sales tax is registered with a state.').first().waitFor();
    await page.fill('#registration-region', 'TX');
    await page.getByRole('button', { name: 'Add the registration' }).click();
    await page.getByText('United States, TX').waitFor();
    await page.getByText('Add a rate').click();
    await page.selectOption('#override-country', 'US');
    await page.fill('#override-region', 'CO');
    await page.fill('#override-postal_code_prefix', '802');
    await page.getByLabel('Adds to the table’s rate').check();
    await page.fill('#override-name_1', 'City sales tax');
    await page.fill('#override-rate_1', '4.81');
    await page.fill('#override-reason', 'Denver is a home-rule city.');
    await page.getByRole('button', { name: 'Add the rate' }).click();
    await page.getByText('+ City sales tax 4.81%').waitFor();
    expect((await get('/tax/overrides')).items[0]).toMatchObject({
      components: [{ name: 'City sales tax', rate: '0.0481' }],
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await portrait(page, 'dashboard-tax');
  });

  it('creates a brand, which its checkouts show', async () => {
    await page.goto(`${shop.url}/dashboard/brands/new`);
    await page.fill('#name', 'Atlas Press');
    await page.getByLabel('Use a custom colour').check();
    await page.fill('#color', '#8a1c7c');
    await page.fill('#supportEmail', 'help@atlas.example');
    await page.setInputFiles('#image', { name: 'logo.webp', mimeType: 'image/webp', buffer: samples.webpWithAlpha });
    await page.getByRole('button', { name: 'Create the brand' }).click();
    await page.getByText('Created.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await portrait(page, 'dashboard-brand');
    const brand = (await get('/brands')).items[1];
    expect(brand).toMatchObject({ name: 'Atlas Press', color: '#8a1c7c', image: expect.stringMatching(/\.webp$/) });
    const productId = links.guide.split('/').at(-1);
    await page.goto(`${shop.url}/dashboard/products/${productId}`);
    await page.locator('.folded summary', { hasText: 'Brand' }).click();
    await page.selectOption('#brand_id', brand.brand_id);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { page: buyer } = await browsing.visit(links.guide);
    expect((await buyer.locator('.masthead').textContent())?.trim()).toBe('Atlas Press');
    await buyer.getByRole('button', { name: 'Checkout' }).click();
    await buyer.waitForURL(/\/checkout\//);
    expect((await buyer.locator('.masthead').textContent())?.trim()).toBe('Atlas Press');
    expect(await buyer.locator('.logo').getAttribute('src')).toBe(brand.image);
    expect(await buyer.evaluate('getComputedStyle(document.querySelector("#pay")).backgroundColor')).toBe(
      'rgb(138, 28, 124)',
    );
    await portrait(buyer, 'checkout-of-a-brand');
  });

  it('creates a key that is shown once, and revokes it: the next call with it gets 401', async () => {
    await page.goto(`${shop.url}/dashboard/keys`);
    await page.fill('#name', 'Web shop');
    await page.getByLabel('Read and write').check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key = await page.inputValue('#new-key');
    await portrait(page, 'dashboard-new-key');
    expect(await accessibilityFaults(page)).toEqual([]);
    const call = async () =>
      (await fetch(`${shop.url}/products`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await call()).toBe(200);
    await page.goto(`${shop.url}/dashboard/keys`);
    expect(await page.content()).not.toContain(key);
    const { page: colleague } = await browsing.visit(`${shop.url}/dashboard`);
    await signIn(colleague, key);
    const row = page.locator('tr').filter({ hasText: 'Web shop' });
    await row.getByText('Revoke', { exact: true }).first().click();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Key revoked. The next call with it is refused.').waitFor();
    expect(await call()).toBe(401);
    await colleague.getByRole('link', { name: 'Payments' }).click();
    await colleague.waitForURL(/\/dashboard\/sign-in/);
    expect(await colleague.context().cookies()).toEqual([]);
  });

  it('archives a product, and its link no longer sells it', async () => {
    await page.goto(links.support.replace('/buy/', '/dashboard/products/'));
    await page.getByText('Archive this product').click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('Archived. It can no longer be bought.').waitFor();
    expect((await fetch(links.support)).status).toBe(410);
    await page.getByRole('button', { name: 'Put it back on sale' }).click();
    await page.getByText('Back on sale.').waitFor();
    expect((await fetch(links.support)).status).toBe(200);
  });

  it('finds a customer and that customer’s payments', async () => {
    await page.goto(`${shop.url}/dashboard/customers`);
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await heading(page, 'Ada Lovelace');
    expect(await page.locator('tbody tr').count()).toBe(2);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  const looks: [name: string, width: number, dark: boolean][] = [
    ['320 px', 320, false],
    ['in the dark', 1_280, true],
    ['320 px in the dark', 320, true],
  ];

  it.each(campaign(looks, looks.slice(2)))(
    'can read every page at %s, and axe finds no fault',
    async (name, width, dark) => {
      const { page: reader } = await browsing.visit(`${shop.url}/dashboard`, { width, dark, isSignedIn: true });
      const endpoint = (await get('/webhooks')).data[0].id;
      const pages = {
        overview: '',
        'overview of impossible days': '?period=custom&from=2026-02-02&to=2026-02-01',
        products: '/products',
        product: links.support.replace(/.*\/buy/, '/products'),
        'new product': '/products/new',
        payments: '/payments',
        payment: `/payments/${payments.guide}`,
        customers: '/customers',
        exports: '/exports',
        tax: '/tax',
        webhooks: '/webhooks',
        webhook: `/webhooks/${endpoint}`,
        brands: '/brands',
        keys: '/keys',
      };
      for (const [title, path] of Object.entries(pages)) {
        await reader.goto(`${shop.url}/dashboard${path}`);
        expect([title, await accessibilityFaults(reader), await overflow(reader)]).toEqual([title, [], 0]);
        expect([title, await doubledIds(reader)]).toEqual([title, []]);
        await portrait(reader, `dashboard-${title}-${name}`);
      }
    },
  );

  it('signs out, and the session has ended', async () => {
    await page.goto(`${shop.url}/dashboard`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/dashboard\/sign-in/);
    await page.goto(`${shop.url}/dashboard/payments`);
    await page.waitForURL(/\/dashboard\/sign-in\?next=/);
    expect(complaints).toEqual([]);
  });
});

describe('without JavaScript', () => {
  it('a merchant previews a price, creates and changes a product, and makes a refund', async () => {
    const { page } = await browsing.visit(`${shop.url}/dashboard/products/new`, { javaScript: false, width: 1_000 });
    await signIn(page);
    await page.fill('#name', 'Plain');
    await page.fill('#description', 'Without a script.');
    await page.fill('#price', '11.90');
    await page.selectOption('#place', 'DE');
    await page.getByRole('button', { name: 'Update the example' }).click();
    expect(await page.locator('#example').textContent()).toContain('€1.90');
    expect(await page.inputValue('#name')).toBe('Plain');
    await page.setInputFiles('#image', { name: 'cover.png', mimeType: 'image/png', buffer: samples.png });
    await page.getByRole('button', { name: 'Create the product' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Created.');
    await page.setInputFiles('#image', { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('.note li').allTextContents()).toEqual([
      'This image cannot be used. Choose a PNG, JPEG or WebP of at most 3 MB.',
    ]);
    await page.getByLabel('Remove the image').check();
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('#image-now').count()).toBe(0);
    expect((await get('/products')).items[0]).toMatchObject({ name: 'Plain', image: null, price: 1_190 });
  });
});

it('pages with long names, addresses and amounts still fit a phone', async () => {
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsmitgliedsausweis';
  const email = 'maximiliana.von-und-zu-hohenlohe@mail.example.com';
  const product = await shop.product({ price: 2_000_000_000, currency: 'IDR', tax_inclusive: true }, { name });
  let payment = '';
  for (let serial = 0; serial < 30; serial += 1) {
    const url = await shop.checkout([product]);
    const body = { customer: { email, name }, billing_address: { country: 'DE' }, test_card: '4242' };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
    payment = ((await answer.json()) as { payment_id: string }).payment_id;
  }
  const { customer } = await get(`/payments/${payment}`);
  const { page } = await browsing.visit(`${shop.url}/dashboard`, { width: 320, isSignedIn: true });
  const paths = ['/products', `/products/${product}`, '/payments', `/payments/${payment}`, '/customers'];
  for (const path of ['', ...paths, `/customers/${customer.customer_id}`]) {
    await page.goto(`${shop.url}/dashboard${path}`);
    await portrait(page, `dashboard-long${path.replaceAll('/', '-').replace(/_\w+/, '')}`);
    expect.soft([path, await overflow(page)]).toEqual([path, 0]);
  }
});
