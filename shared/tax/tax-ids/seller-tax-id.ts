import { refuse } from '../../domain/errors.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../../domain/rules/rules.ts';
import { businessRuleOf } from '../business-buyers.ts';
import { vatHomeOf } from '../places/resolve-place.ts';
import type { TaxRegistration } from '../rules/registration.ts';
import type { TaxSettings } from '../rules/settings.ts';
import { checkTaxIdFormat } from './tax-id.ts';

/**
 * The form of numbers in the One-Stop Shop for sellers outside the Union. Such a number does not name a member state.
 */
const nonUnionNumber = /^EU\d{9}$/;

const hasCheckDigits = (country: string): boolean =>
  unionCountries.has(country) || ['CH', 'GB', 'NO'].includes(country);

/**
 * Why a tax id cannot belong to a seller in a country. Undefined if it can, or if the form of the country's ids is
 * unknown.
 */
export function sellerTaxIdFault(id: string, country: string): BrokenRule | undefined {
  if (!hasCheckDigits(vatHomeOf(country))) return undefined;
  const { status, formatName } = checkTaxIdFormat(id, country);
  return status === 'invalid' ? brokenRule(sentences.tax_id, { taxId: id, country, format: formatName }) : undefined;
}

/** The seller's own number, if it has the form of a register's numbers. Registers record which seller asks. */
export function sellerNumberOf(
  { country, taxId }: { country: string; taxId?: string | undefined },
  isOf: (country: string) => boolean,
): string | undefined {
  if (taxId === undefined || !isOf(vatHomeOf(country))) return undefined;
  const { id, status } = checkTaxIdFormat(taxId, country);
  return status === 'invalid' ? undefined : id;
}

/**
 * Refuses a tax id with a typing error, because every document would show it. Simplified schemes have other kinds of
 * numbers.
 */
export function assertSellerTaxId({ country, scheme, taxId }: TaxRegistration): void {
  if (taxId === undefined || scheme === 'simplified') return;
  if (scheme === 'oss' && nonUnionNumber.test(taxId.replaceAll(' ', ''))) return;
  const fault = sellerTaxIdFault(taxId, country);
  if (fault) throw refuse('INVALID_TAX_ID', 'tax_id', fault);
}

/**
 * Whether an invoice with reverse charge is possible, but the seller's tax id is missing. The VAT Directive requires it
 * (art. 226(3)).
 */
export const lacksSellerTaxId = ({ merchantTaxId, registrations, collectPolicy }: TaxSettings): boolean =>
  merchantTaxId === undefined &&
  (registrations.some((one) => one.taxId === undefined && mayRelieve(one)) ||
    (registrations.length === 0 && collectPolicy === 'everywhere'));

const mayRelieve = ({ country, region, businessBuyers }: TaxRegistration): boolean =>
  (businessBuyers ?? businessRuleOf({ country, region }).mode) !== 'charged';
