import { beforeEach, describe, expect, it } from 'vitest';
import type { PolicyChange } from '../../shared/domain/catalogue/policies.ts';
import { publishPolicies } from '../../shared/use-cases/catalogue/publish-policies.ts';
import { brands, now, policyLanguage } from '../../shared/wiring/runtime.ts';
import { signIn } from './dashboard-merchant.ts';
import { openedShop } from './opened-shop.ts';
import { accessibilityFaults, euroBook, overflow } from './shop.ts';

const { shop, browsing } = openedShop();

const footer = async (javaScript = true) => {
  const url = await shop.checkout([await shop.product(euroBook)]);
  const { page } = await browsing.visit(`${url}?lang=en`, { width: 375, javaScript });
  return page;
};

const links = async () => (await footer()).locator('.policies a').allTextContents();

/** Opens the form of one text. */
const formOf = (kind: string, language: string) =>
  browsing.visit(`${shop.url}/dashboard/brands/policies?kind=${kind}&language=${language}`, { isSignedIn: true });

/** Publishes texts as the form does, without a browser. */
const publish = (...changes: PolicyChange[]) =>
  publishPolicies({ brands: brands(), policyLanguage: policyLanguage(), now }, changes, () => []);

async function publishByForm(kind: string, language: string, text: string): Promise<void> {
  const { page } = await formOf(kind, language);
  await page.fill('#text', text);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
}

const kinds = ['terms', 'privacy', 'imprint'] as const;
const noTexts = kinds.flatMap((kind) => ['en', 'de', 'fr'].map((language) => ({ kind, language, text: '' })));

beforeEach(() => publish(...noTexts));

it('a checkout shows no policy links if the merchant has written no text', async () => {
  expect(await links()).toEqual([]);
  expect((await fetch(`${shop.url}/policies/terms`)).status).toBe(404);
  expect((await fetch(`${shop.url}/policies/constructor`)).status).toBe(404);
  expect((await fetch(`${shop.url}/policies/terms/constructor`)).status).toBe(404);
});

it.each([true, false])(
  'a merchant previews and publishes a text, and every checkout links to it (JavaScript on: %s)',
  async (javaScript) => {
    const { page, complaints } = await browsing.visit(`${shop.url}/dashboard/brands`, { javaScript, width: 375 });
    await signIn(page);
    await page.getByRole('link', { name: 'Edit the texts' }).click();
    await page.selectOption('#kind', 'terms');
    await page.selectOption('#text-language', 'fr');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Terms · French').first().waitFor();
    if (javaScript) expect(await accessibilityFaults(page)).toEqual([]);
    await page.fill('#text', 'First line.\n\n<b>Second</b> line.');
    await page.getByRole('button', { name: 'Preview' }).click();
    expect(await page.locator('.policy').innerText()).toBe('First line.\n\n<b>Second</b> line.');
    expect(await links()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.inputValue('#text')).toBe('First line.\n\n<b>Second</b> line.');
    if (javaScript) expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
    const buyer = await footer(javaScript);
    expect(await buyer.locator('.policies a').allTextContents()).toEqual(['Terms']);
    const [shown] = await Promise.all([
      buyer.waitForEvent('popup'),
      buyer.getByRole('link', { name: 'Terms' }).click(),
    ]);
    await shown.getByRole('heading', { name: 'Terms' }).waitFor();
    expect(await shown.locator('.policy').innerText()).toBe('First line.\n\n<b>Second</b> line.');
    expect(await shown.locator('.policy').getAttribute('lang')).toBe('fr');
    expect(await shown.textContent('main')).toContain('This text is in French.');
    expect(await shown.locator('.policy b').count()).toBe(0);
    if (javaScript) expect([await accessibilityFaults(shown), await overflow(shown)]).toEqual([[], 0]);
    expect(complaints).toEqual([]);
  },
);

