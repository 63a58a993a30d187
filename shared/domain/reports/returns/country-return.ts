import { sum } from '../../money/money.ts';
import { inLocalCurrency, type RatesOfSale, unconvertedNotes } from './local-amounts.ts';
import { namedKind, type TaxMovement } from './movement.ts';
import { quarterOfDay } from './period.ts';
import { type FinishedReturn, percentCell, type ReturnCounter, type ReturnTable } from './return-file.ts';
import { summing } from './sums.ts';

/** The form of a country's own tax return. */
export interface CountryForm {
  currency: string;
  /**
   * Whether a sale to a country counts as domestic or foreign in this form; undefined if it does not belong to this
   * form.
   */
  whereIs: (country: string) => 'home' | 'abroad' | undefined;
  /** The boxes of the form, calculated from the counted rows. */
  boxes: (rows: readonly CountryRow[]) => readonly FormBox[];
  /** The notes for the merchant about the boxes and rows. */
  notes?: (boxes: readonly FormBox[], rows: readonly CountryRow[]) => readonly string[];
  /**
   * Whether the law requires a separate claim for uncollectible amounts. Then they stay in the boxes, and the return
   * only lists them.
   */
  relievesApart?: boolean;
}

interface FormBox {
  box: string;
  amount: number;
}

interface CountryKey {
  /** Whether the sale is taxed in another country. Then the form only states its net. */
  isAbroad: boolean;
  /** Whether the row is an uncollectible amount for which the law requires a separate claim. */
  isCandidate: boolean;
  kind: string;
  saleQuarter: string;
  rate: string | null;
  reason: string | null;
  currency: string;
}

/** `localNet` and `localTax` are in the currency of the return. */
export type CountryRow = CountryKey & { net: number; tax: number; localNet: number; localTax: number };

const header = [
  'section',
  'box',
  'kind',
  'sale_period',
  'rate_percent',
  'reason',
  'currency',
  'net',
  'tax',
  'local_currency',
  'local_net',
  'local_tax',
];

/**
 * Sums the sales to one country and their refunds, in its currency, by the rates of their invoices. A refund is in the
 * period in which it was paid, and names the period of its sale.
 */
export function countryReturn(form: CountryForm, ratesOf: RatesOfSale): ReturnCounter {
  const sums = summing<CountryKey, { net: number; tax: number; localNet: number; localTax: number }>();
  const unconverted = new Set<string>();
  return {
    add: async (movement) => {
      const where = form.whereIs(movement.country);
      if (where === undefined) return 'other';
      const isAbroad = where === 'abroad';
      const sold = isAbroad ? partsAbroad(movement) : partsOf(movement);
      const parts = await inLocalCurrency(movement, sold, { currency: form.currency, ratesOf });
      if (!parts) {
        unconverted.add(movement.currency);
        return 'left_out';
      }
      const kinds = { isAbroad, isCandidate: isRelievedApart(form, movement), kind: namedKind(movement) };
      const { currency, saleDate } = movement;
      for (const { net, tax, localNet, localTax, ...key } of parts)
        sums.add({ ...kinds, saleQuarter: quarterOfDay(saleDate), ...key, currency }, { net, tax, localNet, localTax });
      return 'counted';
    },
    finish: async (): Promise<FinishedReturn> => ({
      summary: tableOf(form, sums.rows()),
      notes: [...(form.notes?.(form.boxes(sums.rows()), sums.rows()) ?? []), ...unconvertedNotes(unconverted)],
    }),
  };
}

const isRelievedApart = ({ relievesApart }: CountryForm, { isUncollectible }: TaxMovement): boolean =>
  relievesApart === true && isUncollectible === true;

interface RatePart {
  rate: string | null;
  reason: string | null;
  net: number;
  tax: number;
}

/** The parts of a movement by rate. Each country that has such a return has only one tax. */
function partsOf({ lines }: TaxMovement): RatePart[] {
  const parts = summing<{ rate: string | null; reason: string | null }, { net: number; tax: number }>();
  for (const { net, components } of lines)
    for (const { rate, reason, tax } of components.slice(0, 1)) parts.add({ rate, reason }, { net, tax });
  return parts.rows();
}

/** A foreign sale as one part. The form only states its net, even if it has several foreign taxes. */
const partsAbroad = ({ net }: TaxMovement): RatePart[] => [{ rate: null, reason: null, net, tax: 0 }];

/**
 * Whether a row counts in a box of the return. Disputes without a ground and sales that the country does not tax are in
 * no box.
 */
export const counts = ({ isAbroad, isCandidate, kind, reason }: CountryRow): boolean =>
  !isAbroad &&
  !isCandidate &&
  kind !== 'disputed' &&
  (reason === null || reason === 'zero_rated' || reason === 'exempt');

