import { env } from '../env.ts';
import { type DocumentStore, documentStore } from '../store/documents/document-store.ts';
import { endDocument } from '../store/events/event-duty.ts';
import { type ExchangeRateStore, exchangeRateStore } from '../store/exchange-rate-store.ts';
import { type ExportJobStore, exportJobStore } from '../store/export-job-store.ts';
import { keys } from '../store/keys.ts';
import { type ThresholdStore, thresholdStore } from '../store/threshold-store.ts';
import { oneAfterAnother } from '../use-cases/documents/one-after-another.ts';
import { countDocumented } from './metrics.ts';
import {
  brands,
  disputes,
  freeze,
  newId,
  now,
  paymentLists,
  payments,
  readAhead,
  table,
  taxRules,
  world,
} from './runtime.ts';

/**
 * The stores and settings for documents and reports. They are not in `runtime.ts`, which opens only the table and
 * common stores.
 */

export const exportJobs = (): ExportJobStore => exportJobStore(table());
export const thresholds = (): ThresholdStore => thresholdStore(table(), freeze());
export const exchangeRates = (): ExchangeRateStore => exchangeRateStore(table());
export const documents = (): DocumentStore => documentStore(table());

/** Whether buyers get their documents by mail. */
export const mailsDocuments = (): boolean => env.merchant().receipts !== undefined || env.mailFolder() !== undefined;

const inTurn = /* @__PURE__ */ oneAfterAnother();

/** The stores from which tax returns are made. */
export const accounting = () => ({
  payments: { ...payments(), ...paymentLists() },
  disputes: disputes(),
  documents: documents(),
  taxRules: taxRules(),
  rates: exchangeRates(),
  merchantCountry: env.merchant().country,
});

/** The dependencies of issuing invoices and credit notes. */
export const issuing = () => ({
  payments: payments(),
  taxRules: taxRules(),
  brands: brands(),
  documents: documents(),
  merchant: env.merchant(),
  rates: exchangeRates(),
  awaitsRates: env.stage() === 'live',
  isMailed: mailsDocuments(),
  inTurn,
  now,
  random: () => world.random(),
});

type PaymentOrRefund = { paymentId: string; refundId?: undefined } | { refundId: string; paymentId?: undefined };

/** Reads with one call the first rows that are needed to issue the documents of these payments and refunds. */
function readSourcesAhead<Result>(subjects: readonly PaymentOrRefund[], act: () => Promise<Result>): Promise<Result> {
  const rowOf = ({ paymentId, refundId }: PaymentOrRefund) =>
    refundId === undefined ? keys.payment(paymentId) : keys.refund(refundId);
  return readAhead([...subjects.map(rowOf), keys.taxRules(), keys.brands()], act);
}

/** More dependencies of the worker that issues documents for events. */
export const issuingForBus = () => ({
  events: { markDocumented },
  newId,
  readAhead: readSourcesAhead,
  countDocumented,
});

const markDocumented = (id: string): Promise<boolean> => endDocument(table(), id);
