import * as z from 'zod';

/** The mails to buyers for which a merchant can have own words: the one about a purchase, and the one about a refund. */
export const wordedMails = ['purchase', 'refund'] as const;
export type WordedMail = (typeof wordedMails)[number];

/** The parts of a mail that the merchant can write, and the most characters of each. All other parts always stay. */
export const ownParts = { subject: 120, greeting: 1_000, closing: 1_000 } as const;

/** The most lines of a part: more would push what the mail has to say out of sight. */
export const mostOwnLines = 30;

/** The names that a text can have in braces: `{name}`. */
export const ownPlaceholders = ['name', 'product', 'shop', 'number', 'total'] as const;
export type OwnPlaceholder = (typeof ownPlaceholders)[number];

/** The merchant's words in one mail. For a part that is absent, the mail has the usual words. */
export const OwnWords = z.object({ subject: z.string(), greeting: z.string(), closing: z.string() }).partial();
export type OwnWords = z.infer<typeof OwnWords>;

/** The merchant's words in all mails of one language. */
export const LanguageWords = z.object({
  purchase: OwnWords.optional(),
  refund: OwnWords.optional(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type LanguageWords = z.infer<typeof LanguageWords>;

/** Replaces the words of one mail. Empty parts are left out. */
export function withOwnWords(all: LanguageWords, mail: WordedMail, words: OwnWords): LanguageWords {
  const written = Object.entries(words).filter(([, text]) => text !== '');
  return { ...all, [mail]: written.length > 0 ? Object.fromEntries(written) : undefined };
}

/** The languages with own words, after the words of one language have changed. */
export const withWordedLanguage = (languages: readonly string[], language: string, words: LanguageWords): string[] => {
  const others = languages.filter((one) => one !== language);
  return wordedMails.some((mail) => words[mail]) ? [...others, language].sort() : others;
};

const inBraces = /\{([^{}]*)\}/g;

/** The first text in braces that is not a known placeholder, with its braces; undefined if there is none. */
export const unknownPlaceholder = (text: string): string | undefined =>
  [...text.matchAll(inBraces)].find(([, name = '']) => !isKnown(name))?.[0].slice(0, 40);

const isKnown = (name: string): name is OwnPlaceholder => (ownPlaceholders as readonly string[]).includes(name);

/**
 * Puts the values into the placeholders. If the value is empty, the white space before it and the quotation marks around
 * it are removed too, and the punctuation that would begin the line.
 */
export const filledWords = (text: string, values: Readonly<Record<OwnPlaceholder, string>>): string =>
  text
    .split('\n')
    .map((line) => filledLine(line, values))
    .join('\n')
    .trim();

const inQuotes = /["'„“”‚‘’«»‹›「『]\s?(\{([^{}]*)\})\s?["'“”‘’«»‹›」』]/g;

function filledLine(line: string, values: Readonly<Record<OwnPlaceholder, string>>): string {
  let isMissing = false;
  const bare = line.replace(inQuotes, (whole, inBraces, name) =>
    isKnown(name) && values[name] === '' ? inBraces : whole,
  );
  const filled = bare.replace(/([ \t]*)\{([^{}]*)\}/g, (whole, space, name) => {
    if (!isKnown(name)) return whole;
    isMissing ||= values[name] === '';
    return values[name] === '' ? '' : space + values[name];
  });
  return isMissing ? filled.replace(/^[\s,،、，!.:]+/u, '') : filled;
}
