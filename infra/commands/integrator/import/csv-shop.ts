import { normalizeEmail } from '../../../../shared/domain/checkout/buyer.ts';
import { maskedKey } from '../../../../shared/domain/entitlements/license-key.ts';
import { decimalIn, minorUnitsIn } from '../money.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';
import {
  type ImportedShop,
  type ImportKind,
  importFaultOf,
  importKinds,
  markOf,
  remarkOn,
  type ShopItem,
} from './shop.ts';

/** The columns of the file, and the kinds of rows that may fill them. */
export const csvColumns = {
  kind: importKinds,
  id: ['product', 'discount', 'customer'],
  name: ['product', 'discount', 'customer'],
  description: ['product'],
  price: ['product', 'price'],
  currency: ['product', 'price', 'discount'],
  country: ['price'],
  tax_category: ['product'],
  tax_inclusive: ['product'],
  pay_what_you_want: ['product'],
  interval: ['product', 'price'],
  product_id: ['price', 'discount', 'licence key'],
  email: ['customer', 'licence key'],
  phone_number: ['customer'],
  code: ['discount'],
  percent: ['discount'],
  amount: ['discount'],
  usage_limit: ['discount'],
  key: ['licence key'],
  activations_limit: ['licence key'],
  expires_at: ['discount', 'licence key'],
} as const satisfies Record<string, readonly ImportKind[]>;
type Column = keyof typeof csvColumns;

const neededColumns: Readonly<Record<ImportKind, readonly Column[]>> = {
  product: ['id', 'name', 'price', 'currency', 'tax_category'],
  price: ['product_id', 'price', 'currency'],
  discount: ['code'],
  customer: ['email'],
  'licence key': ['key', 'product_id', 'email'],
};

/** A line that cannot be imported, and why. */
export interface LineFault {
  line: number;
  message: string;
}

export interface CsvShop {
  shop: ImportedShop;
  faults: LineFault[];
}

/** Thrown if a row is wrong. The message says what is right. */
class RowFault extends Error {}

/** A row of the file. Empty cells are undefined. */
class Row {
  readonly line: number;
  readonly kind: ImportKind;
  readonly #cells: ReadonlyMap<string, string>;

