import { isRightToLeft } from '../../texts/texts.ts';
import type { Locale } from '../locale.ts';
import type { MailSection } from './mail-parts.ts';

/** Characters that change the direction of the text around them: embeddings, overrides and isolates (UAX #9). */
const turning = /[\u202A-\u202E\u2066-\u2069]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what could begin another line or header
const breaking = /[\s\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g;

/**
 * Makes a text of a merchant or buyer one line of limited length. Characters that change the direction of other text
 * are removed.
 */
export function oneLine(text: string, mostCharacters: number): string {
  const head = text.slice(0, 4 * mostCharacters).toWellFormed();
  const characters = [...head.replace(turning, '').replace(breaking, ' ').trim()];
  return characters.length <= mostCharacters ? characters.join('') : `${characters.slice(0, mostCharacters).join('')}…`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of them but the line feed
const invisible = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]+/g;

/** Makes a long text of a merchant or buyer safe, and keeps its lines. */
export const severalLines = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(turning, '')
    .replace(invisible, ' ')
    .trim();

/**
 * Makes a section safe if it has its own language, because its text then comes from outside. Our own sentences need the
 * direction marks that they contain.
 */
export const safeSection = (section: MailSection): MailSection =>
  section.language === undefined ? section : { ...section, paragraphs: section.paragraphs.map(severalLines) };

const hebrewOrArabic = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** Puts a text of a merchant or buyer into our own sentence. Neither changes the direction of the other. */
export function isolated(text: string, locale: Locale, mostCharacters = 200): string {
  const line = oneLine(text, mostCharacters);
  return isRightToLeft(locale) || hebrewOrArabic.test(line) ? `\u2068${line}\u2069` : line;
}
