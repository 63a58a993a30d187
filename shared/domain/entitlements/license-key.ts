import { createHash } from 'node:crypto';
import * as z from 'zod';
import { DomainError } from '../errors.ts';
import type { LicenseKeyConfig } from './entitlement.ts';
import { FileUse, type Grant, usedAgain } from './grant.ts';

/** Who supplied a key: the stack (`auto`), an import, or the merchant's own code (`manual`). */
export const keySources = ['auto', 'import', 'manual'] as const;

/** A key that unlocks a product on the buyer's devices, or a code from a pool, which only its publisher can check. */
export const LicenseKey = z.object({
  id: z.string(),
  /** The key as buyer and merchant read it. */
  key: z.string(),
  source: z.enum(keySources),
  /** Whether it is a code of another publisher, which cannot be activated here. */
  isPoolCode: z.boolean(),
  /** The grant that gives it; null for a key that the merchant imported without a sale. */
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
  /**
   * The first and the latest activation and the number of activations, including devices that were deactivated. Absent
   * before the first one.
   */
  uses: FileUse.optional(),
  expiresAt: z.string().nullable(),
  isDisabled: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type LicenseKey = z.infer<typeof LicenseKey>;

/** A device, or another copy of the software, on which a key is active. The API calls it an instance. */
export const Activation = z.object({
  id: z.string(),
  licenseKeyId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** When it was deactivated, which also removed its name; absent while it is active. */
  endedAt: z.string().optional(),
});
export type Activation = z.infer<typeof Activation>;

/** The states of a key, as the API names them. A key is `disabled` if its sale gives no access. */
export const keyStatuses = ['active', 'expired', 'disabled'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

/** The 32 characters of a key: digits and capitals without I, L, O and U, which are easily misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 5;
const groupLength = 5;
const signs = groups * groupLength;
/** How many random bytes a key needs: 25 characters of 5 bits are 125 bits. */
export const keyBytes = 16;

const grouped = (text: string): string =>
  Array.from({ length: groups }, (_, index) => text.slice(index * groupLength, (index + 1) * groupLength)).join('-');

/** Makes the text of a key from random bytes: five groups of five characters. */
export function keyText(bytes: Uint8Array): string {
  if (bytes.length < keyBytes) throw new RangeError(`A key needs ${keyBytes} random bytes.`);
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const text = Array.from({ length: signs }, () => {
    const sign = alphabet[Number(rest % 32n)] as string;
    rest /= 32n;
    return sign;
  });
  return grouped(text.join(''));
}

const misread: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

/**
 * The stored spelling of a key that the stack made, from any case and spacing; undefined if the text cannot be such a
 * key.
 */
function ourSpelling(text: string): string | undefined {
  const plain = text
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ILO]/g, (sign) => misread[sign] ?? sign);
  return plain.length === signs && [...plain].every((sign) => alphabet.includes(sign)) ? grouped(plain) : undefined;
}

/**
 * The texts under which an entered key may be stored. An imported key is stored exactly as it is; a key of the stack is
 * stored in its own spelling.
 */
export const storedTextsOf = (entered: string): string[] => {
  const ours = ourSpelling(entered);
  return ours === undefined || ours === entered ? [entered] : [entered, ours];
};

/** The hash by which a key is looked up in the table. */
export const keyHashOf = (text: string): string => createHash('sha256').update(`license ${text}`).digest('hex');

/** The most keys that are imported in one transaction. Each key takes two of the hundred rows of a transaction. */
export const maxImportedKeys = 40;

/** The key with only its last group visible, for a reader who may not use it. */
export const maskedKey = (text: string): string =>
  `••••${text.slice(text.length - Math.min(4, Math.floor(text.length / 4)))}`;

const addUnits: Record<NonNullable<LicenseKeyConfig['validity']>['unit'], (date: Date, count: number) => number> = {
  Day: (date, count) => date.setUTCDate(date.getUTCDate() + count),
  Week: (date, count) => date.setUTCDate(date.getUTCDate() + 7 * count),
  Month: (date, count) => addMonths(date, count),
  Year: (date, count) => addMonths(date, 12 * count),
};

/** Adds months. The 31st becomes the last day of a shorter month. */
function addMonths(date: Date, count: number): number {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, last));
}