describe('a text in several versions', () => {
  beforeEach(async () => {
    await publish({ kind: 'terms', language: 'en', text: 'The first terms.' });
    await publish({ kind: 'terms', language: 'en', text: 'The second terms.' });
  });

  it('is shown as it is now, and each earlier version has an address that does not change', async () => {
    const { page } = await formOf('terms', 'en');
    const versions = page.locator('[aria-labelledby="history-title"] a');
    const hrefs = await versions.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const addresses = hrefs.map((href) => `${shop.url}${href}`);
    const shown = await Promise.all(addresses.map(async (address) => (await fetch(address)).text()));
    expect(shown[0]).toContain('The second terms.');
    expect(shown[1]).toContain('The first terms.');
    expect(shown[1]).toContain('It never changes.');
    expect(await (await fetch(`${shop.url}/policies/terms?lang=en`)).text()).toContain('The second terms.');
    await publish({ kind: 'terms', language: 'en', text: '' });
    expect((await fetch(`${shop.url}/policies/terms?lang=en`)).status).toBe(404);
    expect(await (await fetch(addresses[1] ?? '')).text()).toContain('The first terms.');
    const other = (addresses[1] ?? '').replace('/terms/', '/privacy/');
    expect((await fetch(other)).status).toBe(404);
  });

  it('loses its link when it is cleared, and the audit log shows the change', async () => {
    expect(await links()).toEqual(['Terms']);
    await publishByForm('terms', 'en', '');
    expect(await links()).toEqual([]);
    const { page } = await browsing.visit(`${shop.url}/dashboard/audit-log`, { isSignedIn: true });
    expect(await page.textContent('main')).toContain('texts changed policies');
    expect(await page.textContent('main')).toContain('terms (en)');
  });

  it('keeps its link when the merchant saves the brand', async () => {
    const { items } = (await shop.api.get('/brands')) as { items: { brand_id: string }[] };
    const { page } = await browsing.visit(`${shop.url}/dashboard/brands/${items[0]?.brand_id}`, {
      isSignedIn: true,
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await links()).toEqual(['Terms']);
  });
});

it('a text that contains a card number is refused with an error at its field, and the entry stays', async () => {
  const { page } = await formOf('privacy', 'de');
  await page.fill('#text', 'We know 4242 4242 4242 4242.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Please check:').waitFor();
  expect(await page.inputValue('#text')).toBe('We know 4242 4242 4242 4242.');
  expect(await page.locator('#text-fault').textContent()).not.toBe('');
});

it('a text that links to the EU’s closed dispute platform is published with a warning', async () => {
  await publishByForm('terms', 'de', 'Streit: https://ec.europa.eu/consumers/odr');
  const { page } = await formOf('terms', 'de');
  expect(await page.locator('.note.wait').textContent()).toContain('closed on 20 July 2025');
});

it('a merchant turns off consumers’ rights on one page, and the audit log records it', async () => {
  const { page } = await browsing.visit(`${shop.url}/dashboard/brands/rights`, { isSignedIn: true, width: 375 });
  expect(await page.isChecked('#offer_on')).toBe(true);
  expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
  await page.check('#offer_off');
  await page.check('#refundsByItself');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect([await page.isChecked('#offer_off'), await page.isChecked('#refundsByItself')]).toEqual([true, true]);
  await page.goto(`${shop.url}/dashboard/audit-log`);
  expect(await page.textContent('main')).toContain('consumers’ rights set withdrawal');
});

it('a form creates the imprint in each chosen language, and shows the entries again', async () => {
  const { page } = await browsing.visit(`${shop.url}/dashboard/brands/policies?kind=imprint`, {
    isSignedIn: true,
    width: 375,
  });
  await page.getByRole('link', { name: 'Fill in a form instead' }).click();
  await page.locator('#represented').waitFor();
  expect([await accessibilityFaults(page), await overflow(page)]).toEqual([[], 0]);
  await page.fill('#phone', '');
  await page.fill('#represented', 'Ada Lovelace');
  await page.check('#arbitration_yes');
  await page.check('#language_fr');
  await page.check('#language_de');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Please check:').waitFor();
  expect(await page.locator('#phone-fault').textContent()).not.toBe('');
  await page.fill('#phone', '+49 30 1234567');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Please check:').waitFor();
  expect(await page.locator('#board-fault').textContent()).not.toBe('');
  await page.check('#arbitration_no');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Saved.').waitFor();
  const shown = async (language: string) => (await fetch(`${shop.url}/policies/imprint?lang=${language}`)).text();
  expect(await shown('de')).toContain('Vertreten durch: Ada Lovelace');
  expect(await shown('fr')).toContain('Représenté par : Ada Lovelace');
  expect(await shown('de')).toContain('Telefon: +49 30 1234567');
  await page.goto(`${shop.url}/dashboard/brands/imprint`);
  expect(await page.inputValue('#represented')).toBe('Ada Lovelace');
  expect([await page.isChecked('#language_fr'), await page.isChecked('#language_pl')]).toEqual([true, false]);
});
