import type { Mail } from '../../domain/mail.ts';
import { mailHtml } from './mail-html.ts';
import type { MailOrder, MailParts } from './mail-parts.ts';
import { mailText } from './mail-text.ts';
import { isolated, oneLine, safeSection } from './mail-words.ts';

/** The addresses of a mail: the sender, the receiver, and the address for replies. */
export interface Envelope {
  /** The sender's address. */
  from: string;
  to: string;
  replyTo: string | null;
}

/**
 * Makes a mail as HTML and as plain text from the same parts. Texts of merchants and buyers cannot break a line, change
 * the direction of other text, or be too long.
 */
export function composeMail(parts: MailParts, { from, to, replyTo }: Envelope): Mail {
  const safe = safeParts(parts);
  return {
    from: { name: oneLine(parts.brand.name, 100), address: from },
    to,
    replyTo,
    subject: safe.subject,
    text: mailText(safe),
    html: mailHtml(safe),
  };
}

/**
 * Makes each text of a merchant or a buyer safe. Our own sentences contain only values that `isolated` has made safe.
 */
function safeParts(parts: MailParts): MailParts {
  const own = (text: string, most = 200) => isolated(text, parts.locale, most);
  const { order, facts = [], reason, seller, sections = [] } = parts;
  return {
    ...parts,
    brand: { ...parts.brand, name: own(parts.brand.name, 100) },
    facts: facts.map(({ label, value }) => ({ label, value: own(value) })),
    reason: reason ? { ...reason, value: own(reason.value, 3_000) } : null,
    ...(order && { order: safeOrder(order, own) }),
    sections: sections.map(safeSection),
    ...(seller && { seller: { ...seller, name: own(seller.name), lines: seller.lines.map((line) => own(line)) } }),
  };
}

const safeOrder = ({ title, lines, totals }: MailOrder, own: (text: string) => string): MailOrder => ({
  title,
  lines: lines.map(({ name, details, amount }) => ({
    name: own(name),
    details: details.map((one) => own(one)),
    amount: own(amount),
  })),
  totals: totals.map(({ label, value, isTotal }) => ({ label, value: own(value), isTotal })),
});
