import { createHash } from 'node:crypto';

const bytes = Buffer.alloc(65_536, 'yardstick');

/** How many SHA-256 of 64 kB this machine does in a second now: figures of different days are compared by it. */
export function hashesPerSecond(milliseconds = 100): number {
  const startedAt = performance.now();
  let hashes = 0;
  while (performance.now() - startedAt < milliseconds) {
    createHash('sha256').update(bytes).digest();
    hashes += 1;
  }
  return Math.round((hashes * 1_000) / (performance.now() - startedAt));
}
