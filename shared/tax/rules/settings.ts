import type { RateOverride } from './override.ts';
import type { TaxRegistration } from './registration.ts';

/** What a merchant has decided about tax. */
export interface TaxSettings {
  /** Where the merchant is established. */
  merchantCountry: string;
  /** The state, for merchants in India. */
  merchantRegion?: string | undefined;
  registrations: readonly TaxRegistration[];
  overrides: readonly RateOverride[];
  /** `everywhere` is the sandbox's: a demonstration shows tax without any registration. */
  collectPolicy: 'registered_only' | 'everywhere';
  /** What becomes of a sale that the table has no row for, where the merchant collects. */
  onUnsupported: 'reject' | 'zero';
  /** What becomes of a tax id that no register has confirmed. */
  onUnverifiedTaxId: 'charge' | 'accept';
}
