import * as z from 'zod';

/** Where a key comes from: made by us, imported, or set by the merchant's own code. */
export const keySources = ['auto', 'import', 'manual'] as const;

/** A key that unlocks a product on the buyer's devices, or a code of a pool, which only somebody else can check. */
export const LicenseKey = z.object({
  id: z.string(),
  /** The key as buyer and merchant read it. */
  key: z.string(),
  source: z.enum(keySources),
  /** Whether it is somebody else's code, which cannot be activated here. */
  isPoolCode: z.boolean(),
  /** The grant that gives it; null for a key that the merchant made without a sale. */
  grantId: z.string().nullable(),
  entitlementId: z.string().nullable(),
  paymentId: z.string().nullable(),
  productId: z.string(),
  customerId: z.string(),
  brandId: z.string(),
  /** On how many devices it can be active; null if unlimited. */
  activationsLimit: z.int().nullable(),
  /** On how many devices it is active. */
  activations: z.int(),
  expiresAt: z.string().nullable(),
  isDisabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type LicenseKey = z.infer<typeof LicenseKey>;

/** A device, or another copy of the software, on which a key is active. The dialect calls it an instance. */
export const Activation = z.object({
  id: z.string(),
  licenseKeyId: z.string(),
  name: z.string(),
  createdAt: z.string(),
});
export type Activation = z.infer<typeof Activation>;
