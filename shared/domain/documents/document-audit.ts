import type { SeriesAudit } from './document-series.ts';

/** Where an audit goes on: behind a number, or behind a payment or refund of the list. */
export type AuditPlace = { numbersAfter: number } | { subjectsAfter: string | undefined };

/** Something that is missing, of a number or of a payment or refund: `sale` is what a number is for. */
export interface Missing {
  what: 'document' | 'number' | 'mail' | 'sale';
  subjectId: string;
  number: string | null;
}

/** One portion of an audit; `next` is where the rest begins, null at the end. */
export interface DocumentAudit extends SeriesAudit {
  missing: Missing[];
  next: AuditPlace | null;
}
