import { createCipheriv, createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { mailsIn } from '../../support/shop/members.ts';
import { countingHand } from '../dashboard/counting-hand.ts';
import { buyByLink } from '../dashboard-merchant.ts';
import { type BrowserShop, euroBook, openBrowserShop, startBrowsing } from '../shop.ts';

/** A film of 300 MB with `npm run guards`, and of 3 MB in each run. */
const megabytes = campaign(300, 300, 3);
const megabyte = 1_024 ** 2;
/** Sending, downloading and reading 300 MB takes its time on a busy machine. */
const waitMs = 1_000 * Math.max(60, megabytes * 2);

const folder = mkdtempSync(join(tmpdir(), 'delivery-walk-'));
const mails = join(folder, 'mails');
let shop: BrowserShop;
let browsing: Awaited<ReturnType<typeof startBrowsing>>;
beforeAll(async () => {
  [shop, browsing] = await Promise.all([openBrowserShop({ MAIL_FOLDER: mails }), startBrowsing()]);
});
afterAll(async () => {
  await browsing?.stop();
  await shop?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Bytes that look random and are the same in each run, one megabyte at a time. */
function* noise(): Generator<Buffer> {
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16, 'film'), Buffer.alloc(16));
  for (let count = 0; count < megabytes; count += 1) yield cipher.update(Buffer.alloc(megabyte));
}

const film = join(folder, 'Film.mp4');

async function checksumOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const some of bytes) hash.update(some);
  return hash.digest('hex');
}

/** What a merchant does in the dashboard: a film for one product, codes for the other. */
async function deliverByDashboard(codes: string): Promise<{ clicks: number; fields: number; held: number }> {
  const { page } = await browsing.visit(`${shop.url}/dashboard`, { width: 1_280, isSignedIn: true });
  page.setDefaultTimeout(waitMs);
  /** Bytes of parts that the page held as it sent them: each of them would pass through this process as text. */
  let held = 0;
  page.on('request', (request) => {
    if (request.url().includes('partNumber')) held += request.postDataBuffer()?.length ?? 0;
  });
  const hand = countingHand();
  const openProduct = async (name: string) => {
    await hand.click(page.getByRole('link', { name: 'Products', exact: true }));
    await hand.click(page.getByRole('link', { name, exact: true }));
  };
  await openProduct('The Film');
  await hand.click(page.getByRole('link', { name: 'Add files' }));
  await hand.click(page.getByRole('button', { name: 'Continue to the files' }));
  await hand.chooseFile(page.locator('#new_files'), film);
  const stuck = page.locator('#uploads').locator('[data-failed], [data-again]:not([hidden])');
  const sent = page.getByText('The files are there.');
  await sent.or(stuck).first().waitFor({ timeout: waitMs });
  if (await stuck.isVisible()) throw new Error(`The upload failed: ${await page.locator('#uploads').innerText()}`);
  await openProduct('The Game');
  await hand.click(page.getByRole('link', { name: 'Add codes' }));
  await hand.click(page.getByRole('button', { name: 'Continue to the codes' }));
  await hand.fill(page.locator('#codes'), codes);
  await hand.click(page.getByRole('button', { name: 'Add codes' }));
  await page.getByText('codes were added.').waitFor();
  return { ...hand.done, held };
}

/** The link in the mail of a purchase, once it is sent. */
async function mailedLink(paymentId: string): Promise<string> {
  const link = () =>
    mailsIn(mails)
      .flatMap(({ text }) => text.match(/https?:\S+\/orders\/\S+/g) ?? [])
      .find((address) => address.includes(paymentId));
  await expect.poll(link, { timeout: 30_000 }).toBeDefined();
  return link() ?? '';
}

/** Presses the button of a file. Returns where the browser fetched it, and its checksum there. */
async function download(page: Page): Promise<{ address: string; checksum: string }> {
  const [begun] = await Promise.all([
    page.waitForEvent('download', { timeout: waitMs }),
    page.getByRole('button', { name: 'Download Film.mp4' }).click(),
  ]);
  expect(begun.suggestedFilename()).toBe('Film.mp4');
  return { address: begun.url(), checksum: await checksumOf(createReadStream(await begun.path())) };
}

/** Fetches a file whose connection breaks after the first half, and goes on where it broke. */
async function brokenDownload(address: string): Promise<{ statuses: number[]; checksum: string; had: number }> {
  const breaking = new AbortController();
  const first = await fetch(address, { signal: breaking.signal });
  const hash = createHash('sha256');
  let had = 0;
  for await (const some of first.body ?? []) {
    hash.update(some);
    had += some.length;
    if (had >= (megabytes * megabyte) / 2) break;
  }
  breaking.abort();
  const rest = await fetch(address, {
    headers: { range: `bytes=${had}-`, 'if-range': first.headers.get('etag') ?? '' },
  });
  for await (const some of rest.body ?? []) hash.update(some);
  return { statuses: [first.status, rest.status], checksum: hash.digest('hex'), had };
}

/** Presses the button of the film once more, as it stands on this page. Returns what is answered. */
async function buttonOf(page: Page): Promise<() => Promise<number>> {
  const form = page.locator('.files form');
  const action = new URL((await form.getAttribute('action')) ?? '', page.url());
  const token = await form.locator('input[name=token]').inputValue();
  const press = { method: 'POST', body: new URLSearchParams({ token }), redirect: 'manual' } as const;
  return async () => (await fetch(action, press)).status;
}

it(
  'A buyer of two products gets in another browser what the merchant added to them, until the refund',
  async () => {
    await pipeline(Readable.from(noise()), createWriteStream(film));
    const checksum = await checksumOf(createReadStream(film));
    const products = [
      await shop.product(euroBook, { name: 'The Film' }),
      await shop.product(euroBook, { name: 'The Game' }),
    ];
    const done = await deliverByDashboard('GAME-AAAA\nGAME-BBBB\nGAME-CCCC');
    expect(done).toEqual({ clicks: 11, fields: 1, held: 0 });

    const { page: phone } = await browsing.visit(shop.url, { width: 390 });
    const paid: string[] = [];
    for (const id of products) paid.push(await buyByLink(phone, `${shop.url}/buy/${id}`));
    const [filmPayment = '', gamePayment = ''] = paid;

    const { page } = await browsing.visit(await mailedLink(filmPayment), { width: 390 });
    expect(page.url()).not.toContain('secret');
    const fetched = await download(page);
    expect(fetched.checksum).toBe(checksum);
    const broken = await brokenDownload(fetched.address);
    expect(broken).toMatchObject({ statuses: [200, 206], checksum });
    expect(broken.had).toBeLessThan(megabytes * megabyte);
    expect(Number(new URL(fetched.address).searchParams.get('X-Amz-Expires'))).toBeGreaterThanOrEqual(3_600);
    const press = await buttonOf(page);
    expect(await press()).toBe(303);

    await page.goto(await mailedLink(gamePayment));
    expect(await page.locator('code.key').innerText()).toMatch(/^GAME-(AAAA|BBBB|CCCC)$/);

    for (const payment_id of paid) await shop.api.post('/refunds', { payment_id });
    for (const id of paid) {
      await page.goto(await mailedLink(id));
      await page.getByText('no longer available').waitFor();
      expect([await page.locator('.files button').count(), await page.locator('code.key').count()]).toEqual([0, 0]);
    }
    expect(await press()).toBe(403);
  },
  3 * waitMs,
);
