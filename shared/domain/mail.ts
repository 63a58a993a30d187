import { DomainError } from './errors.ts';
import type { MailTag } from './orders/mail-notes.ts';
import type { Confirmation } from './withdrawal/confirmation.ts';

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
  /** The name by which reports about the mail identify it; absent if no reports are stored. */
  tag?: MailTag;
  /** The hash of the contract's confirmation that the mail contains; absent if it contains none. */
  confirms?: string;
  subject: string;
  text: string;
  html: string;
}

/** The content of a document's mail besides the document: links, and the confirmation of the contract. */
export interface MailedLinks {
  /** The secret with which the reader opens the document. */
  documentSecret: string;
  /** The link of the order page, in the mail of a purchase. */
  orderUrl?: string | undefined;
  /** The link for adding a tax id, in the mail of an invoice without one. */
  taxIdUrl?: string | undefined;
  /** Whether the merchant offers the withdrawal function. Then every mail has a link to it. */
  offersWithdrawal: boolean;
  /** The languages in which the merchant has own words for mails; absent if there are none. */
  wordedIn?: readonly string[] | undefined;
  /** The confirmation of the contract, in the mail of a purchase by a consumer. */
  confirmation?: Confirmation | undefined;
}

/** Thrown if the mail service accepts no mail now, because its rate or its quota of a day is used up. */
export class MailServiceBusy extends DomainError {
  /** Whether the quota of the day is used up, so that a try some seconds later fails too. */
  readonly isDayOver: boolean;

  constructor(cause: unknown, isDayOver = false) {
    super('SERVICE_UNAVAILABLE', 'The mail service accepts no more mails now. Try again later.', { cause });
    this.isDayOver = isDayOver;
  }
}

/** How many mails the mail service accepts in a second, and in the rest of the day. */
export interface MailQuota {
  perSecond: number;
  leftToday: number;
}

/** Sends mails. */
export interface Mailer {
  /**
   * Sends a mail. `refused` means that this mail will never be accepted.
   * @throws MailServiceBusy if the service accepts no mail now; any other error if a later try may succeed
   */
  send(mail: Mail): Promise<'sent' | 'refused'>;
  /** Asks the mail service how many mails it accepts. Absent if there is no limit. */
  quota?: () => Promise<MailQuota>;
}
