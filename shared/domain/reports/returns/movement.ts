import type { TaxIdCheck } from '../../checkout/buyer.ts';
import type { ChargedTax } from '../../checkout/priced-item.ts';
import type { RegistrationScheme, TaxCategory, ZeroReason } from '../../checkout/tax.ts';
import { sum } from '../../money/money.ts';
import type { LinePart } from '../../payments/counters.ts';
import type { Payment, PaymentLine } from '../../payments/payment.ts';
import { movedParts, soldLine } from '../../payments/returned-parts.ts';
import type { FreedTax, FreeingRefund, TaxCorrection } from '../../payments/tax-correction.ts';

/**
 * The kinds of movements.
 * `refund_returned`: the money of a refund came back from the buyer's bank, so its credit note is cancelled.
 * `dispute_lost`: a dispute was lost, and the merchant chose a ground. `dispute_won`: the money of such a dispute came
 * back later.
 * `disputed`: a bank holds money, and no ground is chosen. It changes no return, and is only listed for the merchant.
 */
export type MovementKind = 'sale' | 'refund' | 'refund_returned' | 'dispute_lost' | 'dispute_won' | 'disputed';

interface MovedComponent {
  name: string;
  jurisdiction: string;
  rate: string | null;
  reason: ZeroReason | null;
  tax: number;
}

export interface MovedLine {
  category: TaxCategory;
  net: number;
  components: readonly MovedComponent[];
  /** The country that taxes the line, if it is not the buyer's; absent otherwise. */
  taxedIn?: string | undefined;
  /** The buyer's tax id, if the buyer is a business that owes the tax; absent otherwise. */
  buyerTaxId?: string;
}

/** How one payment, refund or dispute changes the tax that a merchant owes, with its sign. */
export interface TaxMovement {
  kind: MovementKind;
  /** The id of the payment, refund, adjustment or dispute. */
  id: string;
  paymentId: string;
  /** The dates of the movement and of its sale, at the buyer's place. */
  date: string;
  saleDate: string;
  currency: string;
  country: string;
  region: string | null;
  /** The registrations that collected the tax. */
  registrations: readonly string[];
  /** The schemes of these registrations, as the sale stored them. Absent in sales of 0.2.0. */
  schemes?: readonly RegistrationScheme[] | undefined;
  net: number;
  tax: number;
  lines: readonly MovedLine[];
  /** Whether the return of its period was already filed without it; absent if not. */
  isLate?: true;
  /** Whether the movement corrects an invoice because the buyer's tax id became known later; absent if not. */
  isCorrection?: true;
  /** Whether the buyer of a lost dispute keeps what was sold and does not pay for it; absent if not. */
  isUncollectible?: true;
}

/** Identifies a movement: `sale pay_…`. */
export const movementKey = ({ kind, id }: Pick<TaxMovement, 'kind' | 'id'>): string => `${kind} ${id}`;

/** The kind as files name it. A movement whose period is already filed is `late_…`. */
export const namedKind = ({ kind, isLate }: Pick<TaxMovement, 'kind' | 'isLate'>): string =>
  isLate ? `late_${kind}` : kind;

type Origin = Pick<
  TaxMovement,
  'paymentId' | 'saleDate' | 'currency' | 'country' | 'region' | 'registrations' | 'schemes'
>;

function originOf({ id: paymentId, currency, calculation }: Payment): Origin {
  const { taxDate: saleDate, country, region, registrations, schemes } = calculation;
  return { paymentId, saleDate, currency, country, region, registrations, schemes };
}

/** The movement of a sale, on its tax date. */
export function saleMovement(payment: Payment): TaxMovement {
  const { id, net, tax, calculation, taxId } = payment;
  const lines = payment.lines.map((line) => {
    const taxes = line.components.map(({ amount }) => amount);
    return moved(line, { net: line.net, taxes, taxId });
  });
  return { kind: 'sale', id, date: calculation.taxDate, ...originOf(payment), net, tax, lines };
}

