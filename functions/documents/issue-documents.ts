import type { EventBridgeEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Document } from '../../shared/domain/document.ts';
import { env } from '../../shared/env.ts';
import { openMailer } from '../../shared/mail/open-mailer.ts';
import { documentMail } from '../../shared/pages/documents/document-mail.ts';
import { findLocale } from '../../shared/pages/locale.ts';
import { documents, issuing, now, site } from '../../shared/runtime.ts';
import { issueAndMail, issueQueued } from '../../shared/use-cases/issue-queued-documents.ts';
import { documentedBy } from '../../shared/wire/document-event.ts';

const { receipts } = env.merchant();
const [isSandbox, folder, from] = [env.stage() === 'sandbox', env.mailFolder(), receipts?.from];

const compose = (document: Document) =>
  documentMail(document, {
    site: site(),
    locale: findLocale(document.buyer.language ?? undefined) ?? 'en',
    isSandbox,
    from: from ?? 'receipts@example.com',
  });

const deps = { ...issuing(), documents: documents(), mailer: openMailer({ folder, from, now }), compose };

/** The bus, by itself or through a queue: issues the documents of what has succeeded, many in one transaction, and mails them. */
export async function handler(
  event: EventBridgeEvent<string, unknown> | SQSEvent,
): Promise<SQSBatchResponse | undefined> {
  if (!('Records' in event)) {
    await issueAndMail(deps, documentedBy(event));
    return undefined;
  }
  const messages = event.Records.map(({ messageId: id, body }) => ({
    id,
    wanted: () => documentedBy(JSON.parse(body)),
  }));
  const failed = await issueQueued(deps, messages);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
