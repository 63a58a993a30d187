import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { campaign } from '../support/seeded.ts';

/** A heap that is too small for the rows: holding them all ends the process. */
const megabytes = 56;
const sales = campaign(100_000, 600);
/** Fewer sales have longer notes: together they are too large for the heap in any case. */
const noteBytes = campaign(16_000, 80_000);

it(`the audit reads ${sales} sales within ${megabytes} MB of memory and finds each missing document and number`, () => {
  const script = 'test/documents/fixtures/check-large-books.ts';
  const args = [`--max-old-space-size=${megabytes}`, script, String(sales), '333', String(noteBytes)];
  const said = JSON.parse(execFileSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  const payment = (index: number) => `pay_${String(index).padStart(21, '0')}`;
  expect(said.sort()).toEqual([
    'INV-2026-000335 is missing from its series',
    'evt_334: its delivery to whk_1 is missing',
    `${payment(333)}: its document INV-2026-000333 is missing`,
    `${payment(335)}: its number INV-2026-000335 is missing from the series`,
  ]);
}, 400_000);
