import { type CsvCell, csvLines } from '../csv.ts';
import { converterTo, type RatesOfSale, roundedUnits, unconvertedNotes } from './local-amounts.ts';
import { type MovedLine, namedKind, type TaxMovement } from './movement.ts';
import { type DayPeriod, monthOfDay, quarterOfDay, wholeQuarter } from './period.ts';
import type { FinishedReturn, ReturnCounter } from './return-file.ts';
import { summing } from './sums.ts';

/** The rules that decide which sales belong to the recapitulative statement. */
export interface SalesListScheme {
  /**
   * The member state whose VAT number is on the invoice. Undefined if the invoice has none, such as under non-Union
   * OSS.
   */
  identifiedIn: (movement: TaxMovement) => string | undefined;
  /** Whether the sale's place is in the tax area of the Union, and in another state than the one of the VAT number. */
  isAbroad: (movement: TaxMovement, state: string) => boolean;
  /** The currency of a state. */
  currencyOf: (state: string) => string;
  ratesOf: RatesOfSale;
  /** The notes for the merchant about a state's statement. */
  notesOf: (state: string) => readonly string[];
}

interface BuyerKey {
  state: string;
  buyerCountry: string;
  buyerId: string;
}

interface StatedKey extends BuyerKey {
  /** The earlier period whose statement this row corrects; empty if the amount belongs to this period. */
  original: string;
  kind: string;
  salePeriod: string;
  currency: string;
}

type StatedRow = StatedKey & { net: number; localNet: number };

const header = [
  ...['section', 'identified_in', 'buyer_country', 'buyer_id', 'supply_kind', 'original_period', 'kind', 'sale_period'],
  ...['currency', 'net', 'local_currency', 'local_net', 'whole_net'],
];

/** The letter for services in the statement. All sales of this product are services. */
const service = 'S';

/**
 * The recapitulative statement of a period (VAT Directive, art. 262 to 264). It lists the services to businesses of
 * other member states that owe the tax, by tax id. A refund reduces the period in which it was paid. A change of an
 * earlier statement, such as a tax id that became known later, is a correction that names the earlier period.
 */
export function salesList(period: DayPeriod, scheme: SalesListScheme): ReturnCounter {
  const sums = summing<StatedKey, { net: number; localNet: number }>();
  const unconverted = new Set<string>();
  let hasUnnamed = false;
  return {
    add: async (movement) => {
      const state = scheme.identifiedIn(movement);
      if (state === undefined || !scheme.isAbroad(movement, state)) return 'other';
      const parts = partsOf(movement);
      if (parts.length === 0) return 'other';
      const convert = await converterTo(scheme.currencyOf(state), scheme.ratesOf, movement);
      if (!convert) {
        unconverted.add(movement.currency);
        return 'left_out';
      }
      const common = { state, original: originalOf(movement, period), kind: namedKind(movement) };
      const rest = { salePeriod: periodOf(movement.saleDate, period), currency: movement.currency };
      for (const { net, ...buyer } of parts) {
        hasUnnamed ||= buyer.buyerId === '' && movement.kind !== 'disputed';
        sums.add({ ...common, ...buyer, ...rest }, { net, localNet: convert(net) });
      }
      return 'counted';
    },
    finish: async () => finished(scheme, sums.rows(), { unconverted, hasUnnamed }),
  };
}

/** The net amount of a movement for each business that owes the tax. */
function partsOf({ lines }: TaxMovement) {
  const parts = summing<Pick<BuyerKey, 'buyerCountry' | 'buyerId'>, { net: number }>();
  for (const line of lines.filter(isOwedByBuyer)) parts.add(buyerOf(line), { net: line.net });
  return parts.rows();
}

export const isOwedByBuyer = ({ components }: Pick<MovedLine, 'components'>): boolean =>
  components.some(({ reason }) => reason === 'reverse_charge');

