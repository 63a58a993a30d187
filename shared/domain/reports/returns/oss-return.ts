import { convertAmount, convertsBetween, type DayRates } from '../../money/exchange-rates.ts';
import { sum } from '../../money/money.ts';
import type { CsvCell } from '../csv.ts';
import type { TaxMovement } from './movement.ts';
import { dueDateOf, quarterOfDay, yearsAfter } from './period.ts';
import { type FinishedReturn, percentCell, type ReturnCounter } from './return-file.ts';
import { summing } from './sums.ts';

/** The rules that decide which movements belong to the return. */
export interface OssScheme {
  /** The member state of consumption; undefined if the scheme does not cover the movement. */
  stateOf: (movement: TaxMovement) => string | undefined;
  /** Whether a rate is the standard rate of the member state. */
  isStandard: (movement: TaxMovement, rate: string) => boolean;
  /**
   * The rates that the European Central Bank published on the last day of a quarter, or on the first day after it.
   * Undefined if there are none yet.
   */
  ratesOf: (quarter: string) => Promise<{ rates: DayRates; isProvisional: boolean } | undefined>;
}

/**
 * For how many years a later return can correct a quarter. After that, the merchant corrects it directly with the
 * member state.
 */
const correctedYears = 3;

interface SupplyKey {
  state: string;
  rateType: string;
  rate: string;
  currency: string;
}

interface CorrectionKey {
  state: string;
  quarter: string;
  currency: string;
}

interface InEuro {
  netEur: number | null;
  taxEur: number | null;
  perEuro: string;
  rateDate: string;
}

type SupplyRow = SupplyKey & { net: number; tax: number } & InEuro;
type CorrectionRow = CorrectionKey & { tax: number } & InEuro;

const header = [
  'section',
  'member_state',
  'rate_type',
  'rate_percent',
  'original_period',
  'currency',
  'net',
  'tax',
  'net_eur',
  'tax_eur',
  'per_euro',
  'rate_date',
];

/**
 * The OSS return of a quarter, in euro. It has supplies by state and rate, and corrections of earlier quarters by state
 * and quarter. A refund in the same quarter as its sale reduces the supply.
 */
export function ossReturn(quarter: string, scheme: OssScheme): ReturnCounter {
  const supplies = summing<SupplyKey, { net: number; tax: number }>();
  const corrections = summing<CorrectionKey, { tax: number }>();
  const disputed = summing<{ state: string; currency: string }, { net: number; tax: number }>();
  const count = (
    movement: TaxMovement,
    { state = '', rate, net, tax }: ChargedPart & { state?: string | undefined },
  ) => {
    const { kind, currency, saleDate } = movement;
    const saleQuarter = quarterOfDay(saleDate);
    const rateType = scheme.isStandard(movement, rate) ? 'standard' : 'reduced';
    if (kind === 'disputed') disputed.add({ state, currency }, { net, tax });
    else if (saleQuarter === quarter) supplies.add({ state, rateType, rate, currency }, { net, tax });
    else corrections.add({ state, quarter: saleQuarter, currency }, { tax });
  };
  return {
    add: (movement) => {
      const state = scheme.stateOf(movement);
      const parts = state === undefined ? [] : chargedParts(movement);
      for (const part of parts) count(movement, { state, ...part });
      return parts.length > 0 ? 'counted' : 'other';
    },
    finish: async () => {
      const counted = { supplies: supplies.rows(), corrections: corrections.rows(), disputed: disputed.rows() };
      return finished(quarter, scheme, counted);
    },
  };
}

interface ChargedPart {
  rate: string;
  net: number;
  tax: number;
}

/**
 * The parts of a movement whose tax was charged. A small seller's sale that is taxed in its own country is not part of
 * OSS.
 */
const chargedParts = ({ lines }: TaxMovement): ChargedPart[] =>
  lines
    .filter(({ taxedIn }) => taxedIn === undefined)
    .flatMap(({ net, components }) =>
      components.flatMap(({ rate, reason, tax }) => (rate === null || reason !== null ? [] : [{ rate, net, tax }])),
    );

interface Counted {
  supplies: readonly (SupplyKey & { net: number; tax: number })[];
  corrections: readonly (CorrectionKey & { tax: number })[];
  disputed: readonly { state: string; currency: string; net: number; tax: number }[];
}

