import { DomainError } from '../errors.ts';
import type { BillingAddress } from './buyer.ts';
import type { Quote } from './quote.ts';

const parts = ['street', 'city'] as const;

/**
 * Refuses a reverse charge without the buyer's address. The invoice must show it (VAT Directive, art. 226(5)),
 * because the buyer owes the tax.
 */
export function assertInvoiceAddress({ lines }: Pick<Quote, 'lines'>, billing: BillingAddress): void {
  if (!lines.some(({ components }) => components.some(({ reason }) => reason === 'reverse_charge'))) return;
  const faults = parts
    .filter((part) => !billing[part]?.trim())
    .map((part) => ({
      path: `billing_address.${part}`,
      message: `The ${part} is required, because an invoice with reverse charge must show the buyer's address.`,
    }));
  const [first] = faults;
  if (first) throw new DomainError('INVALID_REQUEST_PARAMETERS', first.message, { faults });
}
