import type { MailTag } from './orders/mail-notes.ts';

export interface MailAddress {
  name: string;
  address: string;
}

/** A mail to one person, as text and as HTML. */
export interface Mail {
  from: MailAddress;
  to: string;
  replyTo: string | null;
  /** The address that gets a hidden copy. */
  copyTo?: string;
  /** What reports about the mail name it by; absent if nothing is noted of them. */
  tag?: MailTag;
  subject: string;
  text: string;
  html: string;
}

/** The links in the mail of a document. */
export interface MailedLinks {
  /** The secret with which the reader opens the document. */
  documentSecret: string;
  /** The link of the order page, in the mail of a purchase. */
  orderUrl?: string | undefined;
  /** The link for adding a tax id, in the mail of an invoice without one. */
  taxIdUrl?: string | undefined;
}

/** Sends mails. */
export interface Mailer {
  /**
   * Sends a mail. `refused` means that this mail will never be accepted. Throws an error if a later try may succeed.
   */
  send(mail: Mail): Promise<'sent' | 'refused'>;
}
