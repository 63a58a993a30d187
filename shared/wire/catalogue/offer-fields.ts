import * as z from 'zod';
import { mostUnits } from '../../domain/catalogue/adjustable-quantity.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says, saysWith } from '../says.ts';
import { defined } from '../values.ts';

const units = z.int().min(1).max(mostUnits);

/** How many units the buyer may choose. */
export const QuantityLimits = z
  .strictObject({ minimum: units.default(1), maximum: units })
  .refine(({ minimum, maximum }) => minimum <= maximum, {
    ...saysWith('INVALID_REQUEST_PARAMETERS', sentences.quantity_order),
    path: ['maximum'],
  });

const notHttps = says(sentences.https_address);
/**
 * A web address with https. The check for `https://` is needed because parsers of addresses add missing slashes.
 * Without them, links on pages do not work.
 */
export const webAddress = z
  .url({ protocol: /^https$/, ...notHttps })
  .max(2_000)
  .refine((address) => /^https:\/\//i.test(address), notHttps);

interface OfferInput {
  adjustable_quantity?: z.output<typeof QuantityLimits> | null | undefined;
}

/** The terms of the payment link of a new product. */
export const offerOf = (input: OfferInput): Pick<Product, 'adjustable'> =>
  defined({ adjustable: input.adjustable_quantity ?? undefined });
