import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../support/shop/browser.ts';
import { buyerStates } from './buyer-states.ts';
import { takeMailPictures } from './mail-pictures.ts';
import { type PageState, pageStates } from './page-states.ts';
import { asHighAsItsPage, openPictureShop, schemes, signedIn, widths } from './picture-frames.ts';

const usage = 'npm run screenshots -- FOLDER [--locale=de-DE] [WORDS of the states’ names…]';

/** Takes a picture of every state of the pages that a person can meet, in each width and colour scheme, and of the mails. */
async function takePictures(folder: string, words: readonly string[], locale: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const [shop, browser] = await Promise.all([openPictureShop(), launchBrowser()]);
  try {
    const context = await browser.newContext({ reducedMotion: 'reduce', locale });
    const chosen = [...pageStates, ...buyerStates].filter(
      ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
    );
    const merchant = chosen.some(({ isMerchants }) => isMerchants) ? await signedIn(context, shop.url) : undefined;
    for (const state of chosen) {
      const page = state.isMerchants && merchant ? merchant : await context.newPage();
      await state.reach(page, shop);
      await takeAll(page, folder, state);
      if (page !== merchant) await page.close();
    }
    return chosen.length * widths.length * schemes.length + (await takeMailPictures(browser, folder, words));
  } finally {
    await browser.close();
    await shop.stop();
  }
}

async function takeAll(page: Page, folder: string, { name }: PageState): Promise<void> {
  for (const width of widths)
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await asHighAsItsPage(page, width);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
}

const { values, positionals } = parseArgs({ options: { locale: { type: 'string' } }, allowPositionals: true });
const [folder, ...words] = positionals;
if (folder === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  console.log(`${await takePictures(folder, words, values.locale ?? 'en-US')} pictures are in ${folder}.`);
}
