import { allocate, allocateNested } from '../money/allocation.ts';
import { assertAmount, sum } from '../money/money.ts';
import { type Fraction, one, rateTimesFraction, reduce, roundHalfUp } from '../money/rounding.ts';
import { lineAmount, type PricedItem, type UnpricedItem } from './priced-item.ts';
import type { TaxComponent, TaxTreatment } from './tax.ts';

/** An item to price, and how it is taxed. */
export interface QuoteLine extends UnpricedItem {
  treatment: TaxTreatment;
}

export interface Quote {
  lines: PricedItem[];
  net: number;
  tax: number;
  gross: number;
}

/**
 * Prices a cart. Lines with the same rates and tax behaviour are taxed together. Each component's tax is rounded
 * half up once, then allocated to the lines by largest remainder. An inclusive amount never changes: the net is the
 * rest.
 */
export function quote(lines: readonly QuoteLine[]): Quote {
  const priced: PricedItem[] = new Array(lines.length);
  for (const group of groupByRateSet(lines)) priceGroup(lines, group, priced);
  const totals = {
    net: sum(priced.map((line) => line.net)),
    tax: sum(priced.map((line) => line.tax)),
    gross: sum(priced.map((line) => line.gross)),
  };
  assertAmount(totals.gross, 'total_amount');
  return { lines: priced, ...totals };
}

/** Lines that are taxed together, because their rates and tax behaviour are the same. */
interface Group {
  taxInclusive: boolean;
  components: readonly TaxComponent[];
  /** Their indexes in the cart. */
  members: number[];
}

function groupByRateSet(lines: readonly QuoteLine[]): Group[] {
  const groups: Group[] = [];
  for (const [index, { taxInclusive, treatment }] of lines.entries()) {
    const { components } = treatment;
    const known = groups.find(
      (group) => group.taxInclusive === taxInclusive && isSameSet(group.components, components),
    );
    if (known) known.members.push(index);
    else groups.push({ taxInclusive, components, members: [index] });
  }
  return groups;
}

const isSameSet = (a: readonly TaxComponent[], b: readonly TaxComponent[]): boolean =>
  a === b || (a.length === b.length && a.every((component, index) => isSame(component, b[index])));

const isSame = (a: TaxComponent, b: TaxComponent | undefined): boolean =>
  a.rate === b?.rate &&
  a.reason === b.reason &&
  a.name === b.name &&
  a.jurisdiction === b.jurisdiction &&
  a.baseFraction === b.baseFraction;

function priceGroup(lines: readonly QuoteLine[], group: Group, priced: PricedItem[]): void {
  const { members, components, taxInclusive } = group;
  const amounts = members.map((index) => amountOf(lines[index] as QuoteLine, index));
  const entered = sum(amounts);
  const taxes = sharesOfTax(group).map((share) => (share ? roundHalfUp(entered, share) : 0));
  const lineTaxes = allocate(sum(taxes), amounts);
  const split = splitIntoComponents(lineTaxes, taxes);
  for (const [position, index] of members.entries()) {
    const amount = amounts[position] as number;
    const tax = lineTaxes[position] as number;
    const parts = split[position] as number[];
    const { quantity, unitAmount } = lines[index] as QuoteLine;
    priced[index] = {
      taxInclusive,
      quantity,
      unitAmount,
      net: taxInclusive ? amount - tax : amount,
      tax,
      gross: taxInclusive ? amount : amount + tax,
      components: components.map((component, c) => ({ ...component, amount: parts[c] as number })),
    };
  }
}

function amountOf(line: QuoteLine, index: number): number {
  const amount = lineAmount(line);
  assertAmount(amount, `product_cart[${index}].amount`);
  return amount;
}

const compiled = new Map<string, (Fraction | null)[]>();

/**
 * Each component's tax as a fraction of the entered amount: `rf / (1 + S)` of a gross, `rf` of a net; null when it
 * is zero for a reason.
 */
function sharesOfTax({ components, taxInclusive }: Group): (Fraction | null)[] {
  const rated = components.map((c) => (c.reason === null && c.rate !== null ? `${c.rate} ${c.baseFraction}` : '-'));
  const key = `${taxInclusive} ${rated.join('+')}`;
  const known = compiled.get(key);
  if (known) return known;
  const rates = components.map((c) =>
    c.reason === null && c.rate !== null ? rateTimesFraction(c.rate, c.baseFraction) : null,
  );
  const whole = taxInclusive ? rates.reduce<bigint>((total, rate) => total + (rate ?? 0n), one) : one;
  const shares = rates.map((rate) => (rate === null ? null : reduce(rate, whole)));
  compiled.set(key, shares);
  return shares;
}

/**
 * Splits each line's tax into components by nested running totals. Rows and columns add up, and no part is
 * negative.
 */
function splitIntoComponents(lineTaxes: readonly number[], componentTaxes: readonly number[]): number[][] {
  let running = 0;
  let before = componentTaxes.map(() => 0);
  return lineTaxes.map((tax) => {
    running += tax;
    const after = allocateNested(running, componentTaxes);
    const parts = after.map((share, index) => share - (before[index] as number));
    before = after;
    return parts;
  });
}
