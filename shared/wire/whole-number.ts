import * as z from 'zod';

/** A number without sign or fraction in a query, within limits. */
export const wholeNumber = (least: number, most: number, message: string) =>
  z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most, message)
    .meta({ type: 'integer', minimum: least, maximum: most })
    .transform(Number);
