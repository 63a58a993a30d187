import type { Context } from 'aws-lambda';
import { confirmationSections } from '../../shared/documents/confirmation-sections.ts';
import { mailComposer } from '../../shared/documents/document-mail.ts';
import { type Arrival, issueForBus } from '../../shared/documents/issue-for-bus.ts';
import { wantsEvent } from '../../shared/domain/webhooks/webhook.ts';
import { env } from '../../shared/env.ts';
import { callTime } from '../../shared/use-cases/documents/call-time.ts';
import { rememberingTexts } from '../../shared/use-cases/withdrawal/load-confirmation.ts';
import * as books from '../../shared/wiring/books.ts';
import { chosenLanguage } from '../../shared/wiring/buyer-language.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import { countDocumented } from '../../shared/wiring/metrics.ts';
import {
  brands,
  disputes,
  newId,
  now,
  payments,
  random,
  site,
  taxRules,
  webhooks,
} from '../../shared/wiring/runtime.ts';
import { orderUrlOf, taxIdUrl } from '../../shared/wiring/selling.ts';
import { worker } from '../../shared/wiring/worker.ts';

const from = env.merchant().receipts?.from;
const confirm = confirmationSections(site(), env.merchant().supportPhone);
const compose = mailComposer({
  mailWords: brands().mailWords,
  site: site(),
  isSandbox: env.stage() === 'sandbox',
  from,
  confirm,
});
const deps = {
  payments: payments(),
  disputes: disputes(),
  taxRules: taxRules(),
  brands: { ...brands(), ...rememberingTexts(brands()) },
  documents: books.documents(),
  merchant: env.merchant(),
  rates: books.exchangeRates(),
  awaitsRates: env.stage() === 'live',
  isMailed: books.mailsDocuments(),
  inTurn: books.documentsInTurn,
  now,
  random,
  events: { markDocumented: books.markDocumented, awaitMail: books.leaveMail },
  newId,
  readAhead: books.readSourcesAhead,
  countDocumented,
  taxIdUrl,
  orderUrl: orderUrlOf,
  mailer: mailer(),
  mails: books.mails(),
  compose,
  chosenLanguage,
  wantsConfirmations: async () =>
    (await webhooks().all()).some((endpoint) => wantsEvent(endpoint, 'confirmation.accepted')),
};

/** Called by the queue of documents: issues the documents of payments and refunds, and mails them. */
export const handler = worker((event: Arrival, context: Context) =>
  issueForBus(
    deps,
    event,
    callTime(() => context.getRemainingTimeInMillis()),
  ),
);
