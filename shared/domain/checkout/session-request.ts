import type { AdjustableQuantity } from '../catalogue/adjustable-quantity.ts';
import type { WishRequest } from '../catalogue/wish.ts';
import type { SessionFields } from './checkout-session.ts';

/** A line of a cart as it is asked for. */
export interface CartRequest {
  productId: string;
  quantity: number;
  /** The amount of one unit that the integrator locks; null: the buyer chooses. */
  amount: number | null;
  /** The amount that a public link proposes; absent: none. */
  wish?: WishRequest | undefined;
  /** How many units the buyer may choose: within these limits, or as the product says; absent: none. */
  adjustable?: AdjustableQuantity | 'as_product' | undefined;
}

/** What a session, or its preview, is made from. */
export interface SessionRequest {
  cart: CartRequest[];
  fields: SessionFields;
  /** The currency of the session; refused where a product has no price in it. Null: the buyer's country decides. */
  currency: string | null;
  /** In the order in which they are taken off; absent: none, as in the requests of version 0.1, whose answers are kept. */
  codes?: string[];
  /** Absent: the buyer may enter codes as well. */
  takesCodes?: false;
  /** Absent: the buyer may choose another currency, where the products have prices in it. */
  choosesCurrency?: false;
}

export interface PreviewRequest extends SessionRequest {
  /** A date of the place's calendar; absent: today. */
  taxDate?: string | null;
}
