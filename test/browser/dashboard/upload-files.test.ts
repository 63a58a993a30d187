import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, euroBook, overflow } from '../shop.ts';

const { shop, browsing } = openedShop();

/** The least that the bucket takes for a part that is not the last one. */
const partBytes = 5 * 1_024 ** 2;
/** Three parts. The browser reads them from a file: bytes that a test sends to it would take seconds. */
const filmBytes = 2 * partBytes + 7;
const folder = mkdtempSync(join(tmpdir(), 'films-'));
const film = join(folder, 'Film – 1.mp4');
writeFileSync(film, Buffer.alloc(filmBytes, 'film'));
afterAll(() => rmSync(folder, { recursive: true }));

interface ShownFile {
  filename: string;
  file_size: number;
}

/** The page of new files of a product, and what the API says that they are. */
async function filesPage(options: { locale?: string; width?: number; javaScript?: boolean } = {}) {
  const body = { name: 'Films', integration_type: 'digital_files', integration_config: {} };
  const { id } = (await shop.api.post('/entitlements', body)) as { id: string };
  const address = `${shop.url}/dashboard/products/${await shop.product(euroBook)}/entitlements/${id}`;
  const { page, complaints } = await browsing.visit(address, { isSignedIn: true, ...options });
  type Answer = { integration_config: { digital_files: { files: ShownFile[] } } };
  const read = async () =>
    ((await shop.api.get(`/entitlements/${id}`)) as Answer).integration_config.digital_files.files;
  return { page, complaints, read };
}

/** Chooses the film, to be sent in smaller parts than usual. */
async function choose(page: Page): Promise<void> {
  await page.evaluate(`document.getElementById('uploads').dataset.partBytes = ${partBytes}`);
  await page.setInputFiles('#new_files', film);
}
const isPart = (url: URL): boolean => url.searchParams.has('partNumber');

it('A large file is uploaded in parts, a failed part is sent again, and the file is then offered to buyers', async () => {
  const { page, complaints, read } = await filesPage();
  const sent: string[] = [];
  await page.route(isPart, (route: Route) => {
    const number = new URL(route.request().url()).searchParams.get('partNumber') ?? '';
    const isFirstTry = number === '2' && !sent.includes('2');
    sent.push(number);
    return isFirstTry ? route.abort('connectionreset') : route.continue();
  });
  await choose(page);
  await page.getByText('The files are there.').waitFor();
  expect(sent).toEqual(['1', '2', '2', '3']);
  expect(await read()).toMatchObject([{ filename: 'Film – 1.mp4', file_size: filmBytes }]);
  const foreign = complaints.filter((one) => !one.includes('partNumber') && !one.includes('CONNECTION_RESET'));
  expect(foreign).toEqual([]);
  await page.getByText('Change Film').click();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it('A merchant replaces a file in one step, and the new file takes the position of the old one', async () => {
  const { page, complaints, read } = await filesPage();
  const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  await page.setInputFiles('#new_files', [file('Atlas 1.txt'), file('Charts.txt')]);
  await page.getByText('The files are there.').waitFor();
  await page.getByText('Change Atlas 1').click();
  await page.getByLabel('Replace it with another file').first().setInputFiles(file('Atlas 2.txt'));
  await page.getByText('Atlas 1.txt').first().waitFor({ state: 'detached' });
  await page.getByText('The files are there.').waitFor();
  expect((await read()).map(({ filename }) => filename)).toEqual(['Atlas 2.txt', 'Charts.txt']);
  expect(complaints.filter((one) => !one.includes('partNumber'))).toEqual([]);
});

it('A merchant cancels an upload with one click, and no file is left behind', async () => {
  const { page, read } = await filesPage();
  await page.route(isPart, () => undefined);
  await choose(page);
  await page.getByRole('button', { name: 'Cancel: Film' }).click();
  await page.getByRole('status').filter({ hasText: 'Cancelled' }).waitFor();
  await page.reload();
  await page.getByText('There are no files yet.').waitFor();
  expect(await read()).toEqual([]);
});

it('A part whose connection stalls without breaking is sent again', async () => {
  const { page, read } = await filesPage();
  const sent: string[] = [];
  await page.clock.install();
  await page.route(isPart, (route: Route) => {
    sent.push(new URL(route.request().url()).searchParams.get('partNumber') ?? '');
    return sent.length === 1 ? undefined : route.continue(); // the first request is never answered
  });
  const first = page.waitForRequest((request) => isPart(new URL(request.url())));
  await choose(page);
  await first;
  await page.clock.runFor(60_000);
  await page.getByText('The files are there.').waitFor();
  expect(sent).toEqual(['1', '1', '2', '3']);
  expect(await read()).toHaveLength(1);
});

it('An upload stops when the connection is lost, and continues at the failed part when the merchant tries again', async () => {
  const { page, read } = await filesPage({ locale: 'de-DE', width: 320 });
  let isBroken = true;
  const sent: string[] = [];
  await page.clock.install();
  await page.route(isPart, (route: Route) => {
    if (isBroken) return route.abort('connectionreset');
    sent.push(new URL(route.request().url()).searchParams.get('partNumber') ?? '');
    return route.continue();
  });
  await choose(page);
  const again = page.getByRole('button', { name: 'Noch einmal versuchen' });
  while (!(await again.isVisible())) await page.clock.runFor(5_000);
  expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
  isBroken = false;
  await again.click();
  await page.getByText('Die Dateien sind da.').waitFor();
  expect(sent).toEqual(['1', '2', '3']);
  expect(await read()).toHaveLength(1);
});

it('Without JavaScript, the page says that sending files needs JavaScript', async () => {
  const { page } = await filesPage({ javaScript: false });
  expect(await page.getByText('Sending files needs JavaScript.').isVisible()).toBe(true);
  expect(await page.locator('#new_files').isVisible()).toBe(false);
});
