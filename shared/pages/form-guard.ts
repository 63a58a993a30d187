import { createHash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../domain/errors.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Refuses a form that was not sent by the page of its session. */
export function assertOwnForm(
  post: { headers: Headers; publicUrl: string; token: string },
  { formToken }: { formToken: string },
): void {
  if (isSameOrigin(post.headers, post.publicUrl) && isSame(post.token, formToken)) return;
  throw new DomainError('FORBIDDEN', 'This form belongs to another session.');
}

/**
 * Whether a page of this stack sent the form. Browsers say so in a header. Other clients must know the form's token
 * anyway.
 */
export function isSameOrigin(headers: Headers, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const origin = headers['origin'];
  return origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin;
}

/** Compares two texts in constant time. */
export const isSame = (presented: string, expected: string): boolean =>
  timingSafeEqual(digest(presented), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
