import * as z from 'zod';

/** The buyer. Every part can be unknown while a session is open. */
export const Customer = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
});
export type Customer = z.infer<typeof Customer>;

/** The customer without data that identifies a person. The id stays, because payments and lists refer to it. */
export const erasedBuyer = ({ id }: Customer): Customer => ({ id, email: '', name: '', phone: null });

export const BillingAddress = z.object({
  country: z.string(),
  state: z.string().nullable(),
  city: z.string().nullable(),
  street: z.string().nullable(),
  zipcode: z.string().nullable(),
});
export type BillingAddress = z.infer<typeof BillingAddress>;

/** The kinds of tax id that free a buyer from one tax only. In Canada, each of the two taxes has its own number. */
const taxIdKinds = ['ca_gst_hst', 'ca_qst'] as const;
export type TaxIdKind = (typeof taxIdKinds)[number];

/** The registers of tax ids: the EU's, Norway's, the United Kingdom's, Australia's, and the sandbox's imitation. */
export const registerNames = ['vies', 'brreg', 'hmrc', 'abn', 'sandbox'] as const;
export type RegisterName = (typeof registerNames)[number];

/** A register's answer about a tax id, which is the merchant's proof. */
export const RegisterCheck = z.object({
  register: z.enum(registerNames),
  at: z.string(),
  /** The register's verdict; `none` if it gave none. */
  verdict: z.enum(['valid', 'invalid', 'none']),
  /** The error code of the register, if it answered with an error. */
  fault: z.string().optional(),
  /** The number under which the register stores this query. */
  consultation: z.string().optional(),
  /** The registered name of the business. */
  name: z.string().optional(),
  address: z.string().optional(),
});
export type RegisterCheck = z.infer<typeof RegisterCheck>;

/** A business buyer's tax id with the result of its check. */
export const TaxIdCheck = z.object({
  id: z.string(),
  country: z.string(),
  status: z.enum(['valid', 'invalid', 'unverified']),
  /** The name of this kind of id: `EU VAT`. */
  formatName: z.string(),
  checkedAt: z.string(),
  /** The kinds of ids that were given, in a country with separate ids for different taxes. */
  kinds: z.array(z.enum(taxIdKinds)).optional(),
  /** What a buyer declares by giving the id, if the law asks for more than the number. */
  statement: z.enum(['gst_registered']).optional(),
  /** The answers of registers, oldest first; absent if no register was asked. */
  checks: z.array(RegisterCheck).optional(),
});
export type TaxIdCheck = z.infer<typeof TaxIdCheck>;

/**
 * A business's tax id after an erasure of personal data. It keeps the proof of the check, but not the name and address
 * from the register.
 */
export const erasedTaxId = ({ checks, ...taxId }: TaxIdCheck): TaxIdCheck =>
  checks ? { ...taxId, checks: checks.map(({ name: _, address: __, ...check }) => check) } : taxId;

/**
 * Checks the tax id of a buyer in a country, and refuses one that is not valid. An id that a register has confirmed for
 * the same session (`proven`) is not checked again.
 */
export type CheckTaxId = (id: string, country: string, proven?: TaxIdCheck) => Promise<TaxIdCheck>;

/** Whether a register was asked, and has given no verdict yet. */
export const awaitsRegister = ({ status, checks = [] }: TaxIdCheck): boolean =>
  status === 'unverified' && checks.at(-1)?.verdict === 'none';

/** Normalizes an e-mail address, so that different spellings of one address are equal. */
export const normalizeEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase();
