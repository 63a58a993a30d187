import { expect, it } from 'vitest';
import { runSale } from './sale.ts';

it('A rush of 160 buyers a second for a code with a limit ends with the truth for every buyer, an invoice within two minutes, and a mail each at the rate of a slow mail service', async () => {
  const { violations, figures, lines } = await runSale({
    seconds: 1,
    rate: 160,
    seed: 3,
    workers: 10,
    mailsPerSecond: 1,
  });
  console.log(lines.slice(-6).join('\n'));
  expect(violations).toEqual([]);
  expect(figures.invoices).toBeGreaterThan(50);
  expect(figures.lastInvoiceLateMs).toBeLessThan(120_000);
  expect(figures.sentAgain).toBeLessThan(3 * figures.invoices);
});
