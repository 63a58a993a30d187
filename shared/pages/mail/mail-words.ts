import { isRightToLeft } from '../../texts/texts.ts';
import type { Locale } from '../locale.ts';

/** What turns the direction of the text around it: embeddings, overrides and isolates (UAX #9). */
const turning = /[\u202A-\u202E\u2066-\u2069]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what could begin another line or header
const breaking = /[\s\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g;

/** One line of a text of others, cut where it is longer than anyone reads, without what turns the text around it. */
export function oneLine(text: string, mostCharacters: number): string {
  const head = text.slice(0, 4 * mostCharacters).toWellFormed();
  const characters = [...head.replace(turning, '').replace(breaking, ' ').trim()];
  return characters.length <= mostCharacters ? characters.join('') : `${characters.slice(0, mostCharacters).join('')}…`;
}

const hebrewOrArabic = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** A text of others inside a text of ours: it keeps its own direction, and that of the text around it. */
export function isolated(text: string, locale: Locale, mostCharacters = 200): string {
  const line = oneLine(text, mostCharacters);
  return isRightToLeft(locale) || hebrewOrArabic.test(line) ? `\u2068${line}\u2069` : line;
}
