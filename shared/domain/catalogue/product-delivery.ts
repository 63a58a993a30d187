import * as z from 'zod';

/** How a buyer gets the purchase: an address to open, a text, or both. Only the buyer sees it. */
export const ProductDelivery = z.object({ url: z.string().nullable(), instructions: z.string().nullable() });
export type ProductDelivery = z.infer<typeof ProductDelivery>;
