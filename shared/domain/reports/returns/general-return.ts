import { type MovedLine, namedKind, type TaxMovement } from './movement.ts';
import { type FinishedReturn, percentCell, type ReturnCounter } from './return-file.ts';
import { summing } from './sums.ts';

interface Key {
  kind: string;
  month: string;
  saleMonth: string;
  country: string;
  region: string | null;
  jurisdiction: string;
  tax: string;
  rate: string | null;
  reason: string | null;
  currency: string;
}

type Figures = { count: number; net: number; taxAmount: number };

const header = [
  'kind',
  'month',
  'sale_month',
  'country',
  'region',
  'jurisdiction',
  'tax_name',
  'rate_percent',
  'reason',
  'currency',
  'count',
  'net',
  'tax',
];

/**
 * Sums sales, refunds, and refunds whose money came back, by place, tax, rate and month of the sale, in the currency of
 * the sale.
 */
export function generalReturn(): ReturnCounter {
  const sums = summing<Key, Figures>();
  return {
    add: (movement) => {
      const counted = new Set<string>();
      for (const line of movement.lines)
        for (const { name: tax, jurisdiction, rate, reason, tax: taxAmount } of line.components) {
          const place = placeOf(movement, line);
          const key = { ...place, jurisdiction, tax, rate, reason, currency: movement.currency };
          const isFirst = !counted.has(JSON.stringify(key));
          counted.add(JSON.stringify(key));
          sums.add(key, { count: isFirst ? 1 : 0, net: line.net, taxAmount });
        }
      return 'counted';
    },
    finish: async (): Promise<FinishedReturn> => ({
      notes: [],
      summary: {
        header,
        rows: sums
          .rows()
          .map(({ rate, currency, net, taxAmount, count, ...key }) => [
            key.kind,
            key.month,
            key.saleMonth,
            key.country,
            key.region,
            key.jurisdiction,
            key.tax,
            percentCell(rate),
            key.reason,
            currency,
            count,
            { amount: net, currency },
            { amount: taxAmount, currency },
          ]),
      },
    }),
  };
}

const placeOf = ({ date, saleDate, country, region, ...movement }: TaxMovement, { taxedIn }: MovedLine) => ({
  kind: namedKind(movement),
  month: date.slice(0, 7),
  saleMonth: saleDate.slice(0, 7),
  ...(taxedIn === undefined ? { country, region } : { country: taxedIn, region: null }),
});
