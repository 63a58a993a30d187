import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, due, euroBook, introduce, overflow, picture } from '../shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'mails-'));
const { shop, browsing } = openedShop({ MAIL_FOLDER: mails });
afterAll(() => rmSync(mails, { recursive: true, force: true }));

const bought = async () =>
  shop.checkout([
    await shop.product(euroBook),
    await shop.product(euroBook, { name: 'Atlas, a year', tax_category: 'saas' }),
  ]);

const withdrawalOf = async (url: string) => (await shop.payment(url)).withdrawal;

describe('the checkboxes for the supply of digital content', () => {
  const screens = [
    { where: 'desktop', width: 1_280, dark: false },
    { where: 'phone', width: 375, dark: false },
    { where: 'phone, dark', width: 375, dark: true },
  ];

  it.each(campaign(screens, screens, screens.slice(2)))(
    'appear only in countries that need them, and a German buyer ticks one ($where)',
    async ({ where, width, dark }) => {
      const url = await bought();
      const { page, complaints } = await browsing.visit(`${url}?lang=de`, { width, dark, locale: 'de-DE' });
      await introduce(page, { country: 'CH' });
      await page.locator('#pay:has-text("bezahlen")').waitFor();
      expect(await page.locator('.requests').count()).toBe(0);
      await page.selectOption('#country', 'DE');
      await page.locator('.requests').waitFor();
      await due(page, '39,98 €');
      const boxes = page.locator('.requests input');
      expect(await boxes.evaluateAll((all) => all.map((box) => box.matches(':checked')))).toEqual([false, false]);
      expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
      await page.locator('.requests').scrollIntoViewIfNeeded();
      await picture(page, `requests-${where}`);
      await page.getByLabel(/Bereitstellung der digitalen Inhalte/).check();
      await page.getByRole('button', { name: 'Zahlungspflichtig bestellen', exact: true }).click();
      await page.getByRole('heading', { name: 'Bezahlt' }).waitFor();
      expect(await withdrawalOf(url)).toMatchObject({
        right: 'waivable',
        consents: [{ kind: 'immediate_supply', language: 'de', lines: [0], source: 'page' }],
      });
      expect(complaints).toEqual([]);
    },
  );

  it('appear without JavaScript after the first click on the Pay button', async () => {
    const url = await bought();
    const { page, complaints } = await browsing.visit(`${url}?lang=de`, { width: 375, javaScript: false });
    await introduce(page, { country: 'DE' });
    await page.click('#pay');
    await page.locator('#pay-news').waitFor();
    expect(await shop.payment(url)).toBeUndefined();
    expect(await overflow(page)).toBe(0);
    await picture(page, 'pay-label-changed');
    expect(await page.locator('.requests input').count()).toBe(2);
    await page.click('#pay');
    await page.getByRole('heading', { name: 'Bezahlt' }).waitFor();
    expect(await withdrawalOf(url)).toMatchObject({ right: 'kept', consents: [] });
    expect(complaints).toEqual([]);
  });
});

describe('the label of the Pay button', () => {
  it('is shown again with a notice, if the posted page had another label', async () => {
    const url = await bought();
    const { page } = await browsing.visit(`${url}?lang=de`, { width: 375 });
    await introduce(page, { country: 'DE' });
    await page.locator('.requests').waitFor();
    await page.evaluate(`document.querySelector('[name=label]').value = 'pay:de:'`);
    await page.click('#pay');
    await page.locator('#pay-news').waitFor();
    await page.waitForFunction('document.activeElement?.id === "pay-news"');
    expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
    expect(await shop.payment(url)).toBeUndefined();
  });

  it('is corrected before the charge, if the buyer pays while the label changes', async () => {
    const url = await bought();
    const { page } = await browsing.visit(`${url}?lang=en`);
    await introduce(page, { country: 'CH' });
    await page.locator('#pay:has-text("Pay ")').waitFor();
    await page.route('**/quote*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.evaluate(`{
      const country = document.querySelector('#country');
      country.value = 'DE';
      country.dispatchEvent(new Event('input', { bubbles: true }));
      country.dispatchEvent(new Event('change', { bubbles: true }));
      document.querySelector('#pay').click();
    }`);
    await page.locator('#pay:text-is("Order with obligation to pay")').waitFor();
    await page.waitForFunction('document.activeElement?.id === "pay"');
    expect(await shop.payment(url)).toBeUndefined();
    await page.click('#pay');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
  });
});
