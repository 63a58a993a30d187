import type { TaxIdRegister } from '../../domain/checkout/tax-id-register.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import { vatHomeOf } from '../places/resolve-place.ts';

/** Opens the official registers, each by the country that it belongs to; undefined if the stage may not ask it. */
type OfficialRegisters = Readonly<Record<'union' | 'NO' | 'GB' | 'AU', () => TaxIdRegister | undefined>>;

/** The official register for the tax ids of a country; undefined if there is none to ask. */
export function officialRegisterOf(country: string, registers: OfficialRegisters): TaxIdRegister | undefined {
  const home = vatHomeOf(country);
  if (unionCountries.has(home)) return registers.union();
  return home === 'NO' || home === 'GB' || home === 'AU' ? registers[home]() : undefined;
}
