import { expect, it } from 'vitest';
import { taxIdUrl } from '../../shared/wiring/selling.ts';
import { openedShop } from './opened-shop.ts';
import { showMail } from './pictures/mail-pictures.ts';
import { mailStates } from './pictures/mail-states.ts';
import { accessibilityFaults, colourFaults, euroBook, overflow } from './shop.ts';

const { shop, browsing } = openedShop();

const buyer = {
  customer: { email: 'ada@example.com', name: 'Ada Lovelace' },
  billing_address: { country: 'DE' },
  test_card: '4242',
};

async function paidInvoice(): Promise<string> {
  const checkout = await shop.checkout([await shop.product(euroBook)]);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${checkout}/pay`, { method: 'POST', headers, body: JSON.stringify(buyer) });
  const { payment_id: id } = (await answer.json()) as { payment_id: string };
  return taxIdUrl(id);
}

it('a buyer adds a tax id to an invoice on a phone, and axe finds no fault in light or dark colours', async () => {
  const address = await paidInvoice();
  const { page } = await browsing.visit(address, { width: 375 });
  expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect([await overflow(page), await colourFaults(page)]).toEqual([0, []]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.fill('#tax_id', 'DE136695977');
  await page.fill('#business_name', 'Beispiel');
  await page.click('button');
  await page.getByRole('alert').getByText('not a valid tax ID').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.fill('#tax_id', 'DE136695976');
  await page.click('button');
  await page.getByText('Your tax ID is confirmed.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it.each(['mail-invoice-en', 'mail-invoice-ar', 'mail-invitation-en'])(
  'the page %s fits a small phone, and axe finds no fault, without images and in dark colours too',
  async (name) => {
    const { page } = await browsing.visit(shop.url, { width: 320 });
    const state = mailStates.find((one) => one.name === name);
    if (!state) throw new Error(`There is no ${name}.`);
    for (const hasImages of [true, false]) {
      await showMail(page, state, { hasImages });
      expect([await overflow(page), await accessibilityFaults(page)]).toEqual([0, []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([await overflow(page), await colourFaults(page)]).toEqual([0, []]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  },
);

it('a merchant sees each mail in a frame of its full height that loads nothing and opens no links', async () => {
  const { page, complaints } = await browsing.visit(`${shop.url}/dashboard/mails?language=de`, {
    width: 375,
    isSignedIn: true,
  });
  const mail = page.frameLocator('iframe').first();
  const link = mail.getByRole('link', { name: 'Rechnung INV-' });
  await link.waitFor();
  const inside = await (await page.locator('iframe').first().elementHandle())?.contentFrame();
  expect(await inside?.evaluate('getComputedStyle(document.querySelector("a")).backgroundColor')).toBe(
    'rgb(11, 92, 88)',
  );
  const hidden = () =>
    inside?.evaluate('document.documentElement.scrollHeight - document.documentElement.clientHeight');
  expect(await hidden()).toBe(0);
  await page.setViewportSize({ width: 320, height: 900 });
  await expect.poll(hidden).toBe(0);
  await link.click();
  expect(complaints.filter((one) => !one.includes('Blocked opening'))).toEqual([]);
  expect([page.url(), await link.isVisible(), page.context().pages().length]).toEqual([
    expect.stringContaining('/mails'),
    true,
    1,
  ]);
  expect(await overflow(page)).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);
});

it('a merchant sees the mail with typed words in the frame as often as they press Preview, and then saves them', async () => {
  const { page, complaints } = await browsing.visit(`${shop.url}/dashboard/mails?edit=purchase&language=de`, {
    isSignedIn: true,
  });
  const mail = page.frameLocator('iframe');
  for (const [greeting, shown] of [
    ['Hallo {nome}', 'No mail can fill in {nome}'],
    ['Hallo {name},', 'Hallo Sample buyer,'],
    ['Servus {product}!', 'Servus Sample product'],
  ] as const) {
    await page.getByLabel('Greeting').fill(greeting);
    await page.getByRole('button', { name: 'Preview' }).click();
    await mail.getByText(shown).waitFor();
  }
  expect(await page.getByLabel('Greeting').inputValue()).toBe('Servus {product}!');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').waitFor();
  await mail.getByText('Servus').waitFor();
  expect(complaints.filter((one) => !one.includes('422'))).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
});
