import { sum } from '../../money/money.ts';
import { inLocalCurrency, type RatesOfSale, roundedUnits, unconvertedNotes, withoutCents } from './local-amounts.ts';
import { type MovedLine, namedKind, type TaxMovement } from './movement.ts';
import { quarterOfDay } from './period.ts';
import { type FinishedReturn, percentCell, type ReturnCounter } from './return-file.ts';
import { summing } from './sums.ts';

/**
 * The sections of the return of the seller's own member state.
 * `home`: taxed in the seller's state; by rate. `home_no_tax`: outside the tax, because of a territory, or because the
 * place was corrected later.
 * `union_business`: a business of another member state owes the tax.
 * `oss` and `union_registered`: taxed in another member state, under OSS or under a registration there.
 * `union_not_collected`: no tax was collected in another member state. `third_country`: outside the Union.
 */
export const homeSections = [
  'home',
  'home_no_tax',
  'union_business',
  'oss',
  'union_registered',
  'union_not_collected',
  'third_country',
] as const;
export type HomeSection = (typeof homeSections)[number];

/** The rules and the form of one member state's return. */
export interface HomeScheme {
  /** The currency of the return. */
  currency: string;
  sectionOf: (movement: TaxMovement, line: MovedLine) => HomeSection;
  ratesOf: RatesOfSale;
  /** The box numbers of the state's form; undefined if they are not known here. */
  form: HomeForm | undefined;
}

/** The box numbers of a form. The form has its bases in whole units of the currency. */
export interface HomeForm {
  /** The box of the base of each rate: `0.19` → `81`. */
  rates: Readonly<Record<string, string>>;
  sections: Readonly<Partial<Record<HomeSection, string>>>;
  notes: readonly string[];
}

interface HomeKey {
  section: HomeSection;
  kind: string;
  saleQuarter: string;
  rate: string | null;
  reason: string | null;
  buyer: string;
  currency: string;
}

type HomeRow = HomeKey & Record<'net' | 'tax' | 'localNet' | 'localTax', number>;

/** The number of the box for a supply in the state's form; undefined if none is known. */
export const homeBoxOf = (
  form: HomeForm | undefined,
  { section, rate }: { section: HomeSection; rate: string | null },
): string | undefined => (section === 'home' ? form?.rates[rate ?? ''] : form?.sections[section]);

const header = [
  ...[
    'section',
    'box',
    'supply',
    'kind',
    'sale_period',
    'rate_percent',
    'reason',
    'buyer_id',
    'currency',
    'net',
    'tax',
  ],
  ...['local_currency', 'local_net', 'local_tax', 'whole_net'],
];

/**
 * The return of the member state where the seller is established. It has base and tax by rate, and the sales that are
 * taxed elsewhere. Amounts are converted with the rates of their invoices. A refund belongs to the period in which it
 * was paid.
 */
export function homeReturn(scheme: HomeScheme): ReturnCounter {
  const sums = summing<HomeKey, Record<'net' | 'tax' | 'localNet' | 'localTax', number>>();
  const unconverted = new Set<string>();
  return {
    add: async (movement) => {
      const parts = await inLocalCurrency(movement, partsOf(scheme, movement), scheme);
      if (!parts) {
        unconverted.add(movement.currency);
        return 'left_out';
      }
      const { currency } = movement;
      const common = { kind: namedKind(movement), saleQuarter: quarterOfDay(movement.saleDate), currency };
      for (const { net, tax, localNet, localTax, ...key } of parts)
        sums.add({ ...key, ...common }, { net, tax, localNet, localTax });
      return 'counted';
    },
    finish: async () => finished(scheme, sums.rows(), unconverted),
  };
}

type Part = Pick<HomeRow, 'section' | 'rate' | 'reason' | 'buyer' | 'net' | 'tax'>;

/**
 * Divides a movement by section. Only the sections of the seller's own state have rates and a tax; the others need only
 * the net.
 */
function partsOf({ sectionOf }: HomeScheme, movement: TaxMovement): Part[] {
  const parts = summing<Pick<Part, 'section' | 'rate' | 'reason' | 'buyer'>, { net: number; tax: number }>();
  for (const line of movement.lines) {
    const section = sectionOf(movement, line);
    const [first] = line.components;
    const isHome = section === 'home' || section === 'home_no_tax';
    const { rate = null, reason = null } = isHome && first ? first : {};
    const buyer = section === 'union_business' ? (line.buyerTaxId ?? '') : '';
    const tax = isHome ? sum(line.components.map((one) => one.tax)) : 0;
    parts.add({ section, rate, reason, buyer }, { net: line.net, tax });
  }
  return parts.rows();
}

function finished(
  { currency, form }: HomeScheme,
  rows: readonly HomeRow[],
  unconverted: ReadonlySet<string>,
): FinishedReturn {
  const counted = rows.filter(({ kind }) => kind !== 'disputed');
  const money = (amount: number, of: string) => ({ amount, currency: of });
  const totals = totalsOf(counted).map(({ section, rate, reason, localNet, localTax, wholeNet }) => [
    ...['total', homeBoxOf(form, { section, rate }) ?? '', section, '', '', percentCell(rate), reason, '', '', '', ''],
    ...[currency, money(localNet, currency), money(localTax, currency), form ? wholeNet : ''],
  ]);
  const details = rows.map(({ section, kind, saleQuarter, rate, reason, buyer, ...row }) => [
    ...[kind === 'disputed' ? 'not_counted' : 'detail', '', section, kind, saleQuarter, percentCell(rate), reason],
    ...[buyer, row.currency, money(row.net, row.currency), money(row.tax, row.currency)],
    ...[currency, money(row.localNet, currency), money(row.localTax, currency), ''],
  ]);
  return { summary: { header, rows: [...totals, ...details] }, notes: notesOf(form, counted, unconverted) };
}

/**
 * The sums of the boxes. Sales to businesses of other member states are rounded for each buyer, as in the
 * recapitulative statement.
 */
function totalsOf(rows: readonly HomeRow[]) {
  const sums = summing<Pick<HomeRow, 'section' | 'rate' | 'reason'>, { localNet: number; localTax: number }>();
  const buyers = summing<{ buyer: string }, { localNet: number }>();
  for (const { section, rate, reason, buyer, localNet, localTax } of rows) {
    sums.add({ section, rate, reason }, { localNet, localTax });
    if (section === 'union_business') buyers.add({ buyer }, { localNet });
  }
  const stated = sum(buyers.rows().map(({ localNet }) => roundedUnits(localNet)));
  return homeSections.flatMap((section) =>
    sums
      .rows()
      .filter((row) => row.section === section)
      .map((row) => ({ ...row, wholeNet: section === 'union_business' ? stated : withoutCents(row.localNet) })),
  );
}

function notesOf(form: HomeForm | undefined, rows: readonly HomeRow[], unconverted: ReadonlySet<string>): string[] {
  const unstated = rows.some(({ section, buyer }) => section === 'union_business' && buyer === '');
  const elsewhere = rows.some(({ section }) => section === 'union_not_collected');
  return [
    ...(form?.notes ?? ['The numbers of the boxes in this state’s form are not known here: only the amounts are.']),
    ...(unstated ? ['A sale under reverse charge has no tax id of its buyer. Ask for it: a statement needs it.'] : []),
    ...(elsewhere
      ? ['Some sales to other member states bear no tax: nothing is registered there, or the place was corrected.']
      : []),
    ...unconvertedNotes(unconverted),
  ];
}
