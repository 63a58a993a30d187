import * as z from 'zod';

/** A code as it is typed, with letters in any case. It has a file to itself, so that functions that only sell load no other schema of discounts. */
export const codeText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{3,16}$/, 'must have 3 to 16 letters, digits, _ or -')
  .transform((code) => code.toUpperCase());
