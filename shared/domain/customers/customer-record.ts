import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import type { Customer } from '../checkout/buyer.ts';
import { DomainError } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';

/**
 * The erasure of a customer's personal data: when it was requested, and when it ended because nothing was left to
 * erase.
 */
const Erasure = z.object({
  requestedAt: z.string(),
  endedAt: z.string().nullable(),
  /** The sort key of the last event that the erasure has checked. */
  eventsAfter: z.string().optional(),
});

/**
 * What the merchant has stored about a customer. Most customers have no such row, because their payments contain all
 * data. If the e-mail address changes, the id stays.
 */
export const CustomerRecord = z.object({
  id: z.string(),
  /** The address; null after an erasure, until the next purchase gives it again. */
  email: z.string().nullable(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  metadata: Metadata,
  /** The language of mails that the buyer has chosen in the portal; absent if none was chosen. */
  language: z.string().optional(),
  erasure: Erasure.nullable(),
  /**
   * The ids that the customer's later addresses would have: withdrawals that were typed with them have these. Absent if
   * the address never changed. A change by 0.2.0 is not noted.
   */
  typedAs: z.array(z.string()).optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type CustomerRecord = z.infer<typeof CustomerRecord>;

/** A customer as the API and the dashboard show them. Erased details are empty texts. */
export interface CustomerProfile extends Customer {
  metadata: Metadata;
  createdAt: string;
  erasure: { requestedAt: string; endedAt: string | null } | null;
}

/** The data about a customer that payments contain. */
export interface KnownPurchases {
  firstAt: string;
  /** The details of the latest payment. */
  latest: Customer;
}

/** The customer from the merchant's own row, or else from payments; undefined if there is neither. */
export function profileOf(
  id: string,
  record: CustomerRecord | undefined,
  purchases: KnownPurchases | undefined,
): CustomerProfile | undefined {
  const createdAt = record?.createdAt ?? purchases?.firstAt;
  if (createdAt === undefined) return undefined;
  const { erasure = null, metadata = {} } = record ?? {};
  return { ...detailsOf(id, record, purchases), metadata, createdAt, erasure: erasure && shown(erasure) };
}

/**
 * The details of a customer. During an erasure it uses no payments, because they may still contain data that must be
 * erased.
 */
function detailsOf(id: string, record?: CustomerRecord, purchases?: KnownPurchases): Customer {
  if (record && record.email !== null) return { id, email: record.email, name: record.name ?? '', phone: record.phone };
  const isErasing = record?.erasure?.endedAt === null;
  if (isErasing || !purchases) return { id, email: '', name: '', phone: null };
  return { ...purchases.latest, id };
}

const shown = ({ requestedAt, endedAt }: z.infer<typeof Erasure>) => ({ requestedAt, endedAt });

/** The fields that a merchant can change; undefined leaves a field unchanged, null removes it. */
export interface CustomerChange {
  email?: string | undefined;
  name?: string | undefined;
  phone?: string | null | undefined;
  metadata?: Metadata | undefined;
  /** Only the buyer changes the language, in the portal. */
  language?: string | undefined;
}

/** Makes a merchant's row for a customer from the known data. */
export const recordOf = ({ id, email, name, phone, metadata, createdAt }: CustomerProfile): CustomerRecord => ({
  id,
  email: email || null,
  name: name || null,
  phone,
  metadata,
  erasure: null,
  createdAt,
  updatedAt: createdAt,
  version: 0,
});

/** An instant, and the id that the customer's address would have. */
interface Moment {
  now: string;
  idOfEmail: string;
}

const alsoTypedAs = ({ id, typedAs = [] }: CustomerRecord, { idOfEmail }: Moment): Pick<CustomerRecord, 'typedAs'> => {
  const all = [...new Set([...typedAs, idOfEmail])].filter((one) => one !== id);
  return all.length > 0 ? { typedAs: all } : {};
};

/** Applies a merchant's change. Refuses it while the customer's data is being erased. */
export function changedRecord(record: CustomerRecord, change: CustomerChange, moment: Moment): CustomerRecord {
  assertNotErasing(record);
  const { email = record.email, name = record.name, phone = record.phone, metadata = record.metadata } = change;
  const language = change.language === undefined ? {} : { language: change.language };
  const known = { email, name, phone, metadata, ...language, ...alsoTypedAs(record, moment) };
  return { ...record, ...known, updatedAt: moment.now };
}

export function assertNotErasing({ id, erasure }: CustomerRecord): void {
  if (erasure?.endedAt === null) throw new DomainError('CONFLICT', brokenRule(sentences.erasing, { customer: id }));
}

/** Erases the details in the row, and starts the erasure of everything else. An erasure that already runs continues. */
export function beginErasure({ language: _, ...record }: CustomerRecord, moment: Moment): CustomerRecord {
  const { now } = moment;
  const erasure = record.erasure?.endedAt === null ? record.erasure : { requestedAt: now, endedAt: null };
  const erased = { email: null, name: null, phone: null, metadata: {}, ...alsoTypedAs(record, moment) };
  return { ...record, ...erased, erasure, updatedAt: now };
}

/** The ids with which the customer's typed withdrawals may be found. */
export const typistsOf = ({ id, typedAs = [] }: Pick<CustomerRecord, 'id' | 'typedAs'>): string[] => [id, ...typedAs];

/** Stores how far the erasure has come in the list of events. */
export const erasedUpTo = (record: CustomerRecord, eventsAfter: string): CustomerRecord => ({
  ...record,
  ...(record.erasure ? { erasure: { ...record.erasure, eventsAfter } } : {}),
});

export function endErasure({ typedAs: _, ...record }: CustomerRecord, now: string): CustomerRecord {
  if (!record.erasure) return record;
  const { eventsAfter: __, ...erasure } = record.erasure;
  return { ...record, erasure: { ...erasure, endedAt: now }, updatedAt: now };
}