function tableOf({ currency: local, boxes }: CountryForm, rows: readonly CountryRow[]): ReturnTable {
  const money = (amount: number, currency: string) => ({ amount, currency });
  return {
    header,
    rows: [
      ...boxes(rows).map(({ box, amount }) => [
        'box',
        box,
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        local,
        '',
        money(amount, local),
      ]),
      ...rows.map(
        ({ isAbroad, isCandidate, kind, saleQuarter, rate, reason, currency, net, tax, localNet, localTax }) => [
          sectionOf({ isAbroad, isCandidate, kind }),
          '',
          kind,
          saleQuarter,
          percentCell(rate),
          reason,
          currency,
          money(net, currency),
          money(tax, currency),
          local,
          money(localNet, local),
          money(localTax, local),
        ],
      ),
    ],
  };
}

function sectionOf({ isAbroad, isCandidate, kind }: Pick<CountryKey, 'isAbroad' | 'isCandidate' | 'kind'>): string {
  if (kind === 'disputed') return 'not_counted';
  if (isCandidate) return 'bad_debt_candidate';
  return isAbroad ? 'abroad' : 'detail';
}

const totalOf = (rows: readonly CountryRow[], figure: 'localNet' | 'localTax'): number =>
  sum(rows.filter(counts).map((row) => row[figure]));

/**
 * The form of Great Britain. Box 1 is the VAT due on sales, and box 6 the net of the sales. Figures are in pence, but
 * the form requires whole pounds in box 6.
 */
export const britishForm = (isBritish: (country: string) => boolean): CountryForm => ({
  currency: 'GBP',
  whereIs: (country) => (isBritish(country) ? 'home' : undefined),
  boxes: (rows) => [
    { box: '1', amount: totalOf(rows, 'localTax') },
    { box: '6', amount: totalOf(rows, 'localNet') },
  ],
  relievesApart: true,
  notes: (_, rows) =>
    rows.some(({ isCandidate }) => isCandidate)
      ? [
          'Uncollectible amounts are in no box. Claim bad debt relief for them in box 4, from six months after the sale and within four years and six months.',
        ]
      : [],
});

/** The codes of the Swiss form by tax rate: first those until 2023, then the current ones. */
export const swissCodes: Readonly<Record<string, string>> = {
  '0.077': '302',
  '0.081': '303',
  '0.025': '312',
  '0.026': '313',
};

/** Whether a row is a sale. Refunds are not, because they have a code of their own that reduces the consideration. */
const isSale = ({ kind }: CountryRow): boolean => kind === 'sale' || kind === 'late_sale';

/** Whether a row is a foreign supply: it was sold abroad, or its place was corrected to another country later. */
const isSuppliedAbroad = ({ isAbroad, kind, reason }: CountryRow): boolean =>
  kind !== 'disputed' && (isAbroad || reason === 'no_tax');

const netOf = (rows: readonly CountryRow[]): number => sum(rows.map(({ localNet }) => localNet));

/**
 * The form of Switzerland and Liechtenstein, with these codes. 200: the consideration before refunds, worldwide for
 * sellers who are established there, otherwise only in Switzerland. 221: supplies abroad. 230: exempt supplies. 235:
 * refunds. 289: the sum of 221, 230 and 235. 299: the rest, which equals the sum by tax rates. 399: the tax. 500: the
 * amount due before input tax. 510: the credit.
 */
export const swissForm = (isSwiss: (country: string) => boolean, isEstablished = false): CountryForm => ({
  currency: 'CHF',
  whereIs: (country) => (isSwiss(country) ? 'home' : isEstablished ? 'abroad' : undefined),
  boxes: (rows) => {
    const taxed = rows.filter((row) => counts(row) && row.reason !== 'exempt');
    const abroad = isEstablished ? netOf(rows.filter(isSuppliedAbroad)) : 0;
    const exempt = netOf(rows.filter((row) => counts(row) && row.reason === 'exempt'));
    const refunded = 0 - netOf(taxed.filter((row) => !isSale(row)));
    const deducted = abroad + exempt + refunded;
    const all = netOf(taxed.filter(isSale)) + abroad + exempt;
    const rates = Object.entries(swissCodes).map(([rate, box]) => ({
      box,
      amount: netOf(taxed.filter((row) => row.rate === rate)),
    }));
    const tax = totalOf(rows, 'localTax');
    const some = (box: string, amount: number) => (amount === 0 ? [] : [{ box, amount }]);
    return [
      { box: '200', amount: all },
      ...some('221', abroad),
      ...some('230', exempt),
      ...some('235', refunded),
      { box: '289', amount: deducted },
      { box: '299', amount: all - deducted },
      ...rates.filter(({ amount }) => amount !== 0),
      { box: '399', amount: tax },
      tax < 0 ? { box: '510', amount: 0 - tax } : { box: '500', amount: tax },
    ];
  },
  notes: (boxes) => [
    ...boxes
      .filter(({ box, amount }) => Object.values(swissCodes).includes(box) && amount < 0)
      .map(({ box }) => `Code ${box} is negative: more was refunded than sold at this rate.`),
    ...boxes
      .filter(({ box }) => box === '510')
      .map(() => 'The tax is negative: code 510 is the credit, before input tax.'),
  ],
});