async function finished(quarter: string, scheme: OssScheme, counted: Counted): Promise<FinishedReturn> {
  const notes = new Set<string>();
  const used = new Map<string, Awaited<ReturnType<OssScheme['ratesOf']>>>();
  const ratesOf = async (of: string) => {
    const found = used.has(of) ? used.get(of) : await scheme.ratesOf(of);
    used.set(of, found);
    return found;
  };
  const convert = converter(ratesOf, notes);
  const supplies: SupplyRow[] = [];
  for (const row of counted.supplies) supplies.push({ ...row, ...(await convert(quarter, row)) });
  const corrections: CorrectionRow[] = [];
  for (const row of counted.corrections)
    corrections.push({ ...row, ...(await convert(row.quarter, { net: 0, ...row })) });
  const isTimely = ({ quarter: original }: CorrectionKey): boolean =>
    dueDateOf(quarter) <= yearsAfter(dueDateOf(original), correctedYears);
  const timely = corrections.filter(isTimely);
  const late = corrections.filter((row) => !isTimely(row));
  if (late.length > 0)
    notes.add('Some corrections are of quarters that are due for more than three years: declare them to the states.');
  const rows = [
    ...boxes(supplies),
    ...correctionBoxes('correction', timely),
    ...correctionBoxes('correction_to_state', late),
    ...balances(supplies, timely),
    ...supplies.map(supplyDetail),
    ...corrections.map(correctionDetail),
    ...counted.disputed.map(({ state, currency, net, tax }) =>
      cells({
        section: 'disputed_not_counted',
        state,
        currency,
        net: inSale(net, currency),
        tax: inSale(tax, currency),
      }),
    ),
  ];
  const rates = [...used].flatMap(([of, found]) => (found ? [{ quarter: of, rates: found.rates }] : []));
  const isProvisional = [...used.values()].some((found) => !found || found.isProvisional);
  return { summary: { header, rows }, notes: [...notes], rates, isProvisional };
}

const converter =
  (ratesOf: OssScheme['ratesOf'], notes: Set<string>) =>
  async (quarter: string, { currency, net, tax }: { currency: string; net: number; tax: number }): Promise<InEuro> => {
    if (currency === 'EUR') return { netEur: net, taxEur: tax, perEuro: '1', rateDate: '' };
    const found = await ratesOf(quarter);
    const pair = { from: currency, to: 'EUR' };
    if (!found || !convertsBetween(found.rates, pair)) {
      notes.add(
        `There is no rate for ${currency} in ${quarter}: its rows have no amounts in euro, and no total counts them.`,
      );
      return { netEur: null, taxEur: null, perEuro: '', rateDate: '' };
    }
    const { rates, isProvisional } = found;
    if (isProvisional)
      notes.add(`The rates of the last day of ${quarter} are not published yet: the amounts in euro are provisional.`);
    const [netEur, taxEur] = [convertAmount(net, rates, pair), convertAmount(tax, rates, pair)];
    return { netEur, taxEur, perEuro: rates.perEuro[currency] ?? '', rateDate: rates.date };
  };

const euro = (amount: number | null): CsvCell => (amount === null ? null : { amount, currency: 'EUR' });
const inSale = (amount: number, currency: string): CsvCell => ({ amount, currency });

/** The columns of the file, in the order of the header. */
const columns = [
  ...(['section', 'state', 'rateType', 'rate', 'quarter', 'currency', 'net', 'tax'] as const),
  ...(['netEur', 'taxEur', 'perEuro', 'rateDate'] as const),
];

type Cells = Partial<Record<(typeof columns)[number], CsvCell>>;

const cells = (row: Cells): CsvCell[] => columns.map((name) => row[name] ?? '');

/** The boxes of the return: one row for each state and rate, with the sum of all currencies. */
function boxes(supplies: readonly SupplyRow[]): CsvCell[][] {
  const sums = summing<Omit<SupplyKey, 'currency'>, { netEur: number; taxEur: number }>();
  for (const { state, rateType, rate, netEur, taxEur } of supplies)
    if (netEur !== null && taxEur !== null) sums.add({ state, rateType, rate }, { netEur, taxEur });
  return sums
    .rows()
    .map(({ netEur, taxEur, ...key }) =>
      cells({ section: 'supply', ...key, rate: percentCell(key.rate), netEur: euro(netEur), taxEur: euro(taxEur) }),
    );
}

function correctionBoxes(section: string, corrections: readonly CorrectionRow[]): CsvCell[][] {
  const sums = summing<Omit<CorrectionKey, 'currency'>, { taxEur: number }>();
  for (const { state, quarter, taxEur } of corrections) if (taxEur !== null) sums.add({ state, quarter }, { taxEur });
  return sums.rows().map(({ taxEur, ...key }) => cells({ section, ...key, taxEur: euro(taxEur) }));
}

/** The amount due to each state, and in total. A negative balance of one state does not reduce that of another. */
function balances(supplies: readonly SupplyRow[], corrections: readonly CorrectionRow[]): CsvCell[][] {
  const sums = summing<{ state: string }, { taxEur: number }>();
  for (const { state, taxEur } of [...supplies, ...corrections]) if (taxEur !== null) sums.add({ state }, { taxEur });
  const rows = sums.rows();
  const due = sum(rows.map(({ taxEur }) => Math.max(0, taxEur)));
  return [
    ...rows.map(({ state, taxEur }) => cells({ section: 'balance', state, taxEur: euro(taxEur) })),
    cells({ section: 'due', taxEur: euro(due) }),
  ];
}

const supplyDetail = ({ net, tax, netEur, taxEur, currency, ...row }: SupplyRow): CsvCell[] =>
  cells({
    section: 'supply_by_currency',
    ...row,
    rate: percentCell(row.rate),
    currency,
    net: inSale(net, currency),
    tax: inSale(tax, currency),
    netEur: euro(netEur),
    taxEur: euro(taxEur),
  });

const correctionDetail = ({ tax, taxEur, currency, netEur: _, ...row }: CorrectionRow): CsvCell[] =>
  cells({ section: 'correction_by_currency', ...row, currency, tax: inSale(tax, currency), taxEur: euro(taxEur) });
