import { env } from '../env.ts';
import { type DocumentStore, documentStore } from '../store/documents/document-store.ts';
import { type MailStore, mailStore } from '../store/documents/mail-store.ts';
import { sourceReader } from '../store/documents/source-rows.ts';
import { awaitMail, endDocument, type MailWait } from '../store/events/event-duty.ts';
import { type ExchangeRateStore, exchangeRateStore } from '../store/exchange-rate-store.ts';
import { type ExportJobStore, exportJobStore } from '../store/export-job-store.ts';
import { type FiledReturnStore, filedReturnStore } from '../store/filed-return-store.ts';
import { type ThresholdStore, thresholdStore } from '../store/threshold-store.ts';
import { oneAfterAnother } from '../use-cases/documents/one-after-another.ts';
import { freeze, table } from './runtime.ts';

/**
 * The stores and settings for documents and reports. They are not in `runtime.ts`, because that file opens only the
 * table and the common stores.
 */

export const exportJobs = (): ExportJobStore => exportJobStore(table());
export const filedReturns = (): FiledReturnStore => filedReturnStore(table());
export const thresholds = (): ThresholdStore => thresholdStore(table(), freeze());
export const exchangeRates = (): ExchangeRateStore => exchangeRateStore(table());
export const documents = (): DocumentStore => documentStore(table());
export const mails = (): MailStore => mailStore(table(), freeze());

/** Whether buyers get their documents by mail. */
export const mailsDocuments = (): boolean => env.merchant().receipts !== undefined || env.mailFolder() !== undefined;

export const documentsInTurn = /* @__PURE__ */ oneAfterAnother();

/** Reads the first rows for the documents of these payments and refunds in one call. */
export const readSourcesAhead = /* @__PURE__ */ sourceReader(table);

/** Marks an event as documented. This does not need the store of events. */
export const markDocumented = (id: string): Promise<boolean> => endDocument(table(), id);

/** Leaves the mail of an event to the sweep. This does not need the store of events. */
export const leaveMail = (id: string, wait: MailWait): Promise<boolean> => awaitMail(table(), id, wait);
