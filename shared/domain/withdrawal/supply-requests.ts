import {
  type GivenSupplyConsent,
  type SupplyConsent,
  type SupplyConsentKind,
  supplyConsentKinds,
} from '../checkout/consent.ts';
import type { Payment } from '../payments/payment.ts';
import { isConsumerSale, type SaleToConsumer } from './consumer-area.ts';
import { consentToSupply, supplyOf } from './supply.ts';

type Supplied = Parameters<typeof supplyOf>[0];

/** The positions of the lines to which a kind of consent applies. */
export const linesAbout = (lines: readonly Supplied[], kind: SupplyConsentKind): number[] =>
  lines.flatMap((line, index) => (consentToSupply[supplyOf(line)] === kind ? [index] : []));

/** The sale of a checkout. Some of its facts may still be unknown. */
export interface AskedSale extends SaleToConsumer {
  /** The total; null while it is not known. */
  total: number | null;
  lines: readonly Supplied[];
}

/**
 * The consents for which the checkout page asks, one for each kind of line. It asks only a consumer of the area who
 * pays something.
 */
export const supplyRequests = (sale: AskedSale): SupplyConsentKind[] =>
  isConsumerSale(sale) && sale.total !== 0
    ? supplyConsentKinds.filter((kind) => linesAbout(sale.lines, kind).length > 0)
    : [];

/**
 * The consents that a payment stores. Of the consents from the page, it stores only those that the final sale requires.
 * Consents from an integrator are stored if the sale has lines of their kind.
 */
export function keptSupplyConsents(
  given: readonly Omit<GivenSupplyConsent, 'lines'>[],
  sale: AskedSale,
  at: string,
): Pick<Payment, 'supplyConsents'> {
  const asked = supplyRequests(sale);
  const kept = given
    .map((consent): SupplyConsent => ({ ...consent, lines: linesAbout(sale.lines, consent.kind), at }))
    .filter(({ kind, lines, source }) => lines.length > 0 && (source === 'api' || asked.includes(kind)));
  return kept.length > 0 ? { supplyConsents: kept } : {};
}
