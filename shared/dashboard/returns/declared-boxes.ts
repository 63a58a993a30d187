import type { DisputeAdjustment } from '../../domain/disputes/dispute-adjustment.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { hasPaidOut, type Refund } from '../../domain/payments/refund.ts';
import type { ReturnKind } from '../../domain/reports/export-job.ts';
import { swissCodes } from '../../domain/reports/returns/country-return.ts';
import { homeBoxOf } from '../../domain/reports/returns/home-return.ts';
import { type MovedLine, movementKey, saleMovement, type TaxMovement } from '../../domain/reports/returns/movement.ts';
import { quarterOfDay } from '../../domain/reports/returns/period.ts';
import { percentCell } from '../../domain/reports/returns/return-file.ts';
import { isOwedByBuyer, originalOf } from '../../domain/reports/returns/sales-list.ts';
import { vatCountryOf } from '../../tax/places/tax-areas.ts';
import { homeFormOf, homeSectionOf, isUnderOss } from '../../tax/returns/home-returns.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { adjustmentMovement, refundMovements } from '../../use-cases/exports/load-movements.ts';
import type { DeclaredMovement } from '../../use-cases/reports/find-declared.ts';

interface Sale {
  payment: Payment;
  refunds: readonly Refund[];
  adjustments: readonly DisputeAdjustment[];
  settings: TaxSettings;
}

/** The boxes of a filed return that contain a movement, with the names in its file. */
export function boxesOf(declared: DeclaredMovement, sale: Sale): string[] {
  const movement = movementsOf(sale).find((one) => movementKey(one) === declared.key);
  return movement ? [...new Set(boxesIn[declared.kind](movement, declared, sale.settings))] : [];
}

/** The movements of a sale, its refunds and its lost disputes, as the worker counts them. */
function movementsOf({ payment, refunds, adjustments }: Sale): TaxMovement[] {
  const paid = (id: string | undefined) => refunds.find((one) => one.id === id && isKept(one));
  const before = ({ correctedBy, freedBy }: Pick<Refund, 'correctedBy' | 'freedBy'>) => ({
    correction: paid(correctedBy)?.correction,
    freedBy: paid(freedBy?.refundId) && freedBy,
  });
  return [
    saleMovement(payment),
    ...refunds.flatMap((refund) => refundMovements(payment, refund, before(refund))),
    ...adjustments.map((adjustment) => adjustmentMovement(payment, adjustment, before(adjustment))),
  ];
}

const isKept = (refund: Refund): boolean => refund.status !== 'failed' || hasPaidOut(refund);

type Boxes = (movement: TaxMovement, declared: DeclaredMovement, settings: TaxSettings) => string[];

const boxesIn: Readonly<Record<ReturnKind, Boxes>> = {
  oss: (movement, { from }) => ossBoxes(movement, from),
  home: (movement, _, settings) => homeBoxes(movement, settings),
  recap: (movement, { from, to, isLate }) => statedBoxes({ ...movement, ...(isLate && { isLate }) }, { from, to }),
  gb: britishBoxes,
  ch: swissBoxes,
  general: ({ kind, country, lines }, { isLate }) =>
    lines.map(({ taxedIn = country }) => `${isLate ? 'late_' : ''}${kind} ${taxedIn}`),
};

/** The section of a country's file with the rows that are in no box. */
const inNoBox = 'detail';

/** The lines whose tax a country collects, also at the rate 0. Others are in no box of its form. */
const isCollected = ({ components: [first] }: MovedLine): boolean =>
  first !== undefined && (first.reason === null || first.reason === 'zero_rated');

const isExempt = ({ components: [first] }: MovedLine): boolean => first?.reason === 'exempt';

function britishBoxes({ isUncollectible, lines }: TaxMovement): string[] {
  if (isUncollectible) return ['bad_debt_candidate'];
  return lines.some((line) => isCollected(line) || isExempt(line)) ? ['1', '6'] : [inNoBox];
}

function ossBoxes(movement: TaxMovement, from: string): string[] {
  const { country, saleDate } = movement;
  const quarter = quarterOfDay(saleDate);
  if (quarter !== quarterOfDay(from)) return [`correction ${country} ${quarter}`];
  return ratesOf(movement).map((rate) => `supply ${country} ${percentCell(rate)}`);
}

/**
 * The boxes of the Swiss return for a movement. A foreign supply is in the total consideration (200), and is deducted
 * from it again (221). So is an exempt one (230).
 */
function swissBoxes({ country, kind, lines }: TaxMovement, _: DeclaredMovement, { merchantCountry }: TaxSettings) {
  if (!isSwiss(country)) return ['200', '221'];
  const isEstablished = isSwiss(merchantCountry);
  const boxes = lines.flatMap((line) => swissBoxesOf(line, { isSale: kind === 'sale', isEstablished }));
  return boxes.length > 0 ? boxes : [inNoBox];
}

const isSwiss = (country: string): boolean => vatCountryOf(country) === 'CH';

function swissBoxesOf(line: MovedLine, { isSale, isEstablished }: { isSale: boolean; isEstablished: boolean }) {
  const [first] = line.components;
  if (isExempt(line)) return ['200', '230'];
  if (isCollected(line)) return [isSale ? '200' : '235', ...swissCodeOf(first?.rate ?? ''), '399'];
  return isEstablished && first?.reason === 'no_tax' ? ['200', '221'] : [];
}

const swissCodeOf = (rate: string): string[] => (swissCodes[rate] ? [swissCodes[rate]] : []);

/** The rates that OSS declares for a movement. What a small seller taxed at home is not part of OSS. */
const ratesOf = ({ lines }: TaxMovement): string[] =>
  lines
    .filter(({ taxedIn }) => taxedIn === undefined)
    .flatMap(({ components }) =>
      components.flatMap(({ rate, reason }) => (rate === null || reason !== null ? [] : [rate])),
    );

/** The boxes of the country's form. If the form has no number for the movement, it is the row. */
function homeBoxes(movement: TaxMovement, { merchantCountry: home, registrations }: TaxSettings): string[] {
  const schemes = new Map(registrations.map(({ id, scheme }) => [id, scheme]));
  return movement.lines.map((line) => {
    const section = homeSectionOf({ ...movement, ...line }, { home, isOss: isUnderOss(movement, schemes, true) });
    const { rate = null, reason = null } = line.components[0] ?? {};
    const row = section === 'home' ? `home ${percentCell(rate) || reason}` : section;
    return homeBoxOf(homeFormOf(home), { section, rate }) ?? row;
  });
}

function statedBoxes(movement: TaxMovement, period: { from: string; to: string }): string[] {
  const original = originalOf(movement, period);
  const row = original === '' ? 'supply' : `correction ${original}`;
  return movement.lines.filter(isOwedByBuyer).map(({ buyerTaxId = '' }) => `${row} ${buyerTaxId}`);
}
