import type { PricedItem } from './priced-item.ts';
import { quote } from './quote.ts';

/**
 * What a tax costs the merchant who owes it, but has not counted it in a price: out of the net of an inclusive price, and
 * beside an exclusive one, because the buyer has not paid it.
 * @param rate a decimal string, on the same part of the price as the first tax
 */
export function costOfMissingTax(item: PricedItem, rate: string): number {
  const [first] = item.components;
  const missing = { name: 'Missing', jurisdiction: '', rate, baseFraction: first?.baseFraction ?? '1', reason: null };
  const [whole = item] = quote([
    { ...item, treatment: { components: [...item.components, missing], warnings: [] } },
  ]).lines;
  return whole.tax - item.tax;
}
