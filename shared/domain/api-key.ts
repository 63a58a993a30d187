import * as z from 'zod';

/** Who may call the API, known by the hash of the key only. */
export const ApiKey = z.object({
  hash: z.string(),
  name: z.string(),
  /** The last four characters, to recognize it in a list. */
  lastFour: z.string(),
  access: z.enum(['read', 'write']),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;
