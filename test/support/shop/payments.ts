import { type QuoteLine, quote } from '../../../shared/domain/checkout/quote.ts';
import type { TaxComponent, TaxTreatment } from '../../../shared/domain/checkout/tax.ts';
import { createPayment } from '../../../shared/domain/payments/charge.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import type { RefundRequest } from '../../../shared/domain/payments/refund-portions.ts';
import { aSession } from './sessions.ts';

/** Creates a tax component with this rate: `vat('0.19')`. */
export const vat = (rate: string, name = 'VAT', baseFraction = '1'): TaxComponent => ({
  name,
  jurisdiction: 'DE',
  rate,
  baseFraction,
  reason: null,
});

export const treatment = (...components: TaxComponent[]): TaxTreatment => ({ components, warnings: [] });

export interface SoldLine {
  unitAmount: number;
  quantity?: number;
  taxInclusive?: boolean;
  rates?: readonly string[];
  /** The taxable fraction of the net amount for each rate, if a tax does not apply to all of it. */
  baseFractions?: readonly string[];
  discount?: number | undefined;
}

export const quoteLine = ({
  unitAmount,
  quantity = 1,
  taxInclusive = true,
  rates = ['0.19'],
  baseFractions = [],
  discount,
}: SoldLine): QuoteLine => ({
  unitAmount,
  ...(discount === undefined ? {} : { discount }),
  quantity,
  taxInclusive,
  treatment: treatment(...rates.map((rate, index) => vat(rate, `VAT ${index + 1}`, baseFractions[index]))),
});

/** A succeeded payment with these lines. Their products are `pdt_0`, `pdt_1`, … */
export function aPayment(lines: readonly SoldLine[], currency = 'EUR'): Payment {
  const session = aSession(lines, currency);
  const outcome = { status: 'succeeded' as const, card: null, errorCode: null, errorMessage: null };
  return createPayment(
    {
      session,
      quote: quote(lines.map(quoteLine)),
      customer: { id: 'cus_1', email: 'buyer@example.com', name: 'A Buyer', phone: null },
      billing: { country: 'DE', state: null, city: null, street: null, zipcode: null },
      taxId: null,
      businessName: null,
      language: null,
      calculation: {
        taxDate: '2026-03-01',
        tableVersion: 'test',
        country: 'DE',
        region: null,
        postalCode: null,
        rows: [],
        registrations: [],
        warnings: [],
      },
      evidence: { items: [], status: 'one_only' },
    },
    outcome,
    { id: 'pay_1', now: '2026-03-01T12:00:00.000Z', processor: 'sandbox', documentSecret: 'doc_000000000000000000001' },
  );
}

/** The default of `POST /refunds`: a refund of everything that is left. */
export const refundOf = (asked: Partial<RefundRequest> = {}): RefundRequest => ({
  paymentId: 'pay_1',
  type: 'money',
  ...(asked.type === 'tax' && { taxReason: 'exempt' as const }),
  expectedRefundable: null,
  amount: null,
  currency: null,
  items: null,
  taxInclusive: true,
  reason: null,
  publicReason: null,
  metadata: {},
  ...asked,
});
