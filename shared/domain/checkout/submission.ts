import type { BuyingPlace } from '../discounts/buyer-uses.ts';
import type { BillingAddress } from './buyer.ts';
import type { GivenConsent } from './consent.ts';

/** What the buyer has filled in so far. */
export interface CheckoutDraft {
  amounts: ReadonlyMap<string, number>;
  /** Chosen quantities, by product; absent: those of the session. */
  quantities?: ReadonlyMap<string, number> | undefined;
  /** Null while the country is unknown. */
  billing: BillingAddress | null;
  taxId: string | null;
}

/** What the buyer sends from the page, or an integrator's test in their place. */
export interface Submission {
  /** Chosen amounts per unit, by product. */
  amounts: ReadonlyMap<string, number>;
  /** Chosen quantities, by product; absent: those of the session. */
  quantities?: ReadonlyMap<string, number> | undefined;
  email: string;
  name: string;
  billing: BillingAddress;
  taxId: string | null;
  businessName: string | null;
  /** The language of the page; null for a program that pays without one. */
  language: string | null;
  /** What the buyer has agreed to on the page; absent: it was not asked. */
  consents?: readonly GivenConsent[];
  card: string;
  /** The codes that the buyer has entered; absent: those that the session has. */
  codes?: readonly string[] | undefined;
  /** Where the network places the buyer, if the gateway says so. */
  ipCountry?: string | null;
  /** Where the buyer is, to count open payments by; absent: unknown. */
  place?: BuyingPlace;
  /** The total that the page showed. Another total is not charged; null: any total. */
  expectedTotal: number | null;
  /** The currency of that total; absent or null: any. */
  expectedCurrency?: string | null;
}
