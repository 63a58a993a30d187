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
  /**
   * The sale of a small seller to another member state, which counts towards the limit of its year. Absent for other
   * sales.
   */
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
  /** Why the tax id was refused; null if it was not. With a refused id, the price is that of a consumer. */
  taxIdFault: string | null;
}
