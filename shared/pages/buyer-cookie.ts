import type { Payment } from '../domain/payment.ts';
import type { PageRequest } from '../http/page.ts';

type Paid = Pick<Payment, 'id' | 'sessionId'>;

const name = 'buyer';
const lifetimeSeconds = 30 * 24 * 60 * 60;

/** Lets the browser that paid be known from others that have the address of its session. */
export function buyerCookie({ id, sessionId }: Paid, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${id}; Path=/checkout/${sessionId}; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The payment that this browser says it has made; undefined where it says nothing that could be one. */
export function boughtPaymentId({ cookie }: Pick<PageRequest, 'cookie'>): string | undefined {
  const id = cookie(name);
  return id && /^pay_\w{21}$/.test(id) ? id : undefined;
}

/** Whether this is the browser that paid; the id of a payment cannot be guessed. */
export const isBuyer = ({ cookie }: Pick<PageRequest, 'cookie'>, { id }: Pick<Paid, 'id'>): boolean =>
  cookie(name) === id;
