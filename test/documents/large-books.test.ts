import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { campaign } from '../support/seeded.ts';

/** With a heap that holds a fraction of these rows. */
const megabytes = 32;
const sales = campaign(100_000, 4_000);

it(`the check of the books reads ${sales} sales in ${megabytes} MB, and misses nothing of what is missing`, () => {
  const script = 'test/documents/fixtures/check-large-books.ts';
  const args = [`--max-old-space-size=${megabytes}`, script, String(sales), '777'];
  const said = JSON.parse(execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  const payment = (index: number) => `pay_${String(index).padStart(21, '0')}`;
  expect(said.sort()).toEqual([
    'INV-2026-000779 is missing in its series',
    'evt_778: its delivery to whk_1 is missing',
    `${payment(777)}: its document INV-2026-000777 is gone`,
    `${payment(779)}: its number INV-2026-000779 is gone from the series`,
  ]);
}, 400_000);
