import { createHash } from 'node:crypto';
import * as z from 'zod';

/** A code of somebody else's, such as a game store's, which one buyer gets. */
export const PoolCode = z.object({
  entitlementId: z.string(),
  /** Its place in the pool: when it was imported, its number in that import, and a part of its hash. */
  position: z.string(),
  code: z.string(),
  /** The grant that has it; null while nobody has it. A code that was shown never returns. */
  grantId: z.string().nullable(),
});
export type PoolCode = z.infer<typeof PoolCode>;

/** The most codes of one import. */
export const maxImportedCodes = 1_000;

/** The hash by which a repeated code is recognized. */
export const poolCodeHashOf = (code: string): string => createHash('sha256').update(`pool ${code}`).digest('hex');

/** The codes of an import, each once, in their order. Empty lines do not count. */
export const newPoolCodes = (entitlementId: string, codes: readonly string[], now: string): PoolCode[] =>
  [...new Set(codes.map((code) => code.trim()).filter(Boolean))].map((code, index) => ({
    entitlementId,
    position: `${now}#${String(index).padStart(4, '0')}#${poolCodeHashOf(code).slice(0, 12)}`,
    code,
    grantId: null,
  }));
