import type { ZeroReason } from '../checkout/tax.ts';
import { minorUnitDigits } from '../money/currency.ts';
import { sum } from '../money/money.ts';
import { one, rateTimesFraction } from '../money/rounding.ts';
import type { Document, DocumentComponent, DocumentLine } from './document.ts';

/**
 * The codes of EN 16931 for how a line is taxed: standard (any rate above zero), zero-rated, exempt, reverse charge,
 * and outside the scope. The codes K and G for exported goods never apply, because Tillstack sells no goods that are
 * shipped.
 */
export type VatCode = 'S' | 'Z' | 'E' | 'AE' | 'O';

export interface VatCategory {
  code: VatCode;
  /** A decimal string, `0.19` for 19 %; null outside the scope of the tax. */
  rate: string | null;
  /** The reason why no tax is charged; null if tax is charged. */
  reason: ZeroReason | null;
}

/** All lines with one code and rate. The amounts are those of the document, negative on a credit note. */
export interface VatSubtotal extends Pick<VatCategory, 'code' | 'rate'> {
  net: number;
  tax: number;
  reasons: readonly ZeroReason[];
}

/** A document in terms of EN 16931: the category of each line, and the totals by category. */
export interface VatBreakdown {
  categories: readonly VatCategory[];
  subtotals: readonly VatSubtotal[];
}

/** Why a document cannot be expressed in EN 16931. */
export type NotCarried = 'three_decimals' | 'other_taxes' | 'no_seller_id' | 'no_buyer_id' | 'tax_alone';

/** The taxes that EN 16931 counts as VAT. The standard does not cover sales taxes and other levies. */
const valueAdded = new Set(['VAT', 'GST', 'HST', 'IGST', 'IGI', 'IGV', 'IVA', 'JCT', 'PPN (12 % × 11/12)']);

/** The lines and totals by category, or the reason why the standard cannot express the document. */
export function vatBreakdownOf(document: Document): VatBreakdown | NotCarried {
  if (minorUnitDigits(document.currency) > 2) return 'three_decimals';
  const found = document.lines.map((line) => categoryOf(line, document));
  const categories = found.filter((category) => category !== undefined);
  if (categories.length < found.length) return 'other_taxes';
  const settled = categories.some(({ code }) => code !== 'O') ? categories.map(withinScope) : categories;
  return lackingId(settled, document) ?? checkedBreakdown(settled, document);
}

/** Whether the document can be downloaded as XML. */
export const isCarried = (document: Document): boolean => typeof vatBreakdownOf(document) !== 'string';

/** Whether the documents of a sale can be expressed in the standard, judged by currency and taxes. */
export const isSaleCarried = ({ currency, lines }: Sold): boolean =>
  minorUnitDigits(currency) <= 2 && lines.every((line) => categoryOf(line, { relief: { kind: 'none' } }) !== undefined);

interface Sold {
  currency: string;
  lines: readonly Pick<DocumentLine, 'components'>[];
}

function categoryOf(
  { components }: Pick<DocumentLine, 'components'>,
  { relief }: Pick<Document, 'relief'>,
): VatCategory | undefined {
  const [first, ...others] = components;
  if (!first || others.some(({ reason }) => reason === null || reason !== first.reason)) return undefined;
  if (first.reason === null) return charged(first);
  if (first.reason === 'zero_rated') return { code: 'Z', rate: '0', reason: null };
  if (first.reason === 'exempt') return { code: 'E', rate: '0', reason: 'exempt' };
  const isAccounted = relief.kind === 'reverse_charge' || relief.kind === 'payable_under_reverse_charge';
  if (first.reason === 'reverse_charge' && isAccounted) return { code: 'AE', rate: '0', reason: 'reverse_charge' };
  return { code: 'O', rate: null, reason: first.reason };
}

const charged = ({ name, rate, baseFraction }: DocumentComponent): VatCategory | undefined =>
  rate !== null && baseFraction === '1' && valueAdded.has(name) ? { code: 'S', rate, reason: null } : undefined;

/**
 * Replaces the code `O`, which the standard does not allow together with other codes. A line without tax then counts as
 * exempt, with its reason.
 */
const withinScope = (category: VatCategory): VatCategory =>
  category.code === 'O' ? { ...category, code: 'E', rate: '0' } : category;

function lackingId(categories: readonly VatCategory[], { seller, buyer }: Document): NotCarried | undefined {
  if (seller.taxIds.length === 0 && categories.some(({ code }) => code !== 'O')) return 'no_seller_id';
  return buyer.taxId === null && categories.some(({ code }) => code === 'AE') ? 'no_buyer_id' : undefined;
}

function checkedBreakdown(
  categories: readonly VatCategory[],
  { lines, currency }: Document,
): VatBreakdown | NotCarried {
  const groups = new Map<string, { category: VatCategory; reasons: Set<ZeroReason>; lines: DocumentLine[] }>();
  for (const [index, category] of categories.entries()) {
    const key = `${category.code} ${category.rate}`;
    const group = groups.get(key) ?? { category, reasons: new Set(), lines: [] };
    if (category.reason) group.reasons.add(category.reason);
    groups.set(key, { ...group, lines: [...group.lines, lines[index] as DocumentLine] });
  }
  const subtotals = [...groups.values()].map((group): VatSubtotal => {
    const { code, rate } = group.category;
    const [net, tax] = [sum(group.lines.map((line) => line.net)), sum(group.lines.map((line) => line.tax))];
    return { code, rate, net, tax, reasons: [...group.reasons] };
  });
  return subtotals.every((subtotal) => isRateOf(subtotal, currency)) ? { categories, subtotals } : 'tax_alone';
}

/**
 * Whether the tax equals rate times net, within the one major unit that the standard's rules BR-S-09 and BR-CO-17
 * allow for rounding. A credit note of only the tax does not fulfil this.
 */
function isRateOf({ net, tax, rate }: VatSubtotal, currency: string): boolean {
  const difference = BigInt(tax) * one - BigInt(net) * rateTimesFraction(rate ?? '0', '1');
  const unit = one * 10n ** BigInt(minorUnitDigits(currency));
  return (difference < 0n ? -difference : difference) * 200n < unit * 199n;
}
