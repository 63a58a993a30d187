import type { SessionFields } from './checkout-session.ts';

/** What a session, or its preview, is made from. */
export interface SessionRequest {
  cart: { productId: string; quantity: number; amount: number | null }[];
  fields: SessionFields;
  /** The currency that the caller expects; another one than the cart's is refused. */
  currency: string | null;
}

export interface PreviewRequest extends SessionRequest {
  /** A date of the place's calendar; absent: today. */
  taxDate?: string | null;
}