interface Returned {
  kind: Exclude<MovementKind, 'sale'>;
  /** The date at the buyer's place. */
  date: string;
  /** The correction before the refund. The lines are then those of the new invoice, if it contains them. */
  correction?: TaxCorrection | undefined;
  /** The earlier refund that has returned only the tax. */
  freedBy?: FreeingRefund | undefined;
}

/**
 * The movement of a refund that was paid, of a refund whose money came back, or of a dispute that took money or gave it
 * back. It contains the tax of the lines.
 */
export function returnMovement(
  payment: Payment,
  { id, lines, freed }: { id: string; lines: readonly LinePart[]; freed?: FreedTax | undefined },
  { kind, date, correction, freedBy }: Returned,
): TaxMovement {
  const sign = kind === 'refund_returned' || kind === 'dispute_won' ? 1 : -1;
  const isExempted = !correction && (freed ?? freedBy)?.reason === 'exempt';
  const returned = lines.flatMap((line) => {
    const sold = soldLine(payment, line.productId);
    const corrected = correction?.lines.find(({ productId }) => productId === line.productId);
    return movedParts(line, sold, { corrected, freed, freedBy }).map(({ amount, tax, components, treatment }) => {
      const isAsSold = treatment === sold.components;
      const taxId = isAsSold || !correction ? payment.taxId : correction.taxId;
      const taxes = components.map((component) => sign * component);
      // an exempt part stays in the place where the line was taxed
      const now = isExempted ? { ...sold, components: [...treatment] } : elsewhereTaxed(sold, treatment);
      return moved(isAsSold ? sold : now, { net: sign * (amount - tax), taxes, taxId });
    });
  });
  const tax = sum(lines.map((line) => sign * line.tax));
  const net = sum(returned.map((line) => line.net));
  return { kind, id, date, ...originOf(payment), net, tax, lines: returned };
}

/**
 * The movement of a corrected invoice. It cancels the lines at the rates of the sale, and counts them again with the
 * new tax.
 */
export function correctionMovement(
  payment: Payment,
  { id, lines, taxId }: { id: string } & Pick<TaxCorrection, 'lines' | 'taxId'>,
  { kind, date }: Omit<Returned, 'correction'>,
): TaxMovement {
  const sign = kind === 'refund_returned' ? 1 : -1;
  const returned = lines.flatMap(({ productId, reversed, invoiced }) => {
    const sold = soldLine(payment, productId);
    const before = reversed.components.map((component) => sign * component);
    const after = invoiced.components.map(({ amount }) => 0 - sign * amount);
    const corrected = elsewhereTaxed(sold, invoiced.components);
    return [
      moved(sold, { net: sign * reversed.net, taxes: before, taxId: payment.taxId }),
      moved(corrected, { net: 0 - sign * invoiced.net, taxes: after, taxId }),
    ];
  });
  const tax = sum(lines.map(({ reversed, invoiced }) => sign * (reversed.tax - invoiced.tax)));
  const net = sum(returned.map((line) => line.net));
  return { kind, id, date, ...originOf(payment), net, tax, lines: returned, isCorrection: true };
}

/** The line as a corrected invoice taxes it, which is always at the buyer's place. */
const elsewhereTaxed = ({ taxedIn: _, ...sold }: PaymentLine, components: readonly ChargedTax[]): PaymentLine => ({
  ...sold,
  components: [...components],
});

const moved = (
  sold: PaymentLine,
  { net, taxes, taxId }: { net: number; taxes: readonly number[]; taxId: Pick<TaxIdCheck, 'id'> | null },
): MovedLine => ({
  category: sold.taxCategory,
  ...(sold.taxedIn === undefined ? {} : { taxedIn: sold.taxedIn }),
  ...(taxId && isOwedByBuyer(sold) && { buyerTaxId: taxId.id }),
  net,
  components: sold.components.map(({ name, jurisdiction, rate, reason }, index) => ({
    name,
    jurisdiction,
    rate,
    reason,
    tax: taxes[index] ?? 0,
  })),
});

const isOwedByBuyer = ({ components }: PaymentLine): boolean =>
  components.some(({ reason }) => reason === 'reverse_charge');
