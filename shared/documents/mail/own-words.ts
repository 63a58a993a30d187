import { type Document, isPurchase, returnsMoney } from '../../domain/documents/document.ts';
import {
  filledWords,
  type LanguageWords,
  type OwnPlaceholder,
  type OwnWords,
  type WordedMail,
} from '../../domain/orders/own-words.ts';
import type { Locale } from '../../pages/locale.ts';
import { isolated, oneLine, severalLines } from '../../pages/mail/mail-words.ts';

/** The merchant's words in a mail, filled in. A part is absent if the merchant has none, or if it is empty. */
interface FilledWords {
  subject?: string | undefined;
  greeting?: readonly string[] | undefined;
  closing?: readonly string[] | undefined;
}

/** For which of the mails with own words a document is; undefined if such a mail always has the usual words. */
function wordedMailOf(document: Document): WordedMail | undefined {
  if (document.adjustmentId !== undefined) return undefined;
  if (isPurchase(document)) return 'purchase';
  return returnsMoney(document) ? 'refund' : undefined;
}

/** The merchant's words in the mail of a document. */
export function ownWordsOf(
  document: Document,
  all: LanguageWords | undefined,
  { locale, total }: { locale: Locale; total: string },
): FilledWords {
  const mail = wordedMailOf(document);
  const words: OwnWords = (mail && all?.[mail]) ?? {};
  const values: Record<OwnPlaceholder, string> = {
    name: isolatedOrEmpty(greetableName(document), locale),
    product: isolatedOrEmpty(document.lines.map(({ name }) => name).join(', '), locale),
    shop: isolated(document.brandName, locale, 100),
    number: isolated(document.number, locale),
    total,
  };
  const paragraphs = (text = '') => {
    const parts = filledWords(severalLines(text), values).split(emptyLines);
    return isInvisible(parts.join('')) ? undefined : parts;
  };
  return {
    subject: filledWords(oneLine(words.subject ?? '', 200), values) || undefined,
    greeting: paragraphs(words.greeting),
    closing: paragraphs(words.closing),
  };
}

const emptyLines = /\n[\s\p{Default_Ignorable_Code_Point}]*\n/u;

const isInvisible = (text: string): boolean => /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*$/u.test(text);

const isolatedOrEmpty = (text: string, locale: Locale): string => (isInvisible(text) ? '' : isolated(text, locale));

/** What makes a name look like an address or an advertisement. */
const suspicious = /[@/\\:]|\.\p{L}{2}|\d{3}/u;

/**
 * The buyer's name for a greeting. Anybody can type any name, for an order that is mailed to anybody. So a long name, or
 * one that looks like an address, is left out.
 */
const greetableName = ({ buyer: { name } }: Document): string =>
  [...name].length > 60 || suspicious.test(name) ? '' : name;
