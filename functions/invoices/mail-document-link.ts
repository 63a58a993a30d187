import { setTimeout as pause } from 'node:timers/promises';
import { mailComposer } from '../../shared/documents/document-mail.ts';
import { documentNoticePage } from '../../shared/documents/document-responses.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { describeError, logError } from '../../shared/log.ts';
import { openMailer } from '../../shared/mail/open-mailer.ts';
import { documents, newId, now, site } from '../../shared/runtime.ts';
import { mailDocumentLink } from '../../shared/use-cases/documents/mail-document-link.ts';

const merchant = env.merchant();
const from = merchant.receipts?.from;
const deps = {
  documents: documents(),
  mailer: openMailer({ folder: env.mailFolder(), from, now }),
  compose: mailComposer({ site: site(), isSandbox: env.stage() === 'sandbox', from }),
  newId,
  now,
};

/** Longer than a mail takes, so that the time of an answer does not tell either whether one was sent. */
const answerMs = 600;

/** POST /invoices/payments/{payment_id} /invoices/refunds/{refund_id} */
export const handler = page(
  ({ status }, request) =>
    documentNoticePage(request, { status, kind: status === 404 ? 'missing' : 'failure', merchant }),
  async (request) => {
    if (!deps.mailer) return documentNoticePage(request, { status: 404, kind: 'missing', merchant });
    const [paymentId, refundId] = [request.param('payment_id'), request.param('refund_id')];
    const subject = refundId === '' ? { paymentId } : { refundId };
    const mailing = mailDocumentLink(deps, subject).catch((error: unknown) =>
      logError('A link to a document was not mailed.', { ...subject, ...describeError(error) }),
    );
    await Promise.all([mailing, pause(answerMs)]);
    return documentNoticePage(request, { status: 200, kind: 'sent', merchant });
  },
);
