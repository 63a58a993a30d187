import type { Locale } from '../locale.ts';

/** A link with the words that lead to it. */
export interface MailLink {
  label: string;
  url: string;
}

interface MailFact {
  label: string;
  value: string;
}

/** What was sold or taken back: its name, how its amount comes about, and its amount. */
export interface MailLine {
  name: string;
  details: readonly string[];
  amount: string;
}

/** The lines of an order with its totals, the last of them the greatest. */
export interface MailOrder {
  title: string;
  lines: readonly MailLine[];
  totals: readonly (MailFact & { isTotal: boolean })[];
}

interface MailSeller {
  role: string;
  name: string;
  lines: readonly string[];
}

/** What a mail says, before it is markup or text. Texts of others may be in any of them. */
export interface MailParts {
  locale: Locale;
  subject: string;
  /** Under which name and look the reader knows the sender. */
  brand: { name: string; color?: string | undefined; logo?: string | undefined };
  /** What mail programs show beside the subject. */
  preview: string;
  /** The first sentence: what has happened. */
  lead: string;
  paragraphs?: readonly string[];
  /** Where the mail leads, the most important first. */
  links: readonly MailLink[];
  order?: MailOrder;
  facts?: readonly MailFact[];
  reason?: MailFact | null;
  seller?: MailSeller;
  /** The last sentences: questions, and what kind of stack has sent it. */
  after: readonly string[];
}
