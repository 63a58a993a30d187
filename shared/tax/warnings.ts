import type { TaxCategory, TaxComponent } from '../domain/checkout/tax.ts';
import { hasLocalTaxes } from './local-taxes.ts';
import type { ResolvedPlace } from './places/resolve-place.ts';
import type { BuyerTaxId } from './reverse-charge.ts';
import type { TaxBasis } from './tax-basis.ts';

interface Decided {
  place: ResolvedPlace;
  category: TaxCategory;
  buyerTaxId: BuyerTaxId | undefined;
  components: readonly TaxComponent[];
  basis: TaxBasis;
}

/** The warnings for the operator about a treatment. They do not change any amount. */
export function warningsOf(decided: Decided): string[] {
  const warnings: Record<string, boolean> = {
    not_electronically_supplied: decided.category === 'live_tutoring',
    estimate_state_only: isStateOnly(decided),
    territory_standard_rate: decided.basis.isTerritoryStandard && hasReason(decided, null),
    unsupported: hasReason(decided, 'unsupported'),
    tax_id_unverified: decided.buyerTaxId?.status === 'unverified' && hasReason(decided, 'reverse_charge'),
  };
  return Object.keys(warnings).filter((warning) => warnings[warning]);
}

/** Whether local taxes are missing: the state taxes the sale, but the merchant has not added local rates. */
const isStateOnly = ({ place, components, basis }: Decided): boolean =>
  place.country === 'US' &&
  hasLocalTaxes(place.region ?? '') &&
  !basis.hasAddition &&
  components.some(({ reason }) => reason !== 'not_collecting' && reason !== 'unsupported');

const hasReason = ({ components }: Decided, reason: TaxComponent['reason']): boolean =>
  components.some((component) => component.reason === reason);
