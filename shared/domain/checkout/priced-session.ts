import type { Calculation } from '../payments/payment.ts';
import type { TaxIdCheck } from './buyer.ts';
import type { CheckoutSession } from './checkout-session.ts';
import type { Quote } from './quote.ts';

export interface PricedSession {
  quote: Quote;
  calculation: Calculation;
}

export interface CheckoutPreview {
  session: CheckoutSession;
  country: string;
  priced: PricedSession;
  taxId: TaxIdCheck | null;
  /** Why the tax id was refused; the price is then a consumer's. */
  taxIdFault: string | null;
}
