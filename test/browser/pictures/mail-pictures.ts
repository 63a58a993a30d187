import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { logo, logoUrl, type MailState, mailStates } from './mail-states.ts';
import { asHighAsItsPage, schemes } from './picture-frames.ts';

/** How wide the column of a mail is on a small phone and on a desktop. */
const mailWidths = [320, 600];

/** Shows a mail, with the brand's logo or as programs do that load no pictures. */
export async function showMail(page: Page, { mail }: MailState, { hasImages }: { hasImages: boolean }): Promise<void> {
  await page.goto('about:blank');
  await page.route('**/*', (route) =>
    hasImages && route.request().url() === logoUrl
      ? route.fulfill({ body: logo, contentType: 'image/svg+xml' })
      : route.abort(),
  );
  await page.setContent((await mail()).html);
}

/** Takes a picture of each mail in each width and colour scheme, with and without its images. */
export async function takeMailPictures(browser: Browser, folder: string, words: readonly string[]): Promise<number> {
  const chosen = mailStates.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  let count = 0;
  for (const state of chosen)
    for (const hasImages of [true, false]) {
      const page = await browser.newPage({ reducedMotion: 'reduce' });
      await showMail(page, state, { hasImages });
      if (!hasImages && (await page.locator('img').count()) === 0) continue;
      for (const width of mailWidths)
        for (const colorScheme of schemes) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await asHighAsItsPage(page, width);
          const file = `${state.name}${hasImages ? '' : '-no-images'}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: join(folder, file) });
          count += 1;
        }
      await page.close();
    }
  return count;
}
