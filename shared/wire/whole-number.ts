import * as z from 'zod';
import type { says } from './says.ts';

/** A number without sign or fraction in a query, within limits. */
export const wholeNumber = (least: number, most: number, message: string | ReturnType<typeof says>) =>
  z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most, message)
    .meta({ type: 'integer', minimum: least, maximum: most })
    .transform(Number);
