import * as z from 'zod';
import { Amount } from '../money/money.ts';
import { zeroReasons } from './tax.ts';

/** One tax on an item, and its amount. */
export const ChargedTax = z.object({
  name: z.string(),
  jurisdiction: z.string(),
  rate: z.string().nullable(),
  baseFraction: z.string(),
  reason: z.enum(zeroReasons).nullable(),
  amount: Amount,
});
export type ChargedTax = z.infer<typeof ChargedTax>;

/** What a line sells, with its figures: `net + tax = gross`, and the components sum to the tax. */
export const PricedItem = z.object({
  /** Whether `unitAmount` contains the tax. */
  taxInclusive: z.boolean(),
  quantity: z.int(),
  /** The amount of one unit, as displayed or as chosen by the buyer. */
  unitAmount: Amount,
  /** How much discount codes reduce the whole line; absent without a code. */
  discount: Amount.optional(),
  net: Amount,
  tax: Amount,
  gross: Amount,
  components: z.array(ChargedTax),
  /** The country that taxes the line, if it is not the buyer's; absent otherwise. */
  taxedIn: z.string().optional(),
});
export type PricedItem = z.infer<typeof PricedItem>;

/** An item before its tax is known. */
export type UnpricedItem = Pick<PricedItem, 'taxInclusive' | 'quantity' | 'unitAmount' | 'discount'>;

/** The amount of a line before the tax is computed. The tax is inside of it, or is added to it. */
export const lineAmount = ({
  quantity,
  unitAmount,
  discount = 0,
}: Pick<UnpricedItem, 'quantity' | 'unitAmount' | 'discount'>): number => unitAmount * quantity - discount;
