import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { giveGoods } from '../../../infra/local/demo/goods.ts';
import { campaign } from '../../support/seeded.ts';
import { mailsIn } from '../../support/shop/members.ts';
import { countingHand } from '../dashboard/counting-hand.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, colourFaults, euroBook, overflow, picture } from '../shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'portal-'));
const { shop, browsing } = openedShop({ MAIL_FOLDER: mails });
afterAll(() => rmSync(mails, { recursive: true, force: true }));

/** Buys a book with files and a licence key, and returns the customer. */
async function bought(email: string): Promise<string> {
  const product = await shop.product(euroBook, { name: 'Star Atlas' });
  await giveGoods(shop.api, product);
  const checkout = await shop.checkout([product]);
  const body = { customer: { email, name: 'Ada Lovelace' }, billing_address: { country: 'DE' }, test_card: '4242' };
  const headers = { 'content-type': 'application/json' };
  await fetch(`${checkout}/pay`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await shop.payment(checkout)).customer.customer_id;
}

/** The link in the mail to an address, once it is sent. */
async function mailedLink(email: string): Promise<string> {
  const link = () =>
    mailsIn(mails)
      .filter(({ to }) => to.includes(email))
      .flatMap(({ text }) => text.match(/https?:\S+\/portal\/confirm\S+/g) ?? [])
      .at(-1);
  await expect.poll(link, { timeout: 30_000 }).toBeDefined();
  return link() ?? '';
}

it.each([
  ['with', true],
  ['without', false],
])(
  'a buyer who lost the mail gets file, key and invoice again with three clicks and one field (%s JavaScript)',
  async (_, javaScript) => {
    const email = `ada-${javaScript}@portal.example`;
    await bought(email);
    const { page } = await browsing.visit(`${shop.url}/withdraw?lang=en`, { width: 375, javaScript });
    const hand = countingHand();
    await hand.click(page.getByRole('link', { name: 'Your purchases' }));
    await hand.fill(page.getByLabel('E-mail'), email);
    await hand.click(page.getByRole('button', { name: 'Send me a link' }));
    await page.getByText('Look into your mailbox').waitFor();
    await page.goto(await mailedLink(email));
    await hand.click(page.getByRole('button', { name: 'Show my purchases' }));
    await page
      .getByRole('link', { name: /invoice/i })
      .first()
      .waitFor();
    expect(await page.locator('.files button').count()).toBeGreaterThan(0);
    expect(await page.locator('code.key').innerText()).not.toBe('');
    expect(page.url()).not.toContain('secret');
    expect(hand.done).toEqual({ clicks: 3, fields: 1 });
    expect(await overflow(page)).toBe(0);
  },
);

it('a customer goes from the integrator’s site to the list of purchases and back, on a phone', async () => {
  const id = await bought('grace@portal.example');
  const query = `return_url=${encodeURIComponent(shop.returnUrl)}`;
  const { link } = (await shop.api.post(`/customers/${id}/customer-portal/session?${query}`, {})) as { link: string };
  const { page } = await browsing.visit(`${link}&lang=en`, { width: 375 });
  await page.getByRole('button', { name: 'Show my purchases' }).click();
  await page.getByRole('button', { name: /^Open this purchase/ }).waitFor();
  const { page: other } = await browsing.visit(`${link}&lang=en`, { width: 375 });
  await other.getByRole('button', { name: 'Show my purchases' }).click();
  await other.getByText('This link is used up').waitFor();
  await page.getByRole('link', { name: /^(Back|Return) to/ }).click();
  expect(await page.locator('h1').innerText()).toBe('Welcome back');
});

it.each(campaign(['de', 'ar'], ['de', 'ar'], ['ar']))(
  'each page of the customer portal fits a small phone in %s, and axe finds no fault in light or dark',
  async (lang) => {
    const email = `ada-${lang}@axe.example`;
    await bought(email);
    const id = await bought(email);
    const { link } = (await shop.api.post(`/customers/${id}/customer-portal/session`, {})) as { link: string };
    const { page } = await browsing.visit(`${shop.url}/portal?lang=${lang}`, { width: 320 });
    const check = async (name: string) => {
      await picture(page, `portal-${lang}-${name}`);
      expect([name, await overflow(page), await accessibilityFaults(page)]).toEqual([name, 0, []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, `portal-${lang}-${name}-dark`);
      expect([name, await colourFaults(page)]).toEqual([name, []]);
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await check('ask');
    await page.locator('main button.pay').click();
    await check('fault');
    await page.locator('#email').fill('nobody@axe.example');
    await page.locator('main button.pay').click();
    await page.locator('main [role=status]').waitFor();
    await check('sent');
    await page.goto(`${link}&lang=${lang}`);
    await check('link');
    await page.locator('main button.pay').press('Enter');
    await page.locator('main form button.pay').first().waitFor();
    for (const [name, path] of [
      ['orders', ''],
      ['keys', '/keys'],
      ['data', '/data'],
    ] as const) {
      await page.goto(`${shop.url}/portal${path}?lang=${lang}`);
      await check(name);
    }
    await page.goto(`${link}&lang=${lang}`);
    await page.locator('main button.pay').click();
    await page.locator('main [role=alert]').waitFor();
    await check('used');
  },
);
