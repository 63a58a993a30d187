import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a post comes from a page of this origin: browsers say so, other clients have to know the token anyway. */
export function isSameOrigin(headers: Readonly<Record<string, string | undefined>>, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const origin = headers['origin'];
  return origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin;
}

/** Whether the form carries the session's token, in a time that tells nothing about it. */
export const isToken = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
