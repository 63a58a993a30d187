import type { Locale } from '../locale.ts';
import { formatTag } from './format-tag.ts';
import type { NumberFormat } from './number-format.ts';

type Parts = Intl.NumberFormatPart[];
type Affixes = NumberFormat['negative'];

const numeric: ReadonlySet<string> = new Set(['integer', 'group', 'decimal', 'fraction']);

const textOf = (parts: Parts, type: string): string => parts.find((part) => part.type === type)?.value ?? '';

/**
 * The texts before and after the number, with `¤` as the currency's sign. A minus is a real minus sign in every
 * language. It is never broken from its digits, and screen readers say it.
 */
function affixesOf(parts: Parts): Affixes {
  const first = parts.findIndex(({ type }) => numeric.has(type));
  const last = parts.findLastIndex(({ type }) => numeric.has(type));
  const join = (some: Parts): string =>
    some
      .map(({ type, value }) => (type === 'currency' ? '¤' : value))
      .join('')
      .replace('-', '\u2212');
  return [join(parts.slice(0, first)), join(parts.slice(last + 1))];
}

/** Finds out with `Intl` how a language writes numbers and amounts in these currencies. */
export function describeFormat(locale: Locale, currencies: readonly string[]): NumberFormat {
  const tag = formatTag(locale);
  const plain = new Intl.NumberFormat(tag);
  const parts = plain.formatToParts(12_345.5);
  const ways = new Map<string, NumberFormat['money'][number]>();
  const signs: Record<string, string> = {};
  for (const currency of ['XXY', ...currencies]) {
    const { sign, way } = describeCurrency(tag, currency);
    const key = JSON.stringify(way);
    if (!ways.has(key)) ways.set(key, way);
    const index = [...ways.keys()].indexOf(key);
    if (currency !== 'XXY' && (index > 0 || sign !== currency)) signs[currency] = `${index}${sign}`;
  }
  return {
    decimal: textOf(parts, 'decimal'),
    group: textOf(parts, 'group'),
    leastDigits: textOf(plain.formatToParts(1_234), 'group') === '' ? 2 : 1,
    negative: affixesOf(plain.formatToParts(-5)),
    percent: affixesOf(new Intl.NumberFormat(tag, { style: 'percent' }).formatToParts(0.5)),
    money: [...ways.values()],
    signs,
  };
}

function describeCurrency(tag: string, currency: string) {
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency });
  const [positive, negative] = [format.formatToParts(5), format.formatToParts(-5)];
  return { sign: textOf(positive, 'currency'), way: [affixesOf(positive), affixesOf(negative)] as const };
}
