import * as z from 'zod';

/** Who pays; every part may still be unknown while a session is open. */
export const Customer = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
});
export type Customer = z.infer<typeof Customer>;

export const BillingAddress = z.object({
  country: z.string(),
  state: z.string().nullable(),
  city: z.string().nullable(),
  street: z.string().nullable(),
  zipcode: z.string().nullable(),
});
export type BillingAddress = z.infer<typeof BillingAddress>;

/** A business buyer's tax id with what its check said. */
export const TaxIdCheck = z.object({
  id: z.string(),
  country: z.string(),
  status: z.enum(['valid', 'invalid', 'unverified']),
  /** The name of this kind of id: `EU VAT`. */
  formatName: z.string(),
  checkedAt: z.string(),
});
export type TaxIdCheck = z.infer<typeof TaxIdCheck>;

/** One address, however it is typed: trimmed and in lower case. */
export const normalizeEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();
