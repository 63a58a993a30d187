import { env } from '../../../shared/env.ts';
import * as books from '../../../shared/wiring/books.ts';
import { askRegisterAgain } from '../../../shared/wiring/registers.ts';
import * as runtime from '../../../shared/wiring/runtime.ts';
import { refundStep, taxSettings } from '../../../shared/wiring/selling.ts';

/** The dependencies of tax returns and thresholds. */
export const accounting = () => ({
  payments: { ...runtime.payments(), ...runtime.paymentLists() },
  disputes: runtime.disputes(),
  documents: books.documents(),
  taxRules: runtime.taxRules(),
  rates: books.exchangeRates(),
  filedReturns: books.filedReturns(),
  firstRegistrations: () => runtime.taxRules().keepFirst(runtime.now()),
  now: runtime.now,
  merchantCountry: env.merchant().country,
});

/** The dependencies of issuing invoices and credit notes. */
export const issuing = () => ({
  payments: runtime.payments(),
  taxRules: runtime.taxRules(),
  brands: runtime.brands(),
  documents: books.documents(),
  merchant: env.merchant(),
  rates: books.exchangeRates(),
  awaitsRates: env.stage() === 'live',
  isMailed: books.mailsDocuments(),
  inTurn: books.documentsInTurn,
  now: runtime.now,
  random: runtime.random,
});

/** The dependencies of asking a register again. */
export const rechecks = () => ({
  askAgain: askRegisterAgain,
  taxSettings,
  refundStep,
  isAutomatic: env.merchant().taxIdCorrections === 'automatic',
});
