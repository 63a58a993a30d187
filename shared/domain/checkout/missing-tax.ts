import type { PricedItem } from './priced-item.ts';
import { quote } from './quote.ts';

/**
 * What it costs the merchant to owe a tax that no price contained. An inclusive price pays it from its net; for an
 * exclusive price it is extra, because the buyer has not paid it.
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
