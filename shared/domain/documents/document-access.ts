import { timingSafeEqual } from 'node:crypto';

/** Whether one of the presented secrets opens a document. A missing secret opens nothing. */
export function opens(
  presented: readonly (string | undefined)[],
  secrets: readonly (string | null | undefined)[],
): boolean {
  const valid = secrets.flatMap((secret) => (secret ? Buffer.from(secret) : []));
  const offered = presented.flatMap((secret) => (secret ? Buffer.from(secret) : []));
  return offered.some((one) => valid.some((other) => one.length === other.length && timingSafeEqual(one, other)));
}
