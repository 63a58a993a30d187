import * as z from 'zod';

/**
 * The amount of one unit that a public link proposes. Anybody can write such a link, so the buyer can change the
 * amount and all limits apply to it.
 */
export const Wish = z.object({ amount: z.int(), currency: z.string() });
export type Wish = z.infer<typeof Wish>;

/** A proposed amount in a request. Without a currency, it is in the product's own currency. */
export type WishRequest = Pick<Wish, 'amount'> & Partial<Wish>;
