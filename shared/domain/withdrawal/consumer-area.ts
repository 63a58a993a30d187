import type { Payment } from '../payments/payment.ts';
import { unionCountries } from '../places/union-countries.ts';

/**
 * Places with a code of their own that are parts of a country of the area: Åland, the French overseas departments, and
 * Svalbard, where Norway's private law applies.
 */
const parts = ['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT', 'SJ'];

/**
 * Whether consumers of a country have a right of withdrawal, and the pay button needs the words of the law: in the
 * European Economic Area (Directive 2011/83/EU) and the United Kingdom (SI 2013/3134). Not in Jersey, Guernsey, the
 * Isle of Man and Monaco, which have laws of their own.
 */
export const hasRightOfWithdrawal = (country: string): boolean =>
  unionCountries.has(country) || ['IS', 'LI', 'NO', 'GB', ...parts].includes(country);

/** The parts of a sale that say whether its buyer is a consumer of the area. */
export interface SaleToConsumer {
  country: string;
  taxId: Pick<NonNullable<Payment['taxId']>, 'status'> | null;
}

/** Whether a register has confirmed that the buyer is a business. Without that, every buyer counts as a consumer. */
export const isConfirmedBusiness = ({ taxId }: Pick<SaleToConsumer, 'taxId'>): boolean => taxId?.status === 'valid';

/** Whether a sale is to a consumer who has a right of withdrawal. */
export const isConsumerSale = (sale: SaleToConsumer): boolean =>
  hasRightOfWithdrawal(sale.country) && !isConfirmedBusiness(sale);

type Located = Pick<Payment, 'evidence'> & { billing: Pick<Payment['billing'], 'country'> };

/**
 * The country whose period counts: that of the buyer's address. If the address is outside of the area, but the card or
 * the network is inside it, the buyer gets the benefit of the doubt.
 */
export function consumerCountryOf({ billing, evidence }: Located): string {
  if (hasRightOfWithdrawal(billing.country)) return billing.country;
  const other = evidence.items.find(({ country }) => hasRightOfWithdrawal(country));
  return other?.country ?? billing.country;
}

/** The same for a payment. */
export const isConsumerPayment = (payment: Pick<Payment, 'billing' | 'evidence' | 'taxId'>): boolean =>
  isConsumerSale({ country: consumerCountryOf(payment), taxId: payment.taxId });
