import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { mailsIn } from '../../support/shop/members.ts';
import { countingHand } from '../dashboard/counting-hand.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, chooseCard, colourFaults, euroBook, introduce, overflow, picture } from '../shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'withdrawal-walks-'));
const { shop, browsing } = openedShop({ MAIL_FOLDER: folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const phone = { width: 375, locale: 'de-DE' };
/** Mails are sent by workers. */
const patience = { timeout: 30_000 };

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
type Json = any;

/** A mail to the buyer that has all these words, once it is sent. */
async function mailWith(email: string, ...words: string[]): Promise<string> {
  const found = () =>
    mailsIn(folder).find(({ to, text }) => to.includes(email) && words.every((one) => text.includes(one)))?.text;
  await expect.poll(found, patience).toBeDefined();
  return found() ?? '';
}

/** The link below these words in the mail of the purchase. */
async function mailedLink(email: string, words: string): Promise<string> {
  const text = await mailWith(email, `${words}:\n`);
  return text.split(`${words}:\n`)[1]?.split(/\s/)[0] ?? '';
}

/** An e-book whose file is ready. */
async function eBook(): Promise<string> {
  const fields = { name: 'Das Buch', integration_type: 'digital_files', integration_config: { digital_file_ids: [] } };
  const { id: entitlement_id }: Json = await shop.api.post('/entitlements', fields);
  const bytes = Buffer.from('%PDF-1.7 an example');
  const checksum_sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { file_name: 'Buch.pdf', file_size: bytes.length, checksum_sha256 };
  const { upload }: Json = await shop.api.post(`/entitlements/${entitlement_id}/files`, file);
  await fetch(upload.url, { method: upload.method, headers: upload.headers, body: new Uint8Array(bytes) });
  const about = { name: 'Sternatlas', description: '210 Seiten.', tax_category: 'e_book' };
  const body = { ...about, price: { type: 'one_time_price', ...euroBook } };
  const product: Json = await shop.api.post('/products', { ...body, entitlements: [{ entitlement_id }] });
  return product.product_id;
}

/** A German consumer buys on a phone, with a mouse and a mail address. */
async function buys(page: Page, product: string, { email, waives }: { email: string; waives: boolean }) {
  const checkout = await shop.checkout([product]);
  await page.goto(`${checkout}?lang=de`);
  await introduce(page, { country: 'DE', email });
  await page.locator('.requests').waitFor();
  if (waives) await page.getByLabel(/Bereitstellung der digitalen Inhalte/).check();
  await chooseCard(page, '4242');
  await page.getByRole('button', { name: 'Zahlungspflichtig bestellen', exact: true }).click();
  await page.getByRole('heading', { name: 'Bezahlt' }).waitFor();
  return shop.payment(checkout);
}

/** What is wrong with a page for somebody: too wide, or a fault that axe finds, in light and in dark. */
async function faultsOf(page: Page): Promise<unknown[]> {
  const inLight = [await overflow(page), ...(await accessibilityFaults(page))].filter(Boolean);
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await colourFaults(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark];
}

/** The same page in German, in Arabic, and in German again. */
async function faultsInLanguages(page: Page, name: string): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const lang of ['ar', 'de']) {
    const address = new URL(page.url());
    address.searchParams.set('lang', lang);
    await page.goto(address.href);
    await picture(page, `${name}-${lang}`);
    faults.push(...(await faultsOf(page)));
  }
  return faults;
}