/** When a key that is given now expires; null if never. */
export function expiryOf({ validity }: Pick<LicenseKeyConfig, 'validity'>, now: string): string | null {
  if (!validity) return null;
  const date = new Date(now);
  addUnits[validity.unit](date, validity.count);
  return date.toISOString();
}

type KeyTerms = Pick<LicenseKey, 'id' | 'key' | 'source' | 'activationsLimit' | 'expiresAt'>;
type KeyOfGrant = Pick<Grant, 'id' | 'entitlementId' | 'paymentId' | 'productId' | 'customerId' | 'brandId'>;

/** The key of a grant, before its first write. */
export const keyOfGrant = (grant: KeyOfGrant, terms: KeyTerms & { isPoolCode?: boolean }, now: string): LicenseKey => ({
  isPoolCode: false,
  ...terms,
  grantId: grant.id,
  entitlementId: grant.entitlementId,
  paymentId: grant.paymentId,
  productId: grant.productId,
  customerId: grant.customerId,
  brandId: grant.brandId,
  activations: 0,
  isDisabled: false,
  createdAt: now,
  updatedAt: now,
  version: 0,
});

/** A key that was replaced by another one. It is disabled for ever, and active on no device. */
export const replacedKey = (key: LicenseKey, now: string): LicenseKey => ({
  ...key,
  isDisabled: true,
  activations: 0,
  updatedAt: now,
});

type ImportedTerms = Pick<
  LicenseKey,
  'id' | 'key' | 'productId' | 'customerId' | 'brandId' | 'activationsLimit' | 'expiresAt'
>;

/** A key that a merchant brings from an earlier system, without a sale. */
export const newImportedKey = (terms: ImportedTerms, now: string): LicenseKey => ({
  ...terms,
  source: 'import',
  isPoolCode: false,
  grantId: null,
  entitlementId: null,
  paymentId: null,
  activations: 0,
  isDisabled: false,
  createdAt: now,
  updatedAt: now,
  version: 0,
});

/**
 * The state of a key.
 * @param hasAccess whether its sale still gives access; true for a key without a sale
 */
export function keyStatusOf(
  key: Pick<LicenseKey, 'isDisabled' | 'expiresAt'>,
  { hasAccess, now }: { hasAccess: boolean; now: string },
): KeyStatus {
  if (key.isDisabled || !hasAccess) return 'disabled';
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active';
}

/** A key with its state at a moment. */
export interface KeyState {
  key: LicenseKey;
  status: KeyStatus;
}

/**
 * On how many devices a key without a limit can be active. Otherwise, a program that never deactivates would add rows
 * without end.
 */
export const mostActivations = 10_000;

/** Refuses an activation above the limit, and adds one. */
export function activated(key: LicenseKey, now: string): LicenseKey {
  const { activationsLimit, activations, uses } = key;
  const limit = activationsLimit ?? mostActivations;
  if (activations >= limit)
    throw new DomainError(
      'LICENSE_KEY_LIMIT_REACHED',
      `The licence key is already active on ${activations} of ${limit} devices. Deactivate one of them first${
        activationsLimit === null ? ', or ask the seller for a higher limit' : ''
      }.`,
    );
  return { ...key, activations: activations + 1, uses: usedAgain(uses, now), updatedAt: now };
}

/** The key with one active device fewer. */
export const deactivated = (key: LicenseKey, now: string): LicenseKey => ({
  ...key,
  activations: Math.max(0, key.activations - 1),
  updatedAt: now,
});

export const unknownLicenseKey = (): DomainError =>
  new DomainError('LICENSE_KEY_NOT_FOUND', 'There is no such licence key.');
