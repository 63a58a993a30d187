import type { RoundingRule } from '../checkout/tax.ts';
import { sum } from '../money/money.ts';
import { type Document, type DocumentLine, type RateGroup, subjectOf } from './document.ts';

/** Groups the lines that were taxed together. The amounts are sums over the lines; the tax is not computed again. */
export function groupByRates(lines: readonly DocumentLine[], rounding?: RoundingRule): RateGroup[] {
  const groups = new Map<string, DocumentLine[]>();
  for (const line of lines) {
    const behaviour = rounding === 'rate_set' ? null : line.taxInclusive;
    const key = JSON.stringify([behaviour, line.components.map(({ amount: _, ...rate }) => rate)]);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()].map(addUp);
}

function addUp(lines: readonly DocumentLine[]): RateGroup {
  const [first] = lines as [DocumentLine];
  const components = first.components.map((component, index) => ({
    ...component,
    amount: sum(lines.map((line) => line.components[index]?.amount ?? 0)),
  }));
  return { taxInclusive: lines.every(({ taxInclusive }) => taxInclusive), ...sumsOf(lines), components };
}

type Figures = Pick<DocumentLine, 'net' | 'tax' | 'gross'>;

/** Adds up the figures of parts of a document. */
export const sumsOf = (parts: readonly Figures[]): Figures => ({
  net: sum(parts.map(({ net }) => net)),
  tax: sum(parts.map(({ tax }) => tax)),
  gross: sum(parts.map(({ gross }) => gross)),
});

/**
 * Refuses a document whose figures do not add up: net + tax = gross everywhere, the components sum to the tax, and
 * lines and groups sum to the totals.
 * @throws Error if the stored figures do not add up
 */
export function assertBalanced(document: Document): Document {
  const { lines, groups } = document;
  const isWhole = [document, ...lines, ...groups].every(({ net, tax, gross }) => net + tax === gross);
  const isSplit = [...lines, ...groups].every(({ tax, components }) => sum(components.map((c) => c.amount)) === tax);
  const addsUp = [lines, groups].every((parts) => isSame(sumsOf(parts), document));
  if (isWhole && isSplit && addsUp) return document;
  throw new Error(`The figures of ${subjectOf(document)} do not add up, so no document is issued.`);
}

const isSame = (a: Figures, b: Figures): boolean => a.net === b.net && a.tax === b.tax && a.gross === b.gross;
