import type { TaxCategory } from '../domain/checkout/tax.ts';
import { findRegistration } from './collecting.ts';
import { findRegion } from './places/regions.ts';
import { holdsOn } from './rates/rate-row.ts';
import type { RateOverride } from './rules/override.ts';
import type { TaxSettings } from './rules/settings.ts';

/** US states whose cities and counties add taxes to the state's tax. */
const statesWithLocalTaxes: readonly string[] =
  'AK AL AR AZ CA CO FL GA HI IA ID IL KS LA MN MO MS NC ND NE NM NV NY OH OK PA SC SD TN TX UT VA VT WA WI WV WY'.split(
    ' ',
  );

/** Whether cities or counties of a US state add taxes. The rate table does not contain such taxes. */
export const hasLocalTaxes = (state: string): boolean => statesWithLocalTaxes.includes(state);

/**
 * The states in which the merchant collects on a date, but local taxes are missing for some postal codes. The
 * merchant's local rates for single postal codes do not cover the rest of a state.
 */
export function stateOnlyStates(
  settings: TaxSettings,
  { date, category }: { date: string; category: TaxCategory | undefined },
): string[] {
  const added = settings.overrides.filter((override) => isWholeAddition(override, category) && holdsOn(override, date));
  const isAdded = (state: string) =>
    added.some(({ region }) => region === undefined || findRegion('US', region)?.code === state);
  return statesWithLocalTaxes.filter(
    (region) =>
      !isAdded(region) &&
      (settings.collectPolicy === 'everywhere' ||
        findRegistration(settings.registrations, { country: 'US', region }, date) !== undefined),
  );
}

/** Whether an override adds to the rate in the whole state, for all buyers of a category. */
const isWholeAddition = (override: RateOverride, category: TaxCategory | undefined): boolean =>
  override.country === 'US' &&
  override.mode === 'add' &&
  override.postalCodePrefix === undefined &&
  override.customerId === undefined &&
  (override.category === undefined || override.category === category);
