import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { campaign } from '../support/seeded.ts';

/** A heap that is too small for the rows: holding them all ends the process. */
const megabytes = 56;
const sales = campaign(100_000, 2_000);

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
