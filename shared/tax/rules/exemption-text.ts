import type { RateOverride } from './override.ts';

/** Why a sale is exempt, with the customer's certificate, as documents print it. */
export const exemptionText = ({ reason, certificate }: Pick<RateOverride, 'reason' | 'certificate'>): string =>
  certificate === undefined ? reason : `${reason} (${certificate})`;
