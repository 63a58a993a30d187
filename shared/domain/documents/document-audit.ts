import type { SeriesAudit } from './document-series.ts';

/** Where an audit continues: after a document number, or after a payment or refund in the list. */
export type AuditPlace = { numbersAfter: number } | { subjectsAfter: string | undefined };

/** What is missing for a number, payment or refund. `sale` means the payment or refund of a number. */
export interface Missing {
  what: 'document' | 'number' | 'mail' | 'sale';
  subjectId: string;
  number: string | null;
}

/** The result for one portion of an audit. `next` says where the next portion begins; null at the end. */
export interface DocumentAudit extends SeriesAudit {
  missing: Missing[];
  next: AuditPlace | null;
}
