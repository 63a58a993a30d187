import * as z from 'zod';

/** The amount of one unit that a public link proposes. Anybody can write one, so the buyer can change it and no limit gives way to it. */
export const Wish = z.object({ amount: z.int(), currency: z.string() });
export type Wish = z.infer<typeof Wish>;

/** A wish as a request has it; without a currency, it is in the product's own. */
export type WishRequest = Pick<Wish, 'amount'> & Partial<Wish>;
