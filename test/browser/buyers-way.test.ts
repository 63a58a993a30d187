import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { clock } from '../support/clock.ts';
import { campaign } from '../support/seeded.ts';
import { openedShop } from './opened-shop.ts';
import {
  accessibilityFaults,
  allDevices,
  cardChoice,
  chooseCard,
  devices,
  euroBook,
  introduce,
  overflow,
  picture,
} from './shop.ts';

const { shop, browsing } = openedShop();

afterEach(() => clock.run());

interface Visiting {
  width: number;
  javaScript: boolean;
}

/** A buyer on the page of a checkout for one book, filled in, with a card chosen. */
async function begin(lastFour: string, options: Visiting) {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page, complaints } = await browsing.visit(url, options);
  await introduce(page, { country: 'DE' });
  if (!options.javaScript) await page.getByRole('button', { name: 'Update total' }).click();
  await page.getByText('VAT 7%').waitFor();
  await chooseCard(page, lastFour);
  await page.click('#pay');
  return { url, page, complaints };
}

/** The form with the entries that the buyer has made. */
async function expectEntries(page: Page, lastFour: string): Promise<void> {
  const entries = await Promise.all(['#email', '#name', '#country'].map((field) => page.inputValue(field)));
  expect(entries).toEqual(['ada@example.com', 'Ada Lovelace', 'DE']);
  expect(await cardChoice(page, lastFour).isChecked()).toBe(true);
}

async function expectFitting(page: Page, name: string, { javaScript }: Visiting): Promise<void> {
  if (javaScript) expect(await accessibilityFaults(page)).toEqual([]);
  if (javaScript) expect(await overflow(page)).toBe(0);
  await picture(page, name);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

describe.each(campaign(allDevices, [devices.desktop, devices.scriptlessPhone]))(
  'a payment on a $where',
  ({ where, ...options }) => {
    it('a buyer whose bank asks for confirmation confirms, and the payment succeeds', async () => {
      const { url, page, complaints } = await begin('3063', options);
      await heading(page, 'Confirm your payment');
      await expectFitting(page, `step-${where}`, options);
      await button(page, 'Confirm');
      await heading(page, 'Paid');
      expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', card_last_four: '3063' });
      expect(complaints).toEqual([]);
    });

    it('a buyer who refuses the confirmation sees the reason, finds the form still filled, and pays with another card', async () => {
      const { url, page, complaints } = await begin('3063', options);
      await button(page, 'Refuse');
      await page.getByText('The payment was not confirmed with your bank.').waitFor();
      await expectEntries(page, '3063');
      await expectFitting(page, `refused-${where}`, options);
      await chooseCard(page, '4242');
      await page.click('#pay');
      await heading(page, 'Paid');
      expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', card_last_four: '4242' });
      expect(complaints).toEqual([]);
    });

    it('a buyer who goes back in the browser can continue the open payment', async () => {
      const { url, page } = await begin('3063', options);
      await heading(page, 'Confirm your payment');
      await page.goto(url);
      await heading(page, 'Your payment is not finished');
      await expectFitting(page, `open-${where}`, options);
      await page.getByRole('link', { name: 'Continue paying' }).click();
      await button(page, 'Confirm');
      await heading(page, 'Paid');
    });

    it('a buyer who goes back in the browser can change the order: nothing was charged, and the form is still filled', async () => {
      const { url, page, complaints } = await begin('3063', options);
      await heading(page, 'Confirm your payment');
      const { payment_id: first } = await shop.payment(url);
      // a page that was posted is not in the browser's memory: without its script, the buyer opens the address again
      await (options.javaScript ? page.goBack() : page.goto(url));
      await heading(page, 'Your payment is not finished');
      await button(page, 'Change something');
      await page.getByText('The payment was not finished, and nothing was charged.').waitFor();
      await expectEntries(page, '3063');
      await page.fill('#name', 'Ada Byron');
      await chooseCard(page, '4242');
      await page.click('#pay');
      await heading(page, 'Paid');
      expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', customer: { name: 'Ada Byron' } });
      expect(await shop.api.get(`/payments/${first}`)).toMatchObject({ status: 'cancelled' });
      expect(complaints).toEqual([]);
    });
  },
);

it('a payment that the buyer left succeeds later, and the page that stayed open shows it without a reload', async () => {
  const { url, page, complaints } = await begin('3097', { width: 1_000, javaScript: true });
  await page.getByText('arrives in a minute').waitFor();
  await expectFitting(page, 'leave', { width: 1_000, javaScript: true });
  await page.goto(url);
  await heading(page, 'Your payment is not finished');
  clock.forward({ minutes: 3 });
  await heading(page, 'Paid');
  expect(await shop.payment(url)).toMatchObject({ status: 'succeeded', card_last_four: '3097' });
  expect(complaints).toEqual([]);
});

it.each(campaign(['de', 'ja', 'pl'], ['de', 'ja', 'pl'], ['ja']))(
  'the pages of an open payment are shown in the buyer’s language: %s',
  async (locale) => {
    const url = await shop.checkout([await shop.product(euroBook)]);
    const { page, complaints } = await browsing.visit(`${url}?lang=${locale}`, { width: 320, locale });
    await introduce(page, { country: 'DE' });
    await page.waitForLoadState('networkidle');
    await chooseCard(page, '3063');
    await page.click('#pay');
    await page.locator('form button[value=confirmed]').waitFor();
    await expectFitting(page, `step-${locale}`, { width: 320, javaScript: true });
    await page.goto(`${url}?lang=${locale}`);
    await page.locator('form[action*="/change"] button').waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe(locale);
    await expectFitting(page, `open-${locale}`, { width: 320, javaScript: true });
    expect(complaints).toEqual([]);
  },
);
