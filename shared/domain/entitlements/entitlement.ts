import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import type { LineEntitlement } from './line-entitlement.ts';

/** A file that buyers download. It is offered only once its bytes are in the bucket as announced. */
export const EntitlementFile = z.object({
  id: z.string(),
  /** The name that the buyer's browser gives the file. */
  name: z.string(),
  contentType: z.string().nullable(),
  /** The size in bytes; null while an unannounced upload has not arrived. */
  size: z.int().nullable(),
  /** The announced SHA-256 of its bytes, in hex; null if none was announced. */
  sha256: z.string().nullable(),
  /** Whether the bytes are in the bucket as announced. */
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

/** The units of a licence key's validity, in the dialect's words. */
export const validityUnits = ['Day', 'Week', 'Month', 'Year'] as const;

export const LicenseKeyConfig = z.object({
  type: z.literal('license_key'),
  /** The text that the buyer reads beside the key; null if none. */
  activationMessage: z.string().nullable(),
  /** On how many devices a key can be active; null if unlimited. */
  activationsLimit: z.int().nullable(),
  /** How long a key is valid after its purchase; null if forever. */
  validity: z.object({ count: z.int(), unit: z.enum(validityUnits) }).nullable(),
  /** Whether keys are made by us, by the merchant's own code, or taken from a pool of imported codes. */
  fulfillment: z.enum(['auto', 'manual', 'pool']),
});
export type LicenseKeyConfig = z.infer<typeof LicenseKeyConfig>;

export const FeatureConfig = z.object({ type: z.literal('feature_flag'), featureId: z.string() });
export type FeatureConfig = z.infer<typeof FeatureConfig>;

export const EntitlementConfig = z.discriminatedUnion('type', [FilesConfig, LicenseKeyConfig, FeatureConfig]);
export type EntitlementConfig = z.infer<typeof EntitlementConfig>;

/** What ends the access to a grant; each can be switched off by the merchant. */
export const AccessRules = z.object({
  /** Whether the full refund of its line revokes it. */
  endsByRefund: z.boolean(),
  /** Whether an open chargeback suspends it. An inquiry of the bank suspends nothing. */
  pausesByDispute: z.boolean(),
  /** Whether a lost dispute revokes it. */
  endsByLoss: z.boolean(),
});
export type AccessRules = z.infer<typeof AccessRules>;

/** Access ends with the money, unless the merchant wants it otherwise. */
export const usualAccessRules: AccessRules = { endsByRefund: true, pausesByDispute: true, endsByLoss: true };

/** Something that products give to their buyers. Its content is live: a new file also reaches earlier buyers. */
export const Entitlement = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  config: EntitlementConfig,
  access: AccessRules,
  metadata: Metadata,
  /** The product whose older fields made it. Such an entitlement is read by its id and is not listed. */
  productId: z.string().optional(),
  /** Whether it can still be attached to products. Grants of a deleted entitlement stay. */
  isActive: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Counts the writes; 0 before the first one. */
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

/** What products and payments say about an entitlement. */
export const lineEntitlementOf = ({ id, name, config }: Entitlement): LineEntitlement => ({
  id,
  name,
  type: config.type,
});

/** The most entitlements of a product. */
export const maxEntitlements = 10;
