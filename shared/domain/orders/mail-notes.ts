import * as z from 'zod';

/**
 * Identifies one mail with a document. The mail service returns it with each report, so it contains no personal data.
 */
export const MailTag = z.object({
  /** The payment or refund of the document, or the id of a corrected invoice. */
  subjectId: z.string().regex(/^[a-z]{3}_[A-Za-z0-9_]{1,64}$/),
  /**
   * When the sending of this mail began. It distinguishes the mails of one document and gives their order.
   */
  attempt: z.string().regex(/^\d{8}T\d{9}Z$/),
  /** The counter of the order's link. It is higher after the address was corrected. */
  orderLink: z.int().min(0),
});
export type MailTag = z.infer<typeof MailTag>;

/**
 * Writes an instant for a tag: `2026-03-01T12:00:05.000Z` becomes `20260301T120005000Z`. SES allows no other characters
 * in a tag.
 */
export const attemptAt = (instant: string): string => instant.replace(/\W/g, '');

/** Why a mail came back, if the receiving server says so. */
export const bounceReasons = [
  'unknown_address',
  'mailbox_full',
  'too_large',
  'content',
  'blocked',
  'suppressed',
  'other',
] as const;
export type BounceReason = (typeof bounceReasons)[number];

/**
 * One event of a mail about a payment. The stack itself notes `sent` and `refused`. The mail service reports the others
 * later.
 */
export const MailNote = z.object({
  at: z.string(),
  what: z.enum(['sent', 'refused', 'delivered', 'bounced', 'complained']),
  /** The subject of a mail without a document: a link that a buyer requested, a corrected address, or a new key. */
  about: z.enum(['link', 'moved', 'key']).optional(),
  attempt: z.string().optional(),
  orderLink: z.int().optional(),
  /** The hash of the contract's confirmation that the mail contains; absent if it contains none. */
  confirms: z.string().optional(),
  /** Whether later mails to this address cannot arrive either. */
  isPermanent: z.boolean().optional(),
  reason: z.enum(bounceReasons).optional(),
  /** The answer of the receiving server, without addresses. */
  diagnostic: z.string().optional(),
});
export type MailNote = z.infer<typeof MailNote>;

/** What the mail service reports about a mail. */
export interface MailReport {
  tag: MailTag;
  note: MailNote;
}

/**
 * The weight of a note, to find the most important one. A temporary bounce without a reason has a low weight, because
 * it is usually an automatic reply.
 */
function weightOf({ what, isPermanent, reason }: MailNote): number {
  if (what === 'bounced' && !isPermanent) return reason === 'other' ? 1 : 4;
  return { sent: 0, refused: 2, delivered: 3, bounced: 5, complained: 6 }[what];
}

/** The state of a document's newest mail. It is the most important note, regardless of the order of the reports. */
export function mailStateOf(notes: readonly MailNote[]): MailNote | undefined {
  const own = notes.filter(({ about }) => about === undefined);
  const newest = own.map(({ attempt = '' }) => attempt).reduce((a, b) => (a > b ? a : b), '');
  return own
    .filter(({ attempt = '' }) => attempt === newest)
    .sort((a, b) => weightOf(b) - weightOf(a) || a.at.localeCompare(b.at))[0];
}

/** Whether the newest mail came back permanently. Then another mail to the same address is useless. */
export function hasBouncedForGood(notes: readonly MailNote[]): boolean {
  const state = mailStateOf(notes);
  return state?.what === 'bounced' && state.isPermanent === true;
}

/**
 * A report about a mail to the order's current address. It proves that the mail was sent, even if the worker crashed
 * before it could note that.
 */
export const proofOfSending = (notes: readonly MailNote[], orderLink: number): MailNote | undefined =>
  notes.find((note) => note.attempt !== undefined && note.orderLink === orderLink && isReported(note));

const isReported = ({ what }: MailNote): boolean => what !== 'sent' && what !== 'refused';

/** The fields of an order that distinguish its current address from an earlier one. */
interface Addressed {
  orderLink?: number | undefined;
  hasOwnAddress?: true | undefined;
}

/**
 * The notes of the mails to an order's current address. Mails to an earlier address prove nothing about the buyer. They
 * were sent before the mail about the correction, or have another counter of the order's link.
 */
function notesOfAddress(notes: readonly MailNote[], { orderLink = 0, hasOwnAddress }: Addressed): readonly MailNote[] {
  if (!hasOwnAddress) return notes;
  const movedAt = notes.findLast(({ about }) => about === 'moved')?.at;
  return notes.filter(({ at, orderLink: link }) => link === orderLink || (movedAt !== undefined && at > movedAt));
}

/** A confirmation of the contract that reached the buyer. */
export interface Confirmed {
  /** When the mail service accepted it. */
  acceptedAt: string;
  hash: string;
}

/**
 * The first mail with the contract's confirmation that the mail service accepted for the order's current address. It
 * must not have come back. Undefined if there is none.
 */
export function confirmedBy(notes: readonly MailNote[], order: Addressed): Confirmed | undefined {
  const proof = confirmation(notesOfAddress(notes, order));
  return proof && { acceptedAt: proof.at, hash: proof.confirms ?? '' };
}

function confirmation(notes: readonly MailNote[]): MailNote | undefined {
  return notes.find(({ what, confirms, attempt }) => {
    if (what !== 'sent' || confirms === undefined || attempt === undefined) return false;
    const state = mailStateOf(notes.filter((note) => note.attempt === attempt));
    return state?.what !== 'bounced' && state?.what !== 'refused';
  });
}

/**
 * The notes that must be kept: for each counter of the order's link the mail with the confirmation, and the latest mail
 * about a correction.
 */
export function provingNotes(notes: readonly MailNote[]): ReadonlySet<MailNote> {
  const byLink = [...Map.groupBy(notes, ({ orderLink }) => orderLink).values()];
  const proofs = byLink.flatMap((ofLink) => confirmation(ofLink) ?? []);
  return new Set([...proofs, ...notes.filter(({ about }) => about === 'moved').slice(-1)]);
}
