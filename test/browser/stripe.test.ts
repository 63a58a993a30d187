import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalStripe, startLocalStripe } from '../../infra/local/demo/local-stripe.ts';
import { completePayout, payOut } from '../../infra/local/stripe/balance/payouts.ts';
import { expireSession } from '../../infra/local/stripe/checkout.ts';
import { campaign } from '../support/seeded.ts';
import {
  accessibilityFaults,
  allDevices,
  asByForm,
  type BrowserShop,
  devices,
  euroBook,
  introduce,
  openBrowserShop,
  picture,
  startBrowsing,
} from './shop.ts';

let stripe: LocalStripe;
let shop: BrowserShop;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;

beforeAll(async () => {
  stripe = await startLocalStripe();
  [shop, browsing] = await Promise.all([openBrowserShop(stripe.environment), startBrowsing()]);
  stripe.notify(shop.url);
});

afterAll(async () => {
  await browsing?.stop();
  await shop?.stop();
  await stripe?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
type Json = any;

interface Visiting {
  width: number;
  javaScript: boolean;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const choose = (page: Page, means: string) => page.locator(`button[value="${means}"]`).click();
const paid = (checkoutUrl: string) => shop.payment(checkoutUrl);

/** What Stripe has taken and returned for a payment. */
const ledgerOf = (paymentId: string) => {
  const charged = [...stripe.fake.account.sessions.values()].filter(
    ({ client_reference_id: id, payment_status: status }) => id === paymentId && status === 'paid',
  );
  return charged.map(({ amount_total: amount }) => amount);
};

/** A buyer who has filled in the page and is on Stripe's. */
async function begin(options: Visiting, fields: object = {}) {
  const url = await shop.checkout([await shop.product(euroBook)], fields);
  const { page, complaints } = await browsing.visit(url, { ...options, leadsTo: stripe.fake.url });
  await introduce(page, { country: 'DE' });
  if (!options.javaScript) await page.getByRole('button', { name: 'Update total' }).click();
  await page.getByText('VAT 7%').waitFor();
  expect(await page.locator('input[name=card]').count()).toBe(0);
  await page.click('#pay');
  await heading(page, 'Pay €19.99');
  return { url, page, complaints };
}

describe.each(campaign(allDevices, [devices.phone, devices.scriptlessDesktop]))(
  'on Stripe’s page, on a $where',
  ({ where, ...options }) => {
    it('a buyer pays and returns to the receipt', async () => {
      const { url, page, complaints } = await begin(options);
      await choose(page, '4242424242424242');
      await heading(page, 'Paid');
      const payment = await paid(url);
      expect(payment).toMatchObject({ status: 'succeeded', processor: 'stripe', card_last_four: '4242' });
      expect(ledgerOf(payment.payment_id)).toEqual([1_999]);
      expect(complaints).toEqual([]);
    });

    it('a buyer whose card is declined pays there with another card, confirms with the bank, and is charged once', async () => {
      const { url, page } = await begin(options);
      await choose(page, '4000000000000002');
      await choose(page, '4000000000003220');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await heading(page, 'Paid');
      const payment = await paid(url);
      expect(payment).toMatchObject({ status: 'succeeded', card_last_four: '3220' });
      expect(ledgerOf(payment.payment_id)).toEqual([1_999]);
    });

    it('a buyer who goes back in the browser and changes the order pays only once', async () => {
      const { url, page, complaints } = await begin(options);
      const { payment_id: first } = await paid(url);
      await page.getByRole('link', { name: 'Back to the shop' }).click();
      await heading(page, 'Your payment is not finished');
      if (options.javaScript) expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, `stripe-open-${where}`);
      await page.getByRole('button', { name: 'Change something' }).click();
      await page.getByText('The payment was not finished, and nothing was charged.').waitFor();
      expect(await page.inputValue('#email')).toBe('ada@example.com');
      await page.fill('#name', 'Ada Byron');
      await page.click('#pay');
      await choose(page, '4242424242424242');
      await heading(page, 'Paid');
      const payment = await paid(url);
      expect(payment).toMatchObject({ status: 'succeeded', customer: { name: 'Ada Byron' } });
      expect([ledgerOf(first), ledgerOf(payment.payment_id)]).toEqual([[], [1_999]]);
      expect(complaints).toEqual([]);
    });

    it('a buyer who pays by debit reads that it takes days, and the payment succeeds when the money arrives', async () => {
      const { url, page, complaints } = await begin(options);
      await choose(page, 'debit');
      await heading(page, 'We are waiting for your bank');
      if (options.javaScript) expect(await accessibilityFaults(page)).toEqual([]);
      await picture(page, `stripe-underway-${where}`);
      expect(await paid(url)).toMatchObject({ status: 'processing' });
      stripe.fake.finish();
      await stripe.fake.deliver();
      await page.getByRole('link', { name: 'Check now' }).click();
      await heading(page, 'Paid');
      expect(await paid(url)).toMatchObject({ status: 'succeeded', payment_method: 'sepa_debit' });
      expect(complaints).toEqual([]);
    });

    it('a buyer whose debit fails sees it, finds the form still filled, and pays by card', async () => {
      const { url, page } = await begin(options);
      await choose(page, 'debit-fails');
      await heading(page, 'We are waiting for your bank');
      stripe.fake.finish();
      await stripe.fake.deliver();
      await page.getByRole('link', { name: 'Check now' }).click();
      await page.getByText('The account does not have sufficient funds.').waitFor();
      await picture(page, `stripe-bounced-${where}`);
      expect(await page.inputValue('#email')).toBe('ada@example.com');
      await page.click('#pay');
      await choose(page, '4242424242424242');
      await heading(page, 'Paid');
      expect(await paid(url)).toMatchObject({ status: 'succeeded' });
    });
  },
);

it('a redirect by a function of an older version leads the page’s script to the way to Stripe', async () => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page, complaints } = await browsing.visit(url, { ...devices.desktop, leadsTo: stripe.fake.url });
  await introduce(page, { country: 'DE' });
  await page.getByText('VAT 7%').waitFor();
  await page.route('**/pay?*', asByForm);
  await page.click('#pay');
  await page.getByRole('link', { name: 'Continue paying' }).click();
  await choose(page, '4242424242424242');
  await heading(page, 'Paid');
  expect([ledgerOf((await paid(url)).payment_id), complaints]).toEqual([[1_999], []]);
});

