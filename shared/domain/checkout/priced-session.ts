import type { DomainError } from '../errors.ts';
import type { Calculation } from '../payments/payment.ts';
import type { TaxIdCheck } from './buyer.ts';
import type { CheckoutSession } from './checkout-session.ts';
import type { Quote } from './quote.ts';

export interface PricedSession {
  quote: Quote;
  /** How much each code of the session takes off, in the order of the codes; 0 if a code is not redeemed. */
  taken: number[];
  calculation: Calculation;
  /** A small seller's sale to another member state, for the count of its year; absent for other sales. */
  homeSale?: { year: string; amount: number } | undefined;
}

export interface CheckoutPreview {
  session: CheckoutSession;
  country: string;
  priced: PricedSession;
  /** The price without any code. */
  plain: PricedSession;
  /** The codes that cannot be used, and why. */
  refusedCodes: { code: string; problem: DomainError }[];
  taxId: TaxIdCheck | null;
  /** Why the tax id was refused; the price is then that of a consumer. */
  taxIdFault: string | null;
}