  constructor({ line, cells }: CsvRecord, columns: readonly string[]) {
    this.line = line;
    if (cells.length !== columns.length)
      throw new RowFault(`has ${cells.length} cells, but the first line names ${columns.length} columns.`);
    const named = columns.map((column, at) => [column, (cells[at] ?? '').trim()] as const);
    this.#cells = new Map(named.filter(([, cell]) => cell !== ''));
    const kind = importKinds.find((one) => one === this.text('kind')?.toLowerCase().replaceAll('_', ' '));
    if (!kind) throw new RowFault(`kind must be one of ${importKinds.join(', ')}: not "${this.text('kind') ?? ''}".`);
    this.kind = kind;
    for (const column of this.#cells.keys())
      if (!(csvColumns[column as Column] as readonly ImportKind[]).includes(kind))
        throw new RowFault(`${column} must be empty for a ${kind}.`);
    for (const column of neededColumns[kind]) this.needed(column);
  }

  text(column: Column): string | undefined {
    return this.#cells.get(column);
  }

  needed(column: Column): string {
    const text = this.text(column);
    if (text === undefined) throw new RowFault(`${column} is missing.`);
    return text;
  }

  amount(column: Column): number {
    const [text, currency] = [this.needed(column), this.needed('currency').toUpperCase()];
    const amount = minorUnitsIn(text, currency);
    if (amount !== undefined) return amount;
    throw new RowFault(
      `${column} must be an amount of ${currency} such as 12.50, with a point and no sign: not "${text}".`,
    );
  }

  whole(column: Column): number | undefined {
    const text = this.text(column);
    if (text === undefined) return undefined;
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw new RowFault(`${column} must be a whole number: not "${text}".`);
  }

  flag(column: Column): boolean {
    const text = this.text(column)?.toLowerCase() ?? 'false';
    if (text !== 'true' && text !== 'false') throw new RowFault(`${column} must be true or false: not "${text}".`);
    return text === 'true';
  }

  /** A day counts from midnight UTC. */
  moment(column: Column): string | undefined {
    const text = this.text(column);
    return text && /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  }
}

/** What a row becomes, without its line. */
type Item = Omit<ShopItem, 'kind' | 'line'>;

const itemMakers: Readonly<Record<ImportKind, (row: Row, source: string) => Item>> = {
  product: (row, source) => ({
    id: row.needed('id'),
    body: {
      name: row.needed('name'),
      description: row.text('description') ?? row.needed('name'),
      tax_category: row.needed('tax_category'),
      price: {
        type: 'one_time_price',
        currency: row.needed('currency').toUpperCase(),
        price: row.amount('price'),
        pay_what_you_want: row.flag('pay_what_you_want'),
        tax_inclusive: row.flag('tax_inclusive'),
      },
      metadata: markOf(source, row.needed('id')),
    },
  }),
  price: (row) => {
    const [currency, country] = [row.needed('currency').toUpperCase(), row.text('country')?.toUpperCase()];
    return {
      id: [row.needed('product_id'), currency, country].filter(Boolean).join(' '),
      products: [row.needed('product_id')],
      body: { amount: row.amount('price'), currency, country_code: country },
    };
  },
  discount: (row, source) => {
    const id = row.text('id') ?? row.needed('code').toUpperCase();
    const products = row.text('product_id')?.split(/\s+/);
    return {
      id,
      ...(products && { products }),
      body: {
        ...deductionOf(row),
        code: row.needed('code'),
        name: row.text('name'),
        usage_limit: row.whole('usage_limit'),
        expires_at: row.moment('expires_at'),
        metadata: markOf(source, id),
      },
    };
  },
  customer: (row, source) => {
    const email = row.needed('email');
    const id = row.text('id') ?? normalizeEmail(email);
    const name = row.text('name') ?? email;
    return { id, body: { email, name, phone_number: row.text('phone_number'), metadata: markOf(source, id) } };
  },
  'licence key': (row) => ({
    id: maskedKey(row.needed('key')),
    products: [row.needed('product_id')],
    email: row.needed('email'),
    body: {
      key: row.needed('key'),
      activations_limit: row.whole('activations_limit'),
      expires_at: row.moment('expires_at'),
    },
  }),
};

/** A percentage in basis points, or an amount in one currency. */
function deductionOf(row: Row) {
  const percent = row.text('percent');
  if ((percent === undefined) === (row.text('amount') === undefined))
    throw new RowFault('either percent or amount must be filled.');
  if (percent === undefined) {
    const [amount, currency] = [row.amount('amount'), row.needed('currency').toUpperCase()];
    return { type: 'flat', amount, currency_options: [{ currency, is_default: true, max_amount_possible: amount }] };
  }
  const basisPoints = decimalIn(percent, 2);
  if (basisPoints === undefined) throw new RowFault(`percent must be a number such as 12.5: not "${percent}".`);
  return { type: 'percentage', amount: basisPoints };
}

/** Reads a shop from a file. If a line is wrong, it is a fault, and nothing may be imported. */
export function readCsvShop(text: string, source: string): CsvShop {
  const { records, fault } = csvRecords(text);
  const [heading, ...rows] = records;
  const columns = (heading?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const shop: ImportedShop = { source, items: [], leftOut: [], notes: [] };
  const faults: LineFault[] = fault ? [fault] : [];
  const headingFault = faultOfHeading(columns);
  if (headingFault) return { shop, faults: [...faults, { line: heading?.line ?? 1, message: headingFault }] };
  const lines = new Map<string, number>();
  for (const record of rows)
    try {
      addRow(shop, new Row(record, columns), lines);
    } catch (error) {
      if (!(error instanceof RowFault)) throw error;
      faults.push({ line: record.line, message: error.message });
    }
  faults.push(...setPricingModes(shop.items));
  return { shop, faults: faults.toSorted((one, other) => one.line - other.line) };
}

function faultOfHeading(columns: readonly string[]): string | undefined {
  const unknown = columns.filter((column) => !Object.hasOwn(csvColumns, column));
  if (!columns.includes('kind')) return 'the first line must name the columns: kind is not there.';
  if (unknown.length > 0)
    return `there is no column ${unknown.map((name) => `"${name}"`).join(', ')}. The columns are ${Object.keys(csvColumns).join(', ')}.`;
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  return twice && `the column ${twice} is there twice.`;
}

function addRow(shop: ImportedShop, row: Row, lines: Map<string, number>): void {
  const item: ShopItem = { kind: row.kind, line: row.line, ...itemMakers[row.kind](row, shop.source) };
  const name = `${item.kind} ${item.body['key'] ?? item.id}`;
  const earlier = lines.get(name);
  if (earlier !== undefined) throw new RowFault(`repeats the ${item.kind} ${item.id} of line ${earlier}.`);
  lines.set(name, row.line);
  if (row.text('interval') !== undefined) {
    shop.leftOut.push(remarkOn(item, `is paid every ${row.text('interval')}. Tillstack has no subscriptions.`));
    return;
  }
  const fault = importFaultOf(item);
  if (fault) throw new RowFault(`${fault.field} ${fault.message}.`);
  shop.items.push(item);
}

/** A product has prices by currency or by country, as its rows of prices say. Both together are a fault. */
function setPricingModes(items: ShopItem[]): LineFault[] {
  const prices = items.filter(({ kind }) => kind === 'price');
  const modeOf = ({ body }: ShopItem) => (body['country_code'] ? 'by_country' : 'by_currency');
  const modes = new Map(prices.toReversed().map((price) => [price.products?.[0], modeOf(price)]));
  for (const [at, item] of items.entries())
    if (item.kind === 'product' && modes.has(item.id))
      items[at] = { ...item, body: { ...item.body, pricing_mode: modes.get(item.id) } };
  return prices
    .filter((price) => modes.get(price.products?.[0]) !== modeOf(price))
    .map(({ line = 0, products }) => ({
      line,
      message: `the prices of ${products?.[0]} need a country in all rows, or in none.`,
    }));
}
