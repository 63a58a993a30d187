import { findRegistration } from './collecting.ts';
import type { TaxSettings } from './rules/settings.ts';

/** US states whose cities and counties add taxes to the state's tax. */
const statesWithLocalTaxes: readonly string[] =
  'AK AL AR AZ CA CO FL GA HI IA ID IL KS LA MN MO MS NC ND NE NM NV NY OH OK PA SC SD TN TX UT VA VT WA WI WV WY'.split(
    ' ',
  );

/** Whether cities or counties of a US state add taxes. The rate table does not contain such taxes. */
export const hasLocalTaxes = (state: string): boolean => statesWithLocalTaxes.includes(state);

/** The states in which the merchant collects on a date but has not added local rates. */
export function stateOnlyStates(settings: TaxSettings, date: string): string[] {
  const added = settings.overrides.filter(({ country, mode }) => country === 'US' && mode === 'add');
  return statesWithLocalTaxes.filter(
    (region) =>
      !added.some((override) => override.region === region) &&
      (settings.collectPolicy === 'everywhere' ||
        findRegistration(settings.registrations, { country: 'US', region }, date) !== undefined),
  );
}
