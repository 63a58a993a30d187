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

/** The positions of the lines that a kind of consent is about. */
export const linesAbout = (lines: readonly Supplied[], kind: SupplyConsentKind): number[] =>
  lines.flatMap((line, index) => (consentToSupply[supplyOf(line)] === kind ? [index] : []));

/** The sale of a checkout, as far as it is known. */
export interface AskedSale extends SaleToConsumer {
  /** The total; null while it is not known. */
  total: number | null;
  lines: readonly Supplied[];
}

/** What the page of a checkout asks its buyer for: a consumer of the area who pays something, about each kind of line. */
export const supplyRequests = (sale: AskedSale): SupplyConsentKind[] =>
  isConsumerSale(sale) && sale.total !== 0
    ? supplyConsentKinds.filter((kind) => linesAbout(sale.lines, kind).length > 0)
    : [];

/**
 * The consents that a payment keeps. Of those that were given on the page, only what it asks for in the end. Those that
 * an integrator sent are about the lines of their kind, if there are any.
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