it('an expired Stripe page charges nothing, and the form is still filled', async () => {
  const { url, page } = await begin({ width: 1_000, javaScript: true });
  const { payment_id: id } = await paid(url);
  for (const session of stripe.fake.account.sessions.values())
    if (session.client_reference_id === id) expireSession(stripe.fake.account, session);
  await stripe.fake.deliver();
  await page.goto(url);
  await page.getByText('The payment was not finished, and nothing was charged.').waitFor();
  expect(await page.inputValue('#email')).toBe('ada@example.com');
  expect(await shop.api.get(`/payments/${id}`)).toMatchObject({ status: 'cancelled' });
});

it('the return of the buyer updates the payment, even when Stripe’s notification is lost', async () => {
  stripe.fake.notifies = 'by-hand';
  const { url, page } = await begin({ width: 1_000, javaScript: true }, { return_url: shop.returnUrl });
  const { payment_id: id } = await paid(url);
  await page.route(`${new URL(shop.returnUrl).origin}/**`, (route) => route.fulfill({ body: 'Welcome back' }));
  await choose(page, '4242424242424242');
  await page.waitForURL((address) => address.pathname === '/thanks');
  stripe.fake.notifies = 'after';
  expect(new URL(page.url()).searchParams.get('payment_id')).toBe(id);
  expect(await paid(url)).toMatchObject({ status: 'succeeded' });
});

it('the content security policy allows forms of the page to lead to Stripe and to no other site', async () => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const policy = (await fetch(url)).headers.get('content-security-policy');
  expect(policy).toContain(`form-action 'self' ${stripe.fake.url};`);
});

describe('a merchant, after a sale on Stripe’s page', () => {
  const paymentOf = (id: string) => shop.api.get(`/payments/${id}`) as Promise<Json>;

  /** A sale by such a card, and the merchant's page of it. */
  async function sold(means: string) {
    const { url, page } = await begin(devices.desktop);
    await choose(page, means);
    await heading(page, 'Paid');
    const { payment_id: id } = await paid(url);
    const merchant = await browsing.visit(`${shop.url}/dashboard/payments/${id}`, { isSignedIn: true });
    return { id, page: merchant.page, complaints: merchant.complaints };
  }

  it('sees days later that a refund has failed, and can refund the amount again', async () => {
    const { id, page, complaints } = await sold('4000000000005126');
    const button = page.getByRole('button', { name: 'Refund €19.99' });
    await page.getByLabel('The whole rest').check();
    await button.click();
    await page.getByText('This returns €19.99 to the buyer').waitFor();
    await button.click();
    await page.getByText('Refunded.', { exact: true }).waitFor();
    expect(await paymentOf(id)).toMatchObject({ refundable_amount: 0 });
    stripe.fake.finish();
    await expect.poll(async () => (await paymentOf(id)).refundable_amount, { timeout: 10_000 }).toBe(1_999);
    await page.reload();
    await page.getByLabel('The whole rest').check();
    await button.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('sees which payout a sale is in, and its sums, and takes its entries as a file', async () => {
    const { id, page, complaints } = await sold('4242424242424242');
    const { account } = stripe.fake;
    const payout = payOut(account, { currency: 'eur' });
    completePayout(account, payout.id);
    await stripe.fake.deliver();
    await expect.poll(async () => (await paymentOf(id)).payout?.payout_id, { timeout: 10_000 }).toBe(payout.id);
    await page.reload();
    await page.getByRole('link', { name: payout.id }).click();
    await page.getByText('matched to its sales').waitFor();
    await page.getByRole('link', { name: 'Sales', exact: true }).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'payout');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    expect((await downloading).suggestedFilename()).toContain(payout.id);
    await page.goto(`${shop.url}/dashboard/payouts`);
    await page.getByText('on its way').first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'payouts');
    expect(complaints).toEqual([]);
  });

  it('sees a dispute with its deadline in the list, and cannot refund the disputed payment', async () => {
    const { id, page, complaints } = await sold('4000000000000259');
    await expect.poll(async () => (await paymentOf(id)).disputes.length, { timeout: 10_000 }).toBe(1);
    await page.goto(`${shop.url}/dashboard/disputes`);
    await page.getByRole('link', { name: '€19.99' }).or(page.getByText('€19.99')).first().waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await picture(page, 'disputes');
    await page.goto(`${shop.url}/dashboard/payments/${id}`);
    await heading(page, '€19.99');
    expect(await page.getByRole('button', { name: /^Refund/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
