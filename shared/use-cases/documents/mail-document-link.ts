import type { Document } from '../../domain/documents/document.ts';
import type { Mail, MailedLinks, Mailer } from '../../domain/mail.ts';
import { offersWithdrawal } from '../../domain/withdrawal/withdrawal-settings.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';
import { type Subject, subjectIdOf } from './draft-documents.ts';

export interface MailDocumentLinkDeps {
  documents: Pick<DocumentStore, 'find' | 'claimLink'>;
  mails: Pick<MailStore, 'note'>;
  brands: Pick<BrandStore, 'get'>;
  /** The mailer; absent if nothing is mailed. */
  mailer: Mailer | undefined;
  compose: (document: Document, links: MailedLinks) => Promise<Mail>;
  newId: (prefix: 'doc') => string;
  now: () => Date;
}

/** After how many seconds an address can get the next link to a document, regardless of who requests it. */
const everySeconds = 600;

/**
 * Mails a link, but only to the address on the document. It returns nothing. So the caller does not learn whether the
 * document exists, or whether a mail was sent.
 */
export async function mailDocumentLink(deps: MailDocumentLinkDeps, subject: Subject): Promise<void> {
  const { mailer } = deps;
  const subjectId = subjectIdOf(subject);
  const { document } = await deps.documents.find(subjectId);
  if (!mailer || !document || (document.refundId ?? undefined) !== subject.refundId) return;
  const now = deps.now();
  const before = new Date(now.getTime() - everySeconds * 1_000).toISOString();
  const claim = { now: now.toISOString(), before };
  const documentSecret = await deps.documents.claimLink(subjectId, deps.newId('doc'), claim);
  if (!documentSecret) return;
  const brands = await deps.brands.get();
  const links = { documentSecret, offersWithdrawal: offersWithdrawal(brands), wordedIn: brands.wordedIn };
  const what = await mailer.send(await deps.compose(document, links));
  await deps.mails.note(subjectId, { at: deps.now().toISOString(), what, about: 'link' });
}
