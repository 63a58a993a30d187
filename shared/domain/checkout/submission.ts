import type { BuyingPlace } from '../discounts/buyer-uses.ts';
import type { BillingAddress } from './buyer.ts';
import type { GivenConsent, GivenSupplyConsent } from './consent.ts';

/** What the buyer has filled in so far. */
export interface CheckoutDraft {
  amounts: ReadonlyMap<string, number>;
  /** The chosen quantities by product. If absent, those of the session apply. */
  quantities?: ReadonlyMap<string, number> | undefined;
  /** The address; null while the country is unknown. */
  billing: BillingAddress | null;
  taxId: string | null;
}

/** The buyer's input from the page, or from an integrator's test in place of a buyer. */
export interface Submission {
  /** Chosen amounts per unit, by product. */
  amounts: ReadonlyMap<string, number>;
  /** The chosen quantities by product. If absent, those of the session apply. */
  quantities?: ReadonlyMap<string, number> | undefined;
  email: string;
  name: string;
  billing: BillingAddress;
  taxId: string | null;
  businessName: string | null;
  /** The language of the page; null for a program that pays without one. */
  language: string | null;
  /** The consents that the buyer gave on the page; absent if none were requested. */
  consents?: readonly GivenConsent[];
  /** The buyer's requests to begin the supply early, on the page or through an integrator. Absent if there are none. */
  supplyConsents?: readonly Omit<GivenSupplyConsent, 'lines'>[] | undefined;
  /** The label that the Pay button showed, as the payment stores it; absent if no page showed one. */
  payLabel?: string | undefined;
  /** A digest of the press on Pay, which is the same if the page repeats its request; absent without a script. */
  press?: string | undefined;
  /** The versions of the merchant's texts that apply to the buyer, by kind; absent if there are none. */
  policies?: Readonly<Record<string, string>> | undefined;
  /** The brand's text after the merchant's name on card statements; absent or null if there is none. */
  statementSuffix?: string | null | undefined;
  card: string;
  /** The codes that the buyer has entered. If absent, those of the session apply. */
  codes?: readonly string[] | undefined;
  /** The buyer's country according to the IP address, if the gateway reports it. */
  ipCountry?: string | null;
  /** The buyer's browser and network, to count open payments; absent if unknown. */
  place?: BuyingPlace;
  /** The total that the page showed. Any other total is refused; null accepts every total. */
  expectedTotal: number | null;
  /** The total that the buyer has typed as an amount. It is accepted beside the one that the page showed. */
  typedTotal?: number | undefined;
  /** The currency of that total; absent or null accepts every currency. */
  expectedCurrency?: string | null;
}
