import { setTimeout as pause } from 'node:timers/promises';
import type { Page, PageRequest, PageRoute } from '../http/page.ts';
import { describeError, logError } from '../log.ts';
import { namedSubject } from '../use-cases/documents/draft-documents.ts';
import { type MailDocumentLinkDeps, mailDocumentLink } from '../use-cases/documents/mail-document-link.ts';
import { requestedSubject } from './document-download.ts';
import { documentNoticePage } from './document-responses.ts';

interface MailLinkPageDeps extends MailDocumentLinkDeps {
  merchant: { name: string };
}

/**
 * How many milliseconds the response takes. It is longer than sending a mail, so that the time does not reveal whether
 * a mail was sent.
 */
const answerMs = 600;

/** Mails a link to a document. The response is the same whether or not the document exists. */
export const mailLinkPage = (deps: MailLinkPageDeps): PageRoute => ({
  answer: (request) => mailLink(deps, request),
  refuse: ({ status }, request) =>
    documentNoticePage(request, { status, kind: status === 404 ? 'missing' : 'failure', merchant: deps.merchant }),
});

async function mailLink(deps: MailLinkPageDeps, request: PageRequest): Promise<Page> {
  const { merchant, mailer } = deps;
  if (!mailer)
    return documentNoticePage(request, { status: 404, kind: 'missing', merchant, brands: await deps.brands.get() });
  const subject = requestedSubject(request);
  const mailing = mailDocumentLink(deps, subject).catch((error: unknown) =>
    logError('A link to a document was not mailed.', { ...namedSubject(subject), ...describeError(error) }),
  );
  const [brands] = await Promise.all([deps.brands.get(), mailing, pause(answerMs)]);
  return documentNoticePage(request, { status: 200, kind: 'sent', merchant, brands });
}
