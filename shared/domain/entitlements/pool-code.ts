import { createHash } from 'node:crypto';
import * as z from 'zod';

/** A code of another publisher, such as a game store. Each code is given to one buyer. */
export const PoolCode = z.object({
  entitlementId: z.string(),
  /** Its place in the pool: when it was imported, its number in that import, and a part of its hash. */
  position: z.string(),
  code: z.string(),
  /**
   * The grant to which the code was given; null while it is free. A code that a buyer has seen never becomes free
   * again.
   */
  grantId: z.string().nullable(),
});
export type PoolCode = z.infer<typeof PoolCode>;

/** The most codes of one import. */
export const maxImportedCodes = 1_000;

/** The hash that recognizes a code that was imported before. */
export const poolCodeHashOf = (code: string): string => createHash('sha256').update(`pool ${code}`).digest('hex');

/** The codes of an import in their order. It leaves out repeated codes and empty lines. */
export const newPoolCodes = (entitlementId: string, codes: readonly string[], now: string): PoolCode[] =>
  [...new Set(codes.map((code) => code.trim()).filter(Boolean))].map((code, index) => ({
    entitlementId,
    position: `${now}#${String(index).padStart(4, '0')}#${poolCodeHashOf(code).slice(0, 12)}`,
    code,
    grantId: null,
  }));
