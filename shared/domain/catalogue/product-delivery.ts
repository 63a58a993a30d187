import * as z from 'zod';

/** How a buyer gets what was paid: an address to open, a text, or both. Only the buyer is told. */
export const ProductDelivery = z.object({ url: z.string().nullable(), instructions: z.string().nullable() });
export type ProductDelivery = z.infer<typeof ProductDelivery>;
