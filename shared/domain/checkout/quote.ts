import { allocateNested } from '../money/allocation.ts';
import { assertAmount, sum } from '../money/money.ts';
import { taxesOf } from './group-taxes.ts';
import { lineAmount, type PricedItem, type UnpricedItem } from './priced-item.ts';
import type { RoundingRule, TaxComponent, TaxTreatment } from './tax.ts';

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
 * Prices a cart. Lines of one group are taxed together. Each component's tax is rounded half up once, then allocated to
 * the lines by largest remainder. An inclusive amount never changes: the net is the rest.
 */
export function quote(lines: readonly QuoteLine[], rounding: RoundingRule = 'rate_set_and_behaviour'): Quote {
  const priced: PricedItem[] = new Array(lines.length);
  for (const group of groupByRateSet(lines, rounding)) priceGroup(lines, group, priced);
  const totals = {
    net: sum(priced.map((line) => line.net)),
    tax: sum(priced.map((line) => line.tax)),
    gross: sum(priced.map((line) => line.gross)),
  };
  assertAmount(totals.gross, 'total_amount');
  return { lines: priced, ...totals };
}

/**
 * Lines that are taxed together. They have the same rates and, if the rounding rule needs it, the same tax behaviour.
 */
interface Group {
  /** Whether the first line's price includes tax. */
  taxInclusive: boolean;
  components: readonly TaxComponent[];
  /** The indexes of its lines in the cart. */
  members: number[];
}

function groupByRateSet(lines: readonly QuoteLine[], rounding: RoundingRule): Group[] {
  const groups: Group[] = [];
  for (const [index, { taxInclusive, treatment }] of lines.entries()) {
    const { components } = treatment;
    const known = groups.find(
      (group) =>
        (rounding === 'rate_set' || group.taxInclusive === taxInclusive) && isSameSet(group.components, components),
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
  const { members, components } = group;
  const entered = members.map((index) => enteredOf(lines[index] as QuoteLine, index));
  const { taxes, lineTaxes } = taxesOf(components, entered);
  const split = splitIntoComponents(lineTaxes, taxes);
  for (const [position, index] of members.entries()) {
    const { amount } = entered[position] as { amount: number };
    const tax = lineTaxes[position] as number;
    const parts = split[position] as number[];
    const { taxInclusive, quantity, unitAmount, discount, treatment } = lines[index] as QuoteLine;
    priced[index] = {
      taxInclusive,
      quantity,
      unitAmount,
      ...(discount === undefined ? {} : { discount }),
      net: taxInclusive ? amount - tax : amount,
      tax,
      gross: taxInclusive ? amount : amount + tax,
      components: components.map((component, c) => ({ ...component, amount: parts[c] as number })),
      ...(treatment.taxedIn === undefined ? {} : { taxedIn: treatment.taxedIn }),
    };
  }
}

function enteredOf(line: QuoteLine, index: number) {
  const amount = lineAmount(line);
  assertAmount(amount, `product_cart[${index}].amount`);
  return { amount, taxInclusive: line.taxInclusive };
}

/**
 * Splits each line's tax into components by nested running totals. Both the lines and the components add up exactly,
 * and no part is negative.
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
