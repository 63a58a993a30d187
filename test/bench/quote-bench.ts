import Big from 'big.js';
import { type QuoteLine, quote } from '../../shared/domain/checkout/quote.ts';
import { one, rateTimesFraction, reduce, roundHalfUp } from '../../shared/domain/money/rounding.ts';
import { quoteLine } from '../support/shop/payments.ts';
import { medianNanoseconds, report } from './measure.ts';
import { quoteWithBig, quoteWithBigInt } from './rivals.ts';

const cart = (lines: number): QuoteLine[] =>
  Array.from({ length: lines }, (_, index) => quoteLine({ unitAmount: 1_999 + 37 * index, rates: ['0.09', '0.09'] }));

const perSecond = (nanoseconds: number): string =>
  `${(nanoseconds / 1_000).toFixed(2).padStart(9)} µs  ${Math.round(1e9 / nanoseconds)
    .toLocaleString('en')
    .padStart(11)} / s`;

/** The quote beside the same rule in big.js and in BigInt, in one run. */
export function benchQuote(): void {
  for (const size of [1, 10, 20, 100]) {
    const lines = cart(size);
    assertSame(lines);
    const figures = medianNanoseconds({
      'this quote': () => quote(lines),
      'big.js only': () => quoteWithBig(lines),
      'BigInt only': () => quoteWithBigInt(lines),
    });
    report(
      `Quote of ${size} ${size === 1 ? 'line' : 'lines'}`,
      [...figures].map(([name, time]) => [name, perSecond(time)]),
    );
  }
  benchRounding();
}

function assertSame(lines: QuoteLine[]): void {
  const ours = JSON.stringify(quote(lines).lines.map((line) => line.components.map(({ amount }) => amount)));
  for (const rival of [quoteWithBig(lines), quoteWithBigInt(lines)])
    if (JSON.stringify(rival) !== ours) throw new Error('The contenders disagree.');
}

function benchRounding(): void {
  const part = rateTimesFraction('0.19', '1');
  const share = reduce(part, one + part);
  const rate = new Big('0.19');
  let amount = 0;
  const next = () => {
    amount = (amount + 7_919) % 2_000_000_000;
    return amount;
  };
  const figures = medianNanoseconds({
    'roundHalfUp (exact)': () => roundHalfUp(next(), share),
    'multiply and floor (inexact)': () => Math.floor(next() * (0.19 / 1.19) + 0.5),
    'big.js (exact)': () => new Big(next()).times(rate).div(rate.plus(1)).round(0, Big.roundHalfUp).toNumber(),
  });
  report(
    'Tax of one amount',
    [...figures].map(([name, time]) => [name, `${time.toFixed(1).padStart(9)} ns`]),
  );
}
