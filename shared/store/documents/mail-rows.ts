import * as z from 'zod';
import { MailNote } from '../../domain/orders/mail-notes.ts';

/**
 * The state of a document's mail: how it ended, or until when a worker has claimed it. `notes` is a set of JSON texts.
 * Adding to a set needs no read, and a repeated addition changes nothing, in any order.
 */
export const MailRow = z.object({
  at: z.string().optional(),
  outcome: z.enum(['sent', 'refused', 'none']).optional(),
  claimedUntil: z.string().optional(),
  notes: z.set(z.string()).optional(),
});
export type MailRow = z.infer<typeof MailRow>;

/**
 * The notes about a document's mails in the order of time. A row of 0.2.0 has no notes. It only says how the newest
 * mail ended.
 */
export function notesOf({ at, outcome, notes }: MailRow): MailNote[] {
  if (notes) return [...notes].map((text) => MailNote.parse(JSON.parse(text))).sort((a, b) => a.at.localeCompare(b.at));
  return at === undefined || outcome === undefined || outcome === 'none' ? [] : [{ at, what: outcome }];
}

/**
 * The texts of notes. Each note is parsed first, which gives its fields a fixed order. So the same note is always the
 * same text.
 */
export const noteTexts = (notes: readonly MailNote[]): Set<string> =>
  new Set(notes.map((note) => JSON.stringify(MailNote.parse(note))));
