import { expect, it } from 'vitest';
import { campaign } from '../../support/seeded.ts';
import { hearBank } from '../../support/shop/settle.ts';
import { buyByLink } from '../dashboard-merchant.ts';
import { openedShop } from '../opened-shop.ts';
import { accessibilityFaults, allMerchantScreens, colourFaults, euroBook, merchantScreens, overflow } from '../shop.ts';

const { shop, browsing } = openedShop();

const at = (path: string, options: object) =>
  browsing.visit(`${shop.url}/dashboard${path}`, { isSignedIn: true, ...options });

/** A sale with a dispute, and the paths of the pages on which the merchant meets it. */
async function pathsOfSale(): Promise<string[]> {
  const product = await shop.product(euroBook, { name: 'Handbook of the Birds of the Northern Forests' });
  const { page } = await browsing.visit(shop.url);
  const id = await buyByLink(page, `${shop.url}/buy/${product}`);
  const dispute = await hearBank(id, { url: 'https://bank.example/dispute', dueBy: '2030-01-01T00:00:00.000Z' });
  const lists = [
    '',
    '/keys',
    '/payments',
    '/payments?q=birds',
    '/payments?q=nobody',
    '/exports',
    '/returns',
    '/disputes',
    '/products',
  ];
  return [...lists, `/products/${product}`, `/payments/${id}`, `/disputes/${dispute}`, '/nowhere'];
}

it.each(campaign(allMerchantScreens, allMerchantScreens, [merchantScreens.french]))(
  'the merchant’s pages fit $width pixels in $locale, and axe finds no fault in light or dark',
  async (screen) => {
    const paths = await pathsOfSale();
    const { page, complaints } = await at('/members', screen);
    for (const path of paths) {
      await page.goto(`${shop.url}/dashboard${path}`);
      const noted = path === '/nowhere' ? [] : complaints;
      expect([path, await overflow(page), await accessibilityFaults(page), noted]).toEqual([path, 0, [], []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([path, await colourFaults(page)]).toEqual([path, []]);
      await page.emulateMedia({ colorScheme: 'light' });
    }
  },
);

it('a member is asked before leaving a product with changes, not after saving', async () => {
  const { page } = await at(`/products/${await shop.product(euroBook)}`, { width: 1_280 });
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.fill('#name', 'Field Guide, second edition');
  await page.goto(`${shop.url}/dashboard`);
  expect(asked).toEqual(['beforeunload']);
  await page.goBack();
  await page.fill('#name', 'Field Guide, third edition');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await page.goto(`${shop.url}/dashboard`);
  expect(asked).toEqual(['beforeunload']);
});

it('a member duplicates a product, and archives two at once', async () => {
  const first = await shop.product(euroBook, { name: 'Owls' });
  const { page } = await at(`/products/${first}`, { width: 1_280 });
  await page.getByRole('link', { name: 'Duplicate' }).click();
  expect(await page.inputValue('#name')).toBe('Owls (copy)');
  await page.getByRole('button', { name: 'Create the product' }).click();
  await page.getByText('Created.').waitFor();
  await page.goto(`${shop.url}/dashboard/products`);
  for (const name of ['Owls', 'Owls (copy)']) await page.getByLabel(`Tick ${name}`, { exact: true }).check();
  await page.locator('details summary', { hasText: 'Archive the ticked products' }).click();
  await page.getByRole('button', { name: 'Archive the ticked products' }).click();
  await page.getByText('Archived.').waitFor();
  expect(await page.getByRole('link', { name: /^Owls/ }).count()).toBe(0);
});
