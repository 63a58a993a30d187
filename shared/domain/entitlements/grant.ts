import * as z from 'zod';
import { grantIdOf } from '../ids.ts';
import type { Payment } from '../payments/payment.ts';
import { grantedUnits } from './cart-keys.ts';
import { AccessRules } from './entitlement.ts';
import { entitlementTypes, type LineEntitlement } from './line-entitlement.ts';

/** The states of a grant. A grant that is suspended by a dispute keeps the state `delivered`. */
export const grantStatuses = ['pending', 'delivered', 'failed', 'revoked'] as const;
export type GrantStatus = (typeof grantStatuses)[number];

/**
 * Why a grant was revoked. A revocation by a refund or dispute can end when its cause ends. A revocation by the
 * merchant does not.
 */
export const Revocation = z.object({
  by: z.enum(['refund', 'dispute', 'merchant']),
  at: z.string(),
  reason: z.string().nullable(),
});
export type Revocation = z.infer<typeof Revocation>;

/** How often and when a buyer downloaded a file or activated a key. */
export const FileUse = z.object({ firstAt: z.string(), lastAt: z.string(), count: z.int() });
export type FileUse = z.infer<typeof FileUse>;

export const usedAgain = (use: FileUse | undefined, at: string): FileUse => ({
  firstAt: use?.firstAt ?? at,
  lastAt: at,
  count: (use?.count ?? 0) + 1,
});

/** Stores when a buyer first opened what a grant gives. Later openings change nothing. */
export const withOpening = <Opened extends { openedAt?: string | undefined }>(grant: Opened, at: string): Opened =>
  grant.openedAt !== undefined && grant.openedAt <= at ? grant : { ...grant, openedAt: at };

/** One buyer's entitlement, from one unit or line of one payment. */
export const Grant = z.object({
  id: z.string(),
  entitlementId: z.string(),
  entitlementName: z.string(),
  type: z.enum(entitlementTypes),
  paymentId: z.string(),
  /** The position of its line in the payment. */
  line: z.int(),
  /** The number of the unit within the line, from 0. It is always 0 for things that a line gives only once. */
  unit: z.int(),
  productId: z.string(),
  brandId: z.string(),
  customerId: z.string(),
  /** The rules as they were when it was granted. */
  access: AccessRules,
  status: z.enum(grantStatuses),
  deliveredAt: z.string().nullable(),
  revocation: Revocation.nullable(),
  /** Why it could not be delivered. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** The id of its licence key or pool code; null before it has one. */
  licenseKeyId: z.string().nullable(),
  /** Whether it is in the queue for a code of its pool; absent if not. */
  isQueued: z.literal(true).optional(),
  /** The downloads by file id; absent before the first one. */
  downloads: z.record(z.string(), FileUse).optional(),
  /** When its buyer first opened the key, link or text, or first activated the key; absent before. */
  openedAt: z.string().optional(),
  /** When its payment had succeeded; absent unless its line waits for the confirmation of the contract. */
  paidAt: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The number of the grant's events. */
  events: z.int(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type Grant = z.infer<typeof Grant>;

/** A grant that a payment owes: which entitlement, for which line and unit. */
export interface OwedGrant {
  id: string;
  entitlement: LineEntitlement;
  line: number;
  unit: number;
}

/**
 * Every grant that a payment owes. Their ids follow from the payment, so issuing twice issues the same grants, and a
 * payment's grants are found without an index.
 */
export const grantsOwedBy = ({ id, lines }: Pick<Payment, 'id' | 'lines'>): OwedGrant[] =>
  lines.flatMap(({ entitlements = [], quantity }, line) =>
    entitlements.flatMap((entitlement) =>
      Array.from({ length: grantedUnits(entitlement.type, quantity) }, (_, unit) => ({
        id: grantIdOf(id, line, entitlement.id, unit),
        entitlement,
        line,
        unit,
      })),
    ),
  );

interface Giving {
  lines: readonly { entitlements?: readonly LineEntitlement[] | undefined }[];
}

/** Whether a payment or a checkout gives anything. */
export const givesSomething = ({ lines }: Giving): boolean =>
  lines.some(({ entitlements = [] }) => entitlements.length > 0);
