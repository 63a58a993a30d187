import { describe, expect, it } from 'vitest';
import { receiptPage, receiptView } from '../../shared/checkout-page/views/receipt-page.ts';
import type { DisputeSummary } from '../../shared/domain/payments/payment.ts';
import { context, payment, session } from '../pages/builders.ts';
import { visibleText } from '../pages/markup.ts';

const of = session();
const { gross } = payment(of);
const orderUrl = 'https://pay.example/orders/pay_1?token=abc';

const read = (fields: Partial<ReturnType<typeof payment>>, url: string | null): string =>
  visibleText(receiptPage(receiptView({ ...context, mailsReceipts: true }, of, { ...payment(of), ...fields }, url)));

const disputed = (status: 'opened' | 'lost') => {
  const at = { stage: 'dispute', isRefundable: false, createdAt: '2026-03-02T00:00:00Z' } as const;
  const dispute: DisputeSummary = { id: 'dp_1', amount: gross, status, ...at };
  return { disputes: [dispute], disputed: gross };
};

describe('a receipt', () => {
  it.each([
    ['opened', 'Claimed back through your bank'],
    ['lost', 'Taken back by your bank'],
  ] as const)('says that a dispute is %s only in the browser of the buyer', (status, words) => {
    expect(read(disputed(status), orderUrl)).toContain(words);
    expect(read(disputed(status), null)).not.toMatch(/bank|back/i);
    expect(read(disputed(status), null)).toContain('Paid');
  });

  it('says in every browser that a payment was refunded', () => {
    for (const url of [orderUrl, null]) expect(read({ refunded: gross }, url)).toContain('Refunded');
  });

  it('of a free order says to its buyer only where the confirmation is sent', () => {
    const sent = 'The order confirmation is sent to ada@example.com.';
    expect(read({ gross: 0 }, orderUrl)).toContain(sent);
    expect(read({ gross: 0 }, null)).not.toContain('ada@example.com');
    expect(read({}, orderUrl)).toContain('The invoice is sent to ada@example.com.');
  });
});
