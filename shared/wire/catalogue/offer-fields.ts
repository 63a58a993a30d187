import * as z from 'zod';
import { mostUnits } from '../../domain/catalogue/adjustable-quantity.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import type { ProductDelivery } from '../../domain/catalogue/product-delivery.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { deliveryConstants } from '../constants.ts';
import { says, saysWith } from '../says.ts';
import { prose } from '../text/texts.ts';
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
/** Parsers of addresses add slashes that are not there, and pages lead nowhere without them. */
export const webAddress = z
  .url({ protocol: /^https$/, ...notHttps })
  .max(2_000)
  .refine((address) => /^https:\/\//i.test(address), notHttps);

/** How the buyer gets the purchase. Files are not delivered, so the rest of the API's field is refused. */
export const DeliveryInput = z
  .strictObject({
    external_url: webAddress.nullish(),
    instructions: prose(1, 1_000).nullish(),
    files: z.unknown().optional(),
  })
  .transform(({ external_url: url = null, instructions = null }): ProductDelivery | null =>
    url || instructions ? { url, instructions } : null,
  );

interface OfferInput {
  adjustable_quantity?: z.output<typeof QuantityLimits> | null | undefined;
  digital_product_delivery?: ProductDelivery | null | undefined;
}

/** The terms of a new product's payment link. */
export const offerOf = (input: OfferInput): Pick<Product, 'adjustable' | 'delivery'> =>
  defined({
    adjustable: input.adjustable_quantity ?? undefined,
    delivery: input.digital_product_delivery ?? undefined,
  });

export const presentProductDelivery = (delivery: ProductDelivery | undefined) =>
  delivery ? { external_url: delivery.url, instructions: delivery.instructions, ...deliveryConstants } : null;
