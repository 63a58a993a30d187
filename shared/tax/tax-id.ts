import * as jsvat from 'jsvat';
import { DomainError } from '../domain/errors.ts';
import { unionCountries, vatCountryOf } from './tax-areas.ts';
import type { TaxIdRegister } from './tax-id-register.ts';

/** What is known about a buyer's tax id. */
export interface TaxIdCheck {
  /** As registers write it: `EL094259216`, `NO923609016MVA`. */
  id: string;
  country: string;
  /** `valid` only if a register has confirmed it; `unverified` where the syntax is right, or nobody can tell. */
  status: 'valid' | 'invalid' | 'unverified';
  /** The name of the kind of id: `EU VAT`. */
  formatName: string;
}
