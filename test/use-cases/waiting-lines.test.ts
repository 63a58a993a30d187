import { describe, expect, it } from 'vitest';
import type { Payment, PaymentLine } from '../../shared/domain/payments/payment.ts';
import { waitingLines } from '../../shared/use-cases/withdrawal/load-waiting.ts';
import { payment as paymentOf, session } from '../pages/builders.ts';

const template = paymentOf(session());
const paidAt = '2026-03-02T10:00:00.000Z';
const consent = { kind: 'immediate_supply' as const, language: 'en', text: 'At once.', lines: [0], at: paidAt };
const taxId = { id: 'DE136695976', country: 'DE', status: 'valid' as const, formatName: 'EU VAT', checkedAt: paidAt };

interface Sale {
  fields?: Partial<Payment>;
  taxCategory?: PaymentLine['taxCategory'];
  isMailed?: boolean;
  /** The seconds since the payment, and those after which the grant was issued. */
  now?: number;
  issued?: number;
}

const after = (seconds: number) => new Date(Date.parse(paidAt) + seconds * 1_000);

/** Whether the line of a sale waits, and how often that reads the row of its mail. */
async function waits({ fields, taxCategory = 'e_book', isMailed = true, now = 1, issued = 0 }: Sale) {
  let reads = 0;
  const notes = async () => {
    reads += 1;
    return [];
  };
  const line = { ...(template.lines[0] as PaymentLine), taxCategory };
  const times = { createdAt: paidAt, updatedAt: paidAt };
  const payment = { ...template, ...times, lines: [line], taxId: null, supplyConsents: [consent], ...fields };
  const grant = { line: 0, createdAt: after(issued).toISOString() };
  const lines = await waitingLines({ mails: { notes }, isMailed, now: () => after(now) }, payment, [grant]);
  return { waits: lines.has(0), reads };
}

describe('the goods of a line with a waived right of withdrawal', () => {
  it.each<[string, Sale]>([
    ['at once after the payment', {}],
    ['until a minute after the payment', { now: 59.999 }],
    [
      'until a minute after a payment that took long',
      { now: 300, issued: 290, fields: { updatedAt: after(280).toISOString() } },
    ],
  ])('wait %s, which is found with one read', async (_, sale) =>
    expect(await waits(sale)).toEqual({ waits: true, reads: 1 }),
  );

  it.each<[string, Sale]>([
    ['without the buyer’s request', { fields: { supplyConsents: [] } }],
    ['with a request about another line', { fields: { supplyConsents: [{ ...consent, lines: [1] }] } }],
    ['of a service', { taxCategory: 'saas' }],
    ['of a confirmed business', { fields: { taxId } }],
    ['where no mail is sent', { isMailed: false }],
    ['after a minute', { now: 60 }],
    ['after a minute, also if the page was opened first then', { now: 61, issued: 61 }],
  ])('do not wait %s, which is found without a read', async (_, sale) =>
    expect(await waits(sale)).toEqual({ waits: false, reads: 0 }),
  );
});
