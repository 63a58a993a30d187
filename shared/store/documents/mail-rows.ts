import * as z from 'zod';
import { MailNote } from '../../domain/orders/mail-notes.ts';

/**
 * The state of a document's mail: how it ended, or until when a worker has claimed it. `notes` is a set of JSON texts.
 * Adding to a set needs no reading, and a repetition changes nothing, in whichever order the notes arrive.
 */
export const MailRow = z.object({
  at: z.string().optional(),
  outcome: z.enum(['sent', 'refused', 'none']).optional(),
  claimedUntil: z.string().optional(),
  notes: z.set(z.string()).optional(),
});
export type MailRow = z.infer<typeof MailRow>;

/** The notes of a mail in the order of time. A row of 0.2.0 has none, and tells only how the newest mail ended. */
export function notesOf({ at, outcome, notes }: MailRow): MailNote[] {
  if (notes) return [...notes].map((text) => MailNote.parse(JSON.parse(text))).sort((a, b) => a.at.localeCompare(b.at));
  return at === undefined || outcome === undefined || outcome === 'none' ? [] : [{ at, what: outcome }];
}

/** Parsing puts the fields in one order, so one note is always one text. */
export const noteTexts = (notes: readonly MailNote[]): Set<string> =>
  new Set(notes.map((note) => JSON.stringify(MailNote.parse(note))));
