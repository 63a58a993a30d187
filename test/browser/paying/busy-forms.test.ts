import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { busyTexts } from '../../../shared/texts/texts.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, euroBook, overflow } from '../shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'busy-forms-'));
afterAll(() => rmSync(mails, { recursive: true, force: true }));
const { shop, browsing } = openedShop({ MAIL_FOLDER: mails });

/** Puts the gateway's 429 in front of the posts to an address, and counts all of them. */
async function refusePosts(page: Page, address: string, times: number): Promise<() => number> {
  let posts = 0;
  await page.route(address, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    posts += 1;
    const body = JSON.stringify({ message: 'Too Many Requests' });
    return posts > times ? route.continue() : route.fulfill({ status: 429, contentType: 'application/json', body });
  });
  await page.evaluate(
    '{ const wait = setTimeout; setTimeout = (act, ms) => wait(act, ms > 400 && ms < 9000 ? 300 : ms) }',
  );
  return () => posts;
}

const offer = async () => `${shop.url}/buy/${await shop.product(euroBook)}`;

it('a buyer whose press on a product’s page is refused twice comes to the checkout by waiting', async () => {
  const { page, complaints } = await browsing.visit(await offer());
  const posts = await refusePosts(page, '**/buy/**', 2);
  await page.click('#offer .pay');
  await page.getByText(busyTexts.en.text).waitFor();
  await page.waitForURL('**/checkout/cks_*');
  expect([posts(), complaints]).toEqual([3, []]);
});

it('the product’s page says when nobody answers, and the next press goes on', async () => {
  const { page } = await browsing.visit(await offer(), { width: 375 });
  const posts = await refusePosts(page, '**/buy/**', 6);
  await page.click('#offer .pay');
  await page.getByText(busyTexts.en.unanswered).waitFor();
  expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
  await page.click('#offer .pay');
  await page.waitForURL('**/checkout/cks_*');
  expect(posts()).toBe(7);
});

it('the way back from the checkout leads to a product’s page whose button works again', async () => {
  const { page } = await browsing.visit(await offer());
  await page.click('#offer .pay');
  await page.waitForURL('**/checkout/cks_*');
  await page.goBack();
  await page.click('#offer .pay');
  await page.waitForURL('**/checkout/cks_*');
});

it('a request for a link to the portal is sent again, and its answer is a page with a way back', async () => {
  const { page, complaints } = await browsing.visit(`${shop.url}/portal?lang=en`);
  const posts = await refusePosts(page, '**/portal?*', 2);
  await page.fill('#email', 'no address');
  await page.click('button[value=link]');
  await page.locator('#email[aria-invalid]').waitFor();
  expect([posts(), await page.inputValue('#email')]).toEqual([3, 'no address']);
  await page.fill('#email', 'ada@example.com');
  await page.keyboard.press('Enter');
  await page.locator('#email').waitFor({ state: 'detached' });
  expect(await page.title()).toBe(`${await page.locator('h1').innerText()} · ${(await page.title()).split(' · ')[1]}`);
  expect([posts(), await page.evaluate('document.activeElement.id'), complaints]).toEqual([4, 'main', []]);
  await page.goBack();
  await page.locator('#email').waitFor();
});

it('without a script, the browser posts the form once', async () => {
  const { page } = await browsing.visit(await offer(), { javaScript: false });
  await page.click('#offer .pay');
  await page.waitForURL('**/checkout/cks_*');
});
