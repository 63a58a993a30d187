import type { Merchant, Stage } from '../../domain/merchant.ts';
import type { RateOverride } from './override.ts';
import type { TaxRegistration } from './registration.ts';
import type { HomeSales, SmallSeller } from './small-seller.ts';

/** A merchant's decisions about tax. */
export interface TaxSettings {
  /** The country where the merchant is established. */
  merchantCountry: string;
  /** The merchant's own tax id, which documents show. */
  merchantTaxId?: string | undefined;
  /** The merchant's state, for a merchant in India. */
  merchantRegion?: string | undefined;
  registrations: readonly TaxRegistration[];
  overrides: readonly RateOverride[];
  /**
   * The rule that taxes small sales to other member states in the merchant's own country; absent if it does not hold.
   */
  smallSeller?: SmallSeller | undefined;
  /** The sales of a small seller to other member states; absent for other sellers. */
  homeSales?: HomeSales | undefined;
  /** When registrations or overrides were last changed, if that is known. */
  changedAt?: string | null;
  /**
   * The places where tax is collected. `everywhere` is the default of a sandbox, which shows tax without a
   * registration.
   */
  collectPolicy: 'registered_only' | 'everywhere';
  /** What happens if a place where the merchant collects has no rate: the sale is refused, or made without tax. */
  onUnsupported: 'reject' | 'zero';
  /** What happens with a tax id that no register has confirmed: it is accepted, or the tax is charged. */
  onUnverifiedTaxId: 'charge' | 'accept';
}

interface TaxSettingsDeps {
  merchant: Merchant;
  stage: Stage;
  taxRules: {
    get(): Promise<Pick<TaxSettings, 'registrations' | 'overrides' | 'changedAt' | 'smallSeller'>>;
    homeSales(): Promise<HomeSales>;
  };
}

/**
 * Reads a merchant's tax settings for a stage. A sandbox collects tax everywhere, unless the merchant decides
 * otherwise.
 */
export async function readTaxSettings({ merchant, stage, taxRules }: TaxSettingsDeps): Promise<TaxSettings> {
  const { registrations, overrides, changedAt, smallSeller } = await taxRules.get();
  const small = smallSeller && { smallSeller, homeSales: await taxRules.homeSales() };
  return {
    ...small,
    merchantCountry: merchant.country,
    merchantRegion: merchant.region,
    merchantTaxId: merchant.taxId,
    collectPolicy: merchant.collectPolicy ?? (stage === 'live' ? 'registered_only' : 'everywhere'),
    onUnsupported: merchant.onUnsupported,
    onUnverifiedTaxId: merchant.onUnverifiedTaxId,
    registrations,
    overrides,
    changedAt,
  };
}
