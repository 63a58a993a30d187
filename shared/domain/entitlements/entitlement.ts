import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import type { LineEntitlement } from './line-entitlement.ts';

/** A file that buyers download. Buyers see it only when the uploaded bytes match what was announced. */
export const EntitlementFile = z.object({
  id: z.string(),
  /** The name that the buyer's browser gives the file. */
  name: z.string(),
  contentType: z.string().nullable(),
  /** The size in bytes; null if no size was announced and the upload has not arrived. */
  size: z.int().nullable(),
  /** The announced SHA-256 of its bytes, in hex; null if none was announced. */
  sha256: z.string().nullable(),
  /** Whether the bytes in the bucket match what was announced. */
  isReady: z.boolean(),
  createdAt: z.string(),
});
export type EntitlementFile = z.infer<typeof EntitlementFile>;

export const FilesConfig = z.object({
  type: z.literal('digital_files'),
  /** The files, in the order of the buyer's page. */
  files: z.array(EntitlementFile),
  url: z.string().nullable(),
  instructions: z.string().nullable(),
  /** How often a buyer can download each file; null or absent: without limit. */
  downloadsLimit: z.int().nullable().optional(),
});
export type FilesConfig = z.infer<typeof FilesConfig>;

/** The units of a licence key's validity, as the API names them. */
export const validityUnits = ['Day', 'Week', 'Month', 'Year'] as const;

export const LicenseKeyConfig = z.object({
  type: z.literal('license_key'),
  /** The text that the buyer reads beside the key; null if none. */
  activationMessage: z.string().nullable(),
  /** On how many devices a key can be active; null if unlimited. */
  activationsLimit: z.int().nullable(),
  /** How long a key is valid after its purchase; null if forever. */
  validity: z.object({ count: z.int(), unit: z.enum(validityUnits) }).nullable(),
  /**
   * Who supplies the keys: the stack (`auto`), the merchant's own code (`manual`), or a pool of imported codes
   * (`pool`).
   */
  fulfillment: z.enum(['auto', 'manual', 'pool']),
});
export type LicenseKeyConfig = z.infer<typeof LicenseKeyConfig>;

export const FeatureConfig = z.object({ type: z.literal('feature_flag'), featureId: z.string() });
export type FeatureConfig = z.infer<typeof FeatureConfig>;

export const EntitlementConfig = z.discriminatedUnion('type', [FilesConfig, LicenseKeyConfig, FeatureConfig]);
export type EntitlementConfig = z.infer<typeof EntitlementConfig>;

/** The events that end the access of a grant. The merchant can switch off each one. */
export const AccessRules = z.object({
  /** Whether the full refund of its line revokes it. */
  endsByRefund: z.boolean(),
  /** Whether an open chargeback suspends it. An inquiry of the bank suspends nothing. */
  pausesByDispute: z.boolean(),
  /** Whether a lost dispute revokes it. */
  endsByLoss: z.boolean(),
});
export type AccessRules = z.infer<typeof AccessRules>;

/** The default: access ends if the money goes back. */
export const usualAccessRules: AccessRules = { endsByRefund: true, pausesByDispute: true, endsByLoss: true };

/** Something that products give to their buyers. Changes reach earlier buyers too: they also get a new file. */
export const Entitlement = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  config: EntitlementConfig,
  access: AccessRules,
  metadata: Metadata,
  /**
   * The product that made the entitlement from its older delivery fields. Lists do not show such an entitlement, but it
   * can be read by its id.
   */
  productId: z.string().optional(),
  /** Whether it is not deleted. A deleted one cannot be attached to products, but its grants stay. */
  isActive: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type Entitlement = z.infer<typeof Entitlement>;

export type NewEntitlement = Pick<Entitlement, 'name' | 'description' | 'config' | 'access' | 'metadata'>;

export const newEntitlement = (
  fields: NewEntitlement,
  { id, now, productId }: { id: string; now: string; productId?: string },
): Entitlement => ({
  ...fields,
  id,
  ...(productId !== undefined && { productId }),
  isActive: true,
  createdAt: now,
  updatedAt: now,
  version: 0,
});

/** What products and payments store about an entitlement. */
export const lineEntitlementOf = ({ id, name, config }: Entitlement): LineEntitlement => ({
  id,
  name,
  type: config.type,
});

/** The most entitlements of a product. */
export const maxEntitlements = 10;
