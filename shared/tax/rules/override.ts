import * as z from 'zod';
import { taxCategories } from '../../domain/checkout/tax.ts';
import { DomainError, type ErrorCode, type Fault, faultAt } from '../../domain/errors.ts';
import { one, rateTimesFraction } from '../../domain/money/rounding.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule, type RuleValues, type Sentence } from '../../domain/rules/rules.ts';
import { isTaxCountry } from '../places/countries.ts';
import { findRegion, needsRegion } from '../places/regions.ts';
import { compactPostalCode, locatePlace, placeCode } from '../places/resolve-place.ts';
import { type Taxability, taxabilities } from '../rates/rate-sheet.ts';

const decimal = () =>
  z.string().regex(/^\d{1,3}(\.\d{1,6})?$/, 'must be a decimal string of at most six places, such as 0.02 for 2 %');

/**
 * A merchant's own rate, which replaces the table's rate or adds to it. Dates are local, and `effectiveTo` is the first
 * day without it. The schema is built when the first override is read, because most merchants have none.
 */
export const RateOverride = z.lazy(() =>
  z.object({
    id: z.string(),
    country: z.string(),
    region: z.string().max(60).optional(),
    /** Applies to postal codes with this prefix. Spaces and hyphens are ignored. */
    postalCodePrefix: z.string().max(12).optional(),
    category: z.enum(taxCategories).optional(),
    /**
     * `add` adds to the table's row, for local rates. `replace` replaces the row, and also works if there is no row.
     */
    mode: z.enum(['replace', 'add']),
    taxability: z.enum(taxabilities),
    /** The taxes of the override. An added tax without a base fraction uses the base fraction of the row. */
    components: z
      .array(z.object({ name: z.string().trim().min(1).max(60), rate: decimal(), baseFraction: decimal().optional() }))
      .max(6),
    effectiveFrom: z.iso.date(),
    effectiveTo: z.iso.date().optional(),
    /** The reason why the merchant may use this rate, in the merchant's words. */
    reason: z.string().trim().min(1).max(500),
    /** The only customer for whom the override is an exemption; absent if it applies to all buyers. */
    customerId: z.string().optional(),
    /** The number of the customer's certificate, printed on documents. */
    certificate: z.string().trim().min(1).max(100).optional(),
  }),
);
export type RateOverride = z.infer<typeof RateOverride>;
type OverrideComponent = RateOverride['components'][number];

/** Refuses an override with an unknown place or no content, and rates above the price. */
export function assertOverride(override: RateOverride): void {
  if (!isTaxCountry(override.country))
    throw refusal([fault('country', sentences.country, { country: override.country })], 'UNSUPPORTED_COUNTRY');
  const faults = [placeFaults, dateFaults, componentFaults, rateFaults, customerFaults].flatMap((faultsOf) =>
    faultsOf(override),
  );
  if (faults.length > 0) throw refusal(faults);
}

/**
 * Refuses an override if another one with the same place, postal prefix, category and customer is valid at the same
 * time. The rules could not decide between them.
 */
export function assertNoOverlap(override: RateOverride, others: readonly RateOverride[]): void {
  const rival = others.find(
    (other) => other.id !== override.id && isSameTarget(override, other) && meet(override, other),
  );
  if (!rival) return;
  const values = { override: rival.id, from: rival.effectiveFrom, to: rival.effectiveTo ?? '' };
  const rule = rival.effectiveTo ? sentences.override_overlap : sentences.override_overlap_open;
  throw refusal([fault('effective_from', rule, values)]);
}

function placeFaults({ country, region, postalCodePrefix }: RateOverride): Fault[] {
  const faults: Fault[] = [];
  if (region !== undefined && needsRegion(country) && !findRegion(country, region))
    faults.push(fault('region', sentences.region, { region, country }));
  if (postalCodePrefix !== undefined && compactPostalCode(postalCodePrefix) === '')
    faults.push(fault('postal_code_prefix', sentences.override_prefix));
  return faults;
}

const dateFaults = ({ effectiveFrom, effectiveTo }: RateOverride): Fault[] =>
  effectiveTo !== undefined && effectiveTo <= effectiveFrom ? [fault('effective_to', sentences.override_end)] : [];

function componentFaults({ mode, taxability, components }: RateOverride): Fault[] {
  if (mode === 'add' && taxability !== 'taxable') return [fault('taxability', sentences.override_added)];
  if (taxability === 'taxable') return components.length > 0 ? [] : [fault('components', sentences.override_component)];
  if (taxability === 'zero_rated') return [];
  return components.length === 0 ? [] : [fault('components', sentences.override_no_component, { taxability })];
}

function rateFaults({ taxability, components }: RateOverride): Fault[] {
  const faults = components.flatMap((component, index) => {
    const rule = rateFault(component, taxability);
    return rule === undefined ? [] : [fault(`components[${index}].rate`, rule, { rate: component.rate })];
  });
  if (faults.length > 0 || components.reduce((sum, component) => sum + partOfPrice(component), 0n) <= one)
    return faults;
  return [fault('components', sentences.override_rates)];
}

function rateFault(component: OverrideComponent, taxability: Taxability): Sentence | undefined {
  const { rate } = component;
  if (taxability === 'zero_rated') return Number(rate) > 0 ? sentences.override_zero : undefined;
  if (Number(rate) === 0) return sentences.override_above_zero;
  return partOfPrice(component) > one || Number(rate) > 1 ? sentences.override_rate : undefined;
}

/** The faults of an override for one customer. Such an override can only be an exemption with a certificate. */
function customerFaults({ customerId, certificate, mode, taxability }: RateOverride): Fault[] {
  if (customerId === undefined)
    return certificate === undefined ? [] : [fault('customer_id', sentences.override_customer)];
  const faults = certificate === undefined ? [fault('certificate', sentences.override_certificate)] : [];
  return mode === 'replace' && taxability === 'exempt'
    ? faults
    : [...faults, fault('taxability', sentences.override_exempt)];
}

const partOfPrice = ({ rate, baseFraction = '1' }: OverrideComponent): bigint => rateTimesFraction(rate, baseFraction);

const isSameTarget = (a: RateOverride, b: RateOverride): boolean => targetOf(a) === targetOf(b);

function targetOf({ country, region, postalCodePrefix, category, customerId }: RateOverride): string {
  const place = locatePlace({ country, region });
  return [
    placeCode(place.country, place.region),
    compactPostalCode(postalCodePrefix),
    category ?? '',
    customerId ?? '',
  ].join('|');
}

const meet = (a: RateOverride, b: RateOverride): boolean =>
  (b.effectiveTo === undefined || a.effectiveFrom < b.effectiveTo) &&
  (a.effectiveTo === undefined || b.effectiveFrom < a.effectiveTo);

const fault = (path: string, rule: Sentence, values?: RuleValues): Fault => faultAt(path, brokenRule(rule, values));

const refusal = (faults: Fault[], code: ErrorCode = 'INVALID_REQUEST_PARAMETERS'): DomainError =>
  new DomainError(code, faults[0]?.message ?? 'The override is not valid.', { faults });
