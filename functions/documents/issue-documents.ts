import type { Context, EventBridgeEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { documentedBy } from '../../shared/documents/document-event.ts';
import { mailComposer } from '../../shared/documents/document-mail.ts';
import { env } from '../../shared/env.ts';
import { openMailer } from '../../shared/mail/open-mailer.ts';
import { events, issuing, newId, now, site } from '../../shared/runtime.ts';
import { issueAndMail, issueQueued } from '../../shared/use-cases/documents/issue-queued-documents.ts';

const { receipts } = env.merchant();
const from = receipts?.from;
const deps = {
  ...issuing(),
  newId,
  events: events(),
  mailer: openMailer({ folder: env.mailFolder(), from, now }),
  compose: mailComposer({ site: site(), isSandbox: env.stage() === 'sandbox', from }),
};

/** What is kept back for mails and marks when a document has got its number at last. */
const reserveMs = 20_000;

/** The bus, by itself or through a queue: issues the documents of what has succeeded, many in one transaction, and mails them. */
export async function handler(
  event: EventBridgeEvent<string, unknown> | SQSEvent,
  context: Context,
): Promise<SQSBatchResponse | undefined> {
  const hasTime = () => context.getRemainingTimeInMillis() > reserveMs;
  if (!('Records' in event)) {
    await issueAndMail(deps, documentedBy(event), hasTime);
    return undefined;
  }
  const messages = event.Records.map(({ messageId: id, body }) => ({
    id,
    wanted: () => documentedBy(JSON.parse(body)),
  }));
  const failed = await issueQueued(deps, messages, hasTime);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