/** The buyer's tax id in two parts: the two letters of its country (`EL` for Greece) and the number. */
const buyerOf = ({ buyerTaxId = '' }: MovedLine): Pick<BuyerKey, 'buyerCountry' | 'buyerId'> => ({
  buyerCountry: buyerTaxId.slice(0, 2),
  buyerId: buyerTaxId.slice(2),
});

const periodOf = (day: string, period: DayPeriod): string =>
  wholeQuarter(period) === undefined ? monthOfDay(day) : quarterOfDay(day);

/**
 * The earlier period whose statement must be corrected; empty if there is none. For a late movement, it is the
 * movement's own period. For a corrected invoice, it is the period of the sale.
 */
export function originalOf({ isLate, isCorrection, date, saleDate }: TaxMovement, period: DayPeriod): string {
  const own = periodOf(period.from, period);
  const original = periodOf(isCorrection ? saleDate : isLate ? date : period.from, period);
  return original === own ? '' : original;
}

interface Found {
  unconverted: ReadonlySet<string>;
  hasUnnamed: boolean;
}

function finished(scheme: SalesListScheme, rows: readonly StatedRow[], found: Found): FinishedReturn {
  const counted = rows.filter(({ kind }) => kind !== 'disputed');
  const lines = summing<BuyerKey & { original: string }, { localNet: number }>();
  for (const { state, buyerCountry, buyerId, original, localNet } of counted)
    lines.add({ state, buyerCountry, buyerId, original }, { localNet });
  const money = (amount: number, currency: string): CsvCell => ({ amount, currency });
  const stated = lines.rows().toSorted((a, b) => (a.original === b.original ? 0 : a.original < b.original ? -1 : 1));
  const boxes = stated.map(({ state, buyerCountry, buyerId, original, localNet }) => [
    ...[original === '' ? 'supply' : 'correction', state, buyerCountry, buyerId, service, original, '', '', '', ''],
    ...[scheme.currencyOf(state), money(localNet, scheme.currencyOf(state)), roundedUnits(localNet)],
  ]);
  const details = rows.map(({ state, buyerCountry, buyerId, original, kind, salePeriod, currency, net, localNet }) => [
    ...[kind === 'disputed' ? 'not_counted' : 'detail', state, buyerCountry, buyerId, service, original, kind],
    ...[
      salePeriod,
      currency,
      money(net, currency),
      scheme.currencyOf(state),
      money(localNet, scheme.currencyOf(state)),
      '',
    ],
  ]);
  const states = [...new Set(counted.map(({ state }) => state))];
  const german = stated.filter(({ state, original }) => state === 'DE' && original === '');
  return {
    summary: { header, rows: [...boxes, ...details] },
    notes: [...states.flatMap(scheme.notesOf), ...notesOf(stated, found)],
    ...(german.length > 0 && { upload: { name: 'zm', text: germanUpload(german) } }),
  };
}

/**
 * The file that Mein ELSTER imports (version 3.0). In it, the country's letters stand before the number, amounts are in
 * whole euros, and `S` means a service.
 */
const germanUpload = (rows: readonly (BuyerKey & { localNet: number })[]): string =>
  `#v3.0\r\n${csvLines([
    ['USt-IdNr.', 'Betrag (EUR)', 'Art der Leistung'],
    ...rows.map(({ buyerCountry, buyerId, localNet }) => [
      `${buyerCountry}${buyerId}`,
      roundedUnits(localNet),
      service,
    ]),
  ])}`;

function notesOf(stated: readonly { original: string }[], { unconverted, hasUnnamed }: Found): string[] {
  const originals = [...new Set(stated.map(({ original }) => original).filter(Boolean))];
  return [
    ...(stated.length === 0 ? ['There is nothing to state: no business of another member state owes tax.'] : []),
    ...originals.map(
      (original) => `The statement of ${original} is wrong: send a corrected one with the rows that name it.`,
    ),
    ...(hasUnnamed
      ? ['A sale under reverse charge has no tax id of its buyer. Ask for it: the statement needs it.']
      : []),
    ...unconvertedNotes(unconverted),
  ];
}
