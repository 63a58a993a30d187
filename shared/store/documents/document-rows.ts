import * as z from 'zod';
import { Document, subjectOf } from '../../domain/documents/document.ts';
import { AlreadyIssued, type Series, TakenNumber, takenBy } from '../../domain/documents/document-series.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { MailNote } from '../../domain/orders/mail-notes.ts';
import { keys } from '../keys.ts';
import { dataIn, pack } from '../table/packed.ts';
import { ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { Item, Write } from '../table/write.ts';
import { MailRow, notesOf } from './mail-rows.ts';

/** A secret that opens a document, and when a link with it was last mailed. */
export const LinkRow = z.object({ secret: z.string(), mailedAt: z.string().optional() });

/** A number of a series, and the payment or refund that has it. */
export interface NumberRow {
  serial: number;
  subjectId: string;
  issuedAt: string;
}

/**
 * All stored facts about the document of one payment or refund. The document and its number are stored separately, so
 * each survives the loss of the other.
 */
export interface Filed {
  document: Document | undefined;
  /** The number in a separate row, which is written after the document. */
  taken: TakenNumber | undefined;
  /**
   * The state of its mail: whether it has ended, whether a mail is expected, and all notes about its mails in the order
   * of time.
   */
  mail: { isDone: boolean; isExpected: boolean; notes: readonly MailNote[] };
  /** A second secret that opens the document, besides the one of its payment. */
  linkSecret: string | undefined;
}

export function filedOf(rows: readonly Item[]): Filed {
  const row = (sk: string) => rows.find((item) => item['sk'] === sk);
  const [document, taken, mailRow, link] = [row('DOCUMENT'), row('NUMBER'), row('MAIL'), row('LINK')];
  const mail = mailRow && MailRow.parse(mailRow);
  return {
    document: document && Document.parse(dataIn(document)),
    taken: taken && TakenNumber.parse(taken),
    mail: {
      isDone: mail?.at !== undefined,
      isExpected: document?.['isMailed'] === true,
      notes: mail ? notesOf(mail) : [],
    },
    linkSecret: link && LinkRow.parse(link).secret,
  };
}

const stale = () => new StaleVersion();

/** Writes the counter, if it still has the version that was read. */
export const seriesWrite = (series: Series): Write =>
  versionedWrite(series, { ...keys.series(series.kind, series.year), entity: 'SERIES' }, stale);

/** The write of a document. Its row says whether a mail to the buyer is expected, so a missing mail is noticed. */
export const documentWrite = (document: Document, isMailed: boolean): Write => ({
  put: { ...keys.document(subjectOf(document)), entity: 'DOCUMENT', data: pack(document), isMailed },
  condition: ifAbsent,
  refusal: () => new AlreadyIssued(subjectOf(document)),
});

/**
 * Writes the permanent number of a payment or refund in a separate row, so that it survives the loss of the document.
 */
export const takenNumberWrite = (subjectId: string, taken: TakenNumber): Write => ({
  put: { ...keys.takenNumber(subjectId), entity: 'DOCUMENT_NUMBER', ...taken },
  condition: ifAbsent,
  refusal: () => new AlreadyIssued(subjectId),
});

/** A row of a series with the numbers of one transaction, or with one number that was restored. */
export const SerialRow = z.object({
  /** The first number of the row. */
  serial: z.int(),
  issuedAt: z.string(),
  subjectId: z.string().optional(),
  subjectIds: z.array(z.string()).optional(),
});

/** The numbers of a row, in order. Each has the payment or refund to which it belongs. */
export const numbersOf = (row: z.infer<typeof SerialRow>): NumberRow[] =>
  (row.subjectIds ?? [row.subjectId ?? '']).map((subjectId, index) => ({
    serial: row.serial + index,
    subjectId,
    issuedAt: row.issuedAt,
  }));

/** Writes consecutive numbers in one row. So the numbers of ten documents cost as many write units as one. */
function serialsWrite(documents: readonly Document[]): Write[] {
  const [first] = documents;
  if (!first) return [];
  const { kind, year, serial, issuedAt } = takenBy(first);
  const put = { ...keys.documentNumber(kind, year, serial), entity: 'NUMBER', serial, issuedAt };
  const refusal = () => new Error(`The number ${kind}-${year} ${serial} was taken before its counter came to it.`);
  return [{ put: { ...put, subjectIds: documents.map(subjectOf) }, condition: ifAbsent, refusal }];
}

/** The writes for new documents and for their numbers in the series. */
export const newDocumentWrites = (documents: readonly Document[], isMailed: boolean): Write[] => [
  ...documents.map((document) => documentWrite(document, isMailed)),
  ...serialsWrite(documents),
];
