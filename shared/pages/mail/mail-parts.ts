import type { Locale } from '../locale.ts';

/** A link and its text. */
export interface MailLink {
  label: string;
  url: string;
}

interface MailFact {
  label: string;
  value: string;
}

/** An item that was sold or refunded: its name, how its amount is calculated, and the amount. */
export interface MailLine {
  name: string;
  details: readonly string[];
  amount: string;
}

/** The items of an order and its totals. The last total is shown largest. */
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

/** A long text below a mail, with its line breaks. */
export interface MailSection {
  title: string;
  paragraphs: readonly string[];
  /** The language of the paragraphs. Absent if it is certainly that of the mail. */
  language?: string;
  /** A sentence by Tillstack about the merchant's text; absent if none is needed. */
  note?: string;
}

/**
 * The parts of a mail. Its HTML and its plain text are made from them. Each part may contain text from merchants and
 * buyers.
 */
export interface MailParts {
  locale: Locale;
  subject: string;
  /** The name and the look by which the reader recognizes the sender. */
  brand: { name: string; color?: string | undefined; logo?: string | undefined };
  /** The text that mail programs show beside the subject. */
  preview: string;
  /** The first sentence, which says what happened. */
  lead: string;
  paragraphs?: readonly string[];
  /** The links, most important one first. */
  links: readonly MailLink[];
  order?: MailOrder;
  facts?: readonly MailFact[];
  reason?: MailFact | null;
  seller?: MailSeller;
  /** The last sentences. They say whom to ask, and whether a sandbox sent the mail. */
  after: readonly string[];
  /** The link at the end. If the law requires it, its words are repeated in another language. */
  last?: (MailLink & { beside?: { words: string; language: string } | undefined }) | undefined;
  sections?: readonly MailSection[];
}
