import type { AdjustableQuantity } from '../catalogue/adjustable-quantity.ts';
import type { WishRequest } from '../catalogue/wish.ts';
import type { SessionFields } from './checkout-session.ts';

/** A line of a cart in a request. */
export interface CartRequest {
  productId: string;
  quantity: number;
  /** The amount of one unit, fixed by the integrator; null if it does not fix one. */
  amount: number | null;
  /** The amount that a public link proposes; absent if none. */
  wish?: WishRequest | undefined;
  /**
   * The quantities that the buyer may choose. `as_product` means the limits of the product. Absent if the quantity is
   * fixed.
   */
  adjustable?: AdjustableQuantity | 'as_product' | undefined;
}

/** The input for a session, or for its preview. */
export interface SessionRequest {
  cart: CartRequest[];
  fields: SessionFields;
  /**
   * The currency of the session, which is refused if a product has no price in it. Null if the buyer's country
   * decides.
   */
  currency: string | null;
  /** The codes, in the order in which they are applied. Absent if none. */
  codes?: string[];
  /** Whether the buyer may also enter codes; absent means yes. */
  takesCodes?: false;
  /** Whether the buyer may pay by card only; absent means by all methods of the processor. */
  takesCardsOnly?: true;
  /**
   * Who asks the buyer for consent to the supply. `integrator` means that the page does not ask. If absent, the page
   * asks.
   */
  consentsBy?: 'integrator';
  /** Whether the buyer may choose another currency in which the products have prices; absent means yes. */
  choosesCurrency?: false;
}

export interface PreviewRequest extends SessionRequest {
  /** The date whose tax rates apply, in the calendar of the buyer's place; absent means today. */
  taxDate?: string | null;
}
