import type { Payment } from '../payments/payment.ts';
import { unionCountries } from '../places/union-countries.ts';

/**
 * Places that have their own country code but belong to a country of the area: Åland, the French overseas departments,
 * and Svalbard, where Norway's private law applies.
 */
const parts = ['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT', 'SJ'];

/**
 * Whether consumers of a country have a right of withdrawal, so the pay button must have the words of the law. They
 * have it in the European Economic Area (Directive 2011/83/EU) and the United Kingdom (SI 2013/3134). Jersey, Guernsey,
 * the Isle of Man and Monaco are not included, because they have their own laws.
 */
export const hasRightOfWithdrawal = (country: string): boolean =>
  unionCountries.has(country) || ['IS', 'LI', 'NO', 'GB', ...parts].includes(country);

/** The fields of a sale that decide whether its buyer is a consumer of the area. */
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
 * The country whose withdrawal period applies. It is the country of the buyer's address. If that is outside the area,
 * but the card or the IP address is inside it, the country inside applies, in favour of the buyer.
 */
export function consumerCountryOf({ billing, evidence }: Located): string {
  if (hasRightOfWithdrawal(billing.country)) return billing.country;
  const other = evidence.items.find(({ country }) => hasRightOfWithdrawal(country));
  return other?.country ?? billing.country;
}

/** Whether a payment is a sale to a consumer who has a right of withdrawal. */
export const isConsumerPayment = (payment: Pick<Payment, 'billing' | 'evidence' | 'taxId'>): boolean =>
  isConsumerSale({ country: consumerCountryOf(payment), taxId: payment.taxId });
