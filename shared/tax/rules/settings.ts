import type { RateOverride } from './override.ts';
import type { TaxRegistration } from './registration.ts';

/** A merchant's decisions about tax. */
export interface TaxSettings {
  /** Where the merchant is established. */
  merchantCountry: string;
  /** The merchant's own tax id, which documents show. */
  merchantTaxId?: string | undefined;
  /** The state, for merchants in India. */
  merchantRegion?: string | undefined;
  registrations: readonly TaxRegistration[];
  overrides: readonly RateOverride[];
  /** When registrations or overrides were changed last, if that is known. */
  changedAt?: string | null;
  /** `everywhere` is for the sandbox, so a demonstration shows tax without a registration. */
  collectPolicy: 'registered_only' | 'everywhere';
  /** Whether a sale without a rate is refused or untaxed, if the merchant collects there. */
  onUnsupported: 'reject' | 'zero';
  /** Whether a tax id that no register confirmed is accepted, or the tax is charged. */
  onUnverifiedTaxId: 'charge' | 'accept';
}