it('a German consumer withdraws with two clicks from the mail, and the merchant refunds with two', async () => {
  const email = 'ada@walk.example';
  const { page, complaints } = await browsing.visit(shop.url, phone);
  const { payment_id: id } = await buys(page, await shop.product(euroBook), { email, waives: false });

  const hand = countingHand();
  hand.done.clicks += 1; // on the link in the mail
  await page.goto(await mailedLink(email, 'Vertrag widerrufen'));
  expect(page.url()).not.toContain('secret');
  expect(await faultsInLanguages(page, 'withdraw-order')).toEqual([]);
  const before = mailsIn(folder).length;
  await hand.click(page.getByRole('button', { name: 'Widerruf bestätigen', exact: true }));
  await page.getByRole('heading', { name: 'Ihre Erklärung ist eingegangen' }).waitFor();
  expect(hand.done).toEqual({ clicks: 2, fields: 0 });
  const shown = await page.locator('main').innerText();
  expect(shown).toContain(id);
  const [moment = ''] = /\d{1,2}\. \S+ \d{4} um \d\d:\d\d:\d\d \S+/.exec(shown) ?? [];
  expect(moment).not.toBe('');
  await picture(page, 'withdraw-done-de');
  expect(await faultsOf(page)).toEqual([]);
  // the acknowledgement is sent with the answer, not by a worker that comes later
  expect(mailsIn(folder).length).toBeGreaterThan(before);
  expect(await mailWith(email, 'Widerrufserklärung', moment)).toContain(id);

  const member = await browsing.visit(`${shop.url}/dashboard/withdrawals`, { isSignedIn: true, width: 375 });
  await member.page.locator('tr', { hasText: id }).locator('a.leads').click();
  const merchant = countingHand();
  await merchant.click(member.page.locator('.asked summary', { hasText: 'Refund €19.99' }));
  await merchant.click(member.page.getByRole('button', { name: 'Refund €19.99' }));
  await member.page.getByText(/^Decided\./).waitFor();
  expect(merchant.done).toEqual({ clicks: 2, fields: 0 });
  const { refunds }: Json = await shop.api.get(`/payments/${id}`);
  expect(refunds).toMatchObject([{ amount: 1_999, status: 'succeeded' }]);
  await mailWith(email, 'Widerruf wurde angenommen', '19,99');
  await mailWith(email, 'Rechnungskorrektur');
  expect([...complaints, ...member.complaints]).toEqual([]);
});

it('the dashboard proposes to refuse a withdrawal from a waived, confirmed and downloaded e-book, and shows each proof', async () => {
  const email = 'bea@walk.example';
  const { page, complaints } = await browsing.visit(shop.url, phone);
  const { payment_id: id } = await buys(page, await eBook(), { email, waives: true });
  await page.goto(await mailedLink(email, 'Zu Ihrem Einkauf'));
  expect(await faultsInLanguages(page, 'order-waived')).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /Buch\.pdf/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Buch.pdf');

  await page.getByRole('link', { name: 'Vertragsbestätigung', exact: true }).click();
  await page.getByRole('heading', { name: /^Vertragsbestätigung/ }).waitFor();
  expect(await faultsInLanguages(page, 'confirmation')).toEqual([]);

  await page.goto(await mailedLink(email, 'Vertrag widerrufen'));
  await page.getByRole('button', { name: 'Widerruf bestätigen', exact: true }).click();
  await page.getByRole('heading', { name: 'Ihre Erklärung ist eingegangen' }).waitFor();

  const member = await browsing.visit(`${shop.url}/dashboard/withdrawals`, { isSignedIn: true, width: 375 });
  await member.page.locator('tr', { hasText: id }).locator('a.leads').click();
  await member.page.getByText('Refuse: the right was lost before the declaration').waitFor();
  await picture(member.page, 'withdrawal-refused');
  const { withdrawal, confirmation }: Json = await shop.api.get(`/payments/${id}`);
  const proposal = await member.page.locator('section', { hasText: 'Refuse: the right was lost' }).last().innerText();
  expect(proposal).toContain(withdrawal.consents[0].text);
  expect(confirmation.accepted_at).toBeTruthy();
  const facts = await member.page.locator('dl > div', { has: member.page.locator('dt') }).allInnerTexts();
  const fact = (label: RegExp) => facts.find((one) => label.test(one)) ?? '';
  for (const label of [/^Consent, word for word/, /^Confirmation accepted/, /^Supply begun/]) {
    expect(fact(label)).toMatch(/\d{4}/);
    expect(fact(label)).not.toContain('nothing proves it');
  }
  expect(await faultsOf(member.page)).toEqual([]);
  const { refunds }: Json = await shop.api.get(`/payments/${id}`);
  expect(refunds).toEqual([]);
  const elsewhere = complaints.filter((one) => !one.includes(new URL(download.url()).host)); // the file comes from the bucket
  expect([...elsewhere, ...member.complaints]).toEqual([]);
});

it.each(campaign(['de', 'ar'], ['de', 'ar'], ['ar']))(
  'the withdrawal form for guests and its second page fit a phone in %s, and axe finds no fault',
  async (lang) => {
    const { page } = await browsing.visit(`${shop.url}/withdraw?lang=${lang}`, phone);
    expect(await faultsOf(page)).toEqual([]);
    await picture(page, `withdraw-form-${lang}`);
    const typed = { name: 'Ada Lovelace', reference: 'Sternatlas, letzte Woche', email: 'cy@walk.example' };
    for (const [name, value] of Object.entries(typed)) await page.fill(`input[name=${name}]`, value);
    await page.locator('main button.pay').click();
    await page.locator('button[value=confirm]').waitFor();
    await picture(page, `withdraw-check-${lang}`);
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('button[value=confirm]').click();
    await page.getByRole('status').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  },
);
