import type { BrowserContext, Page } from 'playwright-core';
import { localKey } from '../../../infra/local/local-key.ts';
import { loadMerchantConfig } from '../../../infra/merchant-config.ts';
import { type BrowserShop, openBrowserShop } from '../shop.ts';

/** How wide a phone, a tablet and a desktop are. */
export const widths = [375, 768, 1280];
export const schemes = ['light', 'dark'] as const;

/** The dashboard's first page, for a merchant who has signed in with the sandbox's key. */
export async function signedIn(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/sign-in`);
  await page.fill('#key', localKey);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
}

/** Makes the window as high as the page, so that what sticks to the window is where it ends. */
export async function asHighAsItsPage(page: Page, width: number): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height });
}

/** A shop whose expired checkouts have a link that opens them again. */
export const openPictureShop = (): Promise<BrowserShop> =>
  openBrowserShop({
    MERCHANT: JSON.stringify({ ...loadMerchantConfig('demo').merchant, expiredCheckoutEvents: true }),
  });
