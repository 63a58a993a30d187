import * as z from 'zod';

/** A code as it is typed: letters in any case. It lies apart from the 170 other schemas of discounts, which what sells does not build. */
export const codeText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{3,16}$/, 'must have 3 to 16 letters, digits, _ or -')
  .transform((code) => code.toUpperCase());
