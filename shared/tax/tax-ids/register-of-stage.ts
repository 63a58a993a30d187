import type { TaxIdRegister } from '../../domain/checkout/tax-id-register.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import { vatHomeOf } from '../places/resolve-place.ts';
import { registerOfSandbox } from './sandbox-register.ts';

/**
 * Functions that open the official registers, by country. A function gives undefined if the stage may not use that
 * register.
 */
type OfficialRegisters = Readonly<Record<'union' | 'NO' | 'GB' | 'AU', () => TaxIdRegister | undefined>>;

interface RegisterStage {
  isLive: boolean;
  /** Whether this machine runs fakes of the official registers. */
  playsRegisters: boolean;
  registers: OfficialRegisters;
}

/**
 * The register for the tax ids of a country; undefined if there is none. A sandbox in the cloud uses no official
 * register.
 */
export const registerOfStage = (
  country: string,
  { isLive, playsRegisters, registers }: RegisterStage,
): TaxIdRegister | undefined => {
  if (isLive) return officialRegisterOf(country, registers);
  return registerOfSandbox(playsRegisters ? officialRegisterOf(country, registers) : undefined);
};

/** The official register for the tax ids of a country; undefined if there is none. */
function officialRegisterOf(country: string, registers: OfficialRegisters): TaxIdRegister | undefined {
  const home = vatHomeOf(country);
  if (unionCountries.has(home)) return registers.union();
  return home === 'NO' || home === 'GB' || home === 'AU' ? registers[home]() : undefined;
}
