import type { Page } from 'playwright-core';
import { localKey } from '../../infra/local/local-key.ts';
import { introduce, picture } from './shop.ts';

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, key: string = localKey): Promise<void> {
  await page.fill('#key', key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Buys what a product's public link leads to, in Germany; answers with the payment's id. */
export async function buyByLink(page: Page, link: string, amount?: string): Promise<string> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Checkout' }).click();
  await page.waitForURL(/\/checkout\//);
  if (amount !== undefined) await page.fill('#amount-0', amount);
  await introduce(page, { country: 'DE' });
  await page.getByText('VAT').first().waitFor();
  await page.click('#pay');
  await page.getByRole('heading', { name: 'Paid' }).waitFor();
  return (await page.locator('code').filter({ hasText: 'pay_' }).textContent()) ?? '';
}

/** What the live example of the product form says: `['Net €18.68', …]`. */
export const sumsIn = async (page: Page, selector: string): Promise<string[]> => {
  const rows: string[] = await page.evaluate(
    `[...document.querySelectorAll('${selector} .sums > div')].map((row) => [...row.children].map((cell) => cell.textContent).join(' '))`,
  );
  return rows.map((row) => row.replaceAll(/[\u00A0\u202F]/g, ' ').trim());
};

/** The rows of a CSV as objects; quotes and commas inside them are understood. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header = [], ...rows] = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].slice(0, -1).map(([, cell = '']) => unquoted(cell)),
    );
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

const unquoted = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

/** `19.99` → 1999, by its digits. */
export const cents = (decimal: string): number => Number(decimal.replace('.', ''));

export const sumOfColumn = (rows: Record<string, string>[], column: string): number =>
  rows.reduce((total, row) => total + cents(row[column] ?? '0'), 0);

/** A picture from the top, as one sees the page who has just opened it. */
export async function portrait(page: Page, name: string): Promise<void> {
  await page.evaluate('scrollTo(0, 0)');
  await picture(page, name);
}
