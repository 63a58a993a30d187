import * as z from 'zod';

/** Names one mail with a document. The mail service gives it back with each report, so it holds no personal data. */
export const MailTag = z.object({
  /** The payment or refund of the document, or the id of a corrected invoice. */
  subjectId: z.string().regex(/^[a-z]{3}_[A-Za-z0-9_]{1,64}$/),
  /** When the mail was begun. It tells the mails of one document apart, and their order. */
  attempt: z.string().regex(/^\d{8}T\d{9}Z$/),
  /** The counter of the order's link. A corrected address has a higher one. */
  orderLink: z.int().min(0),
});
export type MailTag = z.infer<typeof MailTag>;

/** `2026-03-01T12:00:05.000Z` becomes `20260301T120005000Z`, because a tag of SES has no other characters. */
export const attemptAt = (instant: string): string => instant.replace(/\W/g, '');

/** Why a mail came back, as far as the receiving server says it. */
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

/** One thing that happened to a mail about a payment. `sent` and `refused` are our own; the others were reported later. */
export const MailNote = z.object({
  at: z.string(),
  what: z.enum(['sent', 'refused', 'delivered', 'bounced', 'complained']),
  /** A mail besides those with a document: a link that a buyer asked for, the news of a corrected address or of a new key. */
  about: z.enum(['link', 'moved', 'key']).optional(),
  attempt: z.string().optional(),
  orderLink: z.int().optional(),
  /** The hash of the confirmation of the contract that the mail carries; absent if it carries none. */
  confirms: z.string().optional(),
  /** Whether no later mail to this address can arrive either. */
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

/** A server that accepted a mail and then answers "for now" without a reason sends an automatic reply. */
function weightOf({ what, isPermanent, reason }: MailNote): number {
  if (what === 'bounced' && !isPermanent) return reason === 'other' ? 1 : 4;
  return { sent: 0, refused: 2, delivered: 3, bounced: 5, complained: 6 }[what];
}

/** The state of a document's newest mail: what counts most of all that is known, in whichever order it was reported. */
export function mailStateOf(notes: readonly MailNote[]): MailNote | undefined {
  const own = notes.filter(({ about }) => about === undefined);
  const newest = own.map(({ attempt = '' }) => attempt).reduce((a, b) => (a > b ? a : b), '');
  return own
    .filter(({ attempt = '' }) => attempt === newest)
    .sort((a, b) => weightOf(b) - weightOf(a) || a.at.localeCompare(b.at))[0];
}

/** Whether the newest mail came back for good, so another one to the same address is useless. */
export function hasBouncedForGood(notes: readonly MailNote[]): boolean {
  const state = mailStateOf(notes);
  return state?.what === 'bounced' && state.isPermanent === true;
}

/**
 * A report about a mail to the order's present address. It proves that the mail was sent, though the worker that sent
 * it died before it noted that.
 */
export const proofOfSending = (notes: readonly MailNote[], orderLink: number): MailNote | undefined =>
  notes.find((note) => note.attempt !== undefined && note.orderLink === orderLink && isReported(note));

const isReported = ({ what }: MailNote): boolean => what !== 'sent' && what !== 'refused';

/** The part of an order that tells its present address from a former one. */
interface Addressed {
  orderLink?: number | undefined;
  hasOwnAddress?: true | undefined;
}

/**
 * The notes of the mails to an order's present address. Mails to a former address prove nothing about its buyer. They
 * came before the news of the correction, or have another counter of the order's link.
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
 * The first mail with the confirmation of the contract that the mail service accepted for the order's present address
 * and that did not come back; undefined if there is none.
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

/** The notes that must be kept: the confirmation under each counter of the order's link, and the news of a correction. */
export function provingNotes(notes: readonly MailNote[]): ReadonlySet<MailNote> {
  const byLink = [...Map.groupBy(notes, ({ orderLink }) => orderLink).values()];
  const proofs = byLink.flatMap((ofLink) => confirmation(ofLink) ?? []);
  return new Set([...proofs, ...notes.filter(({ about }) => about === 'moved').slice(-1)]);
}
