import type { PricedItem } from './priced-item.ts';
import { quote } from './quote.ts';

/**
 * How much the merchant loses if a tax is owed that was not part of the price. If the price includes tax, the merchant
 * pays it from the net. Otherwise, it is added, but the buyer has not paid it.
 * @param rate the rate of the missing tax as a decimal string, on the same part of the price as the first tax
 */
export function costOfMissingTax(item: PricedItem, rate: string): number {
  const [first] = item.components;
  const missing = { name: 'Missing', jurisdiction: '', rate, baseFraction: first?.baseFraction ?? '1', reason: null };
  const [whole = item] = quote([
    { ...item, treatment: { components: [...item.components, missing], warnings: [] } },
  ]).lines;
  return whole.tax - item.tax;
}
