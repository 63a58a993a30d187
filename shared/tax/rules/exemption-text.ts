import type { RateOverride } from './override.ts';

/** The text of an exemption on documents: its reason and the customer's certificate. */
export const exemptionText = ({ reason, certificate }: Pick<RateOverride, 'reason' | 'certificate'>): string =>
  certificate === undefined ? reason : `${reason} (${certificate})`;
