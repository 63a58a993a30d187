export interface MailAddress {
  name: string;
  address: string;
}

/** A mail to one person, as text and as markup. */
export interface Mail {
  from: MailAddress;
  to: string;
  replyTo: string | null;
  /** Who gets a copy that the reader does not see. */
  copyTo?: string;
  subject: string;
  text: string;
  html: string;
}

/** Who takes mails to their readers. */
export interface Mailer {
  /** `refused`: this mail will never be accepted. An error that may pass is thrown. */
  send(mail: Mail): Promise<'sent' | 'refused'>;
}
