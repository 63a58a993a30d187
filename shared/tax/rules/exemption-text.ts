import type { RateOverride } from './override.ts';

/** The reason of an exemption and the customer's certificate, as printed on documents. */
export const exemptionText = ({ reason, certificate }: Pick<RateOverride, 'reason' | 'certificate'>): string =>
  certificate === undefined ? reason : `${reason} (${certificate})`;
