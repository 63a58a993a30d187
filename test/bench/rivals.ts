import Big from 'big.js';
import type { QuoteLine } from '../../shared/domain/checkout/quote.ts';

/** What both rivals answer: the tax by line and component. They price carts of one rate set only, so they need no grouping. */
type Taxes = number[][];

/** The rule of the quote with big.js for every figure. */
export function quoteWithBig(lines: readonly QuoteLine[]): Taxes {
  const [first] = lines as [QuoteLine];
  const rates = first.treatment.components.map(({ rate, baseFraction }) => new Big(rate ?? 0).times(baseFraction));
  const divisor = first.taxInclusive ? rates.reduce((sum, rate) => sum.plus(rate), new Big(1)) : new Big(1);
  const amounts = lines.map(({ unitAmount, quantity }) => new Big(unitAmount).times(quantity));
  const total = amounts.reduce((sum, amount) => sum.plus(amount), new Big(0));
  const taxes = rates.map((rate) => total.times(rate).div(divisor).round(0, Big.roundHalfUp));
  const tax = taxes.reduce((sum, part) => sum.plus(part), new Big(0));
  const exact = amounts.map((amount) => tax.times(amount).div(total));
  const floors = exact.map((share) => share.round(0, Big.roundDown).toNumber());
  const rests = exact.map((share, index) => share.minus(floors[index] as number).toNumber());
  return split(giveRest(floors, rests, tax.toNumber()), (running) => {
    let [rest, room] = [new Big(running), tax];
    return taxes.map((part) => {
      const share = room.eq(0) ? room : rest.times(part).div(room).round(0, Big.roundHalfUp);
      rest = rest.minus(share);
      room = room.minus(part);
      return share.toNumber();
    });
  });
}

/** The rule of the quote with BigInt for every figure. */
export function quoteWithBigInt(lines: readonly QuoteLine[]): Taxes {
  const [first] = lines as [QuoteLine];
  const scale = 1_000_000_000_000n;
  const rates = first.treatment.components.map(
    ({ rate, baseFraction }) => millionths(rate ?? '0') * millionths(baseFraction),
  );
  const divisor = first.taxInclusive ? rates.reduce((sum, rate) => sum + rate, scale) : scale;
  const amounts = lines.map(({ unitAmount, quantity }) => BigInt(unitAmount) * BigInt(quantity));
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  const taxes = rates.map((rate) => (2n * total * rate + divisor) / (2n * divisor));
  const tax = taxes.reduce((sum, part) => sum + part, 0n);
  const floors = amounts.map((amount) => Number((tax * amount) / total));
  const rests = amounts.map((amount) => Number((tax * amount) % total));
  return split(giveRest(floors, rests, Number(tax)), (running) => {
    let [rest, room] = [BigInt(running), tax];
    return taxes.map((part) => {
      const share = room === 0n ? 0n : (2n * rest * part + room) / (2n * room);
      rest -= share;
      room -= part;
      return Number(share);
    });
  });
}

function millionths(decimal: string): bigint {
  const [whole = '0', places = ''] = decimal.split('.');
  return BigInt(whole + places.padEnd(6, '0'));
}

function giveRest(floors: number[], rests: number[], total: number): number[] {
  const missing = total - floors.reduce((sum, share) => sum + share, 0);
  const order = rests.map((rest, index) => ({ rest, index })).sort((a, b) => b.rest - a.rest || a.index - b.index);
  for (const { index } of order.slice(0, missing)) floors[index] = (floors[index] ?? 0) + 1;
  return floors;
}

/** Differences of running totals, line by line. */
function split(lineTaxes: number[], nested: (running: number) => number[]): Taxes {
  let running = 0;
  let before = nested(0);
  return lineTaxes.map((tax) => {
    running += tax;
    const after = nested(running);
    const parts = after.map((part, index) => part - (before[index] as number));
    before = after;
    return parts;
  });
}
