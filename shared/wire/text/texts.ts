import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says, saysWith } from '../says.ts';
import { containsCardNumber, mayBeCardNumber } from './card-number.ts';

/**
 * The schemas of the kinds of text in the API. They are functions, because building a schema takes longer than using
 * it, and most functions need only a few.
 */

/**
 * Characters that are refused: controls of both blocks, line and paragraph separators, marks that change the writing
 * direction, and noncharacters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
export const controls = /[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069\p{Noncharacter_Code_Point}]/u;

/**
 * Matches more than 30 combining marks in a row. Refusing them keeps normalization fast (UAX #15, stream-safe text).
 */
const endlessMarks = /\p{M}{31}/u;

/**
 * The most code units of a text before it is normalized. Until then, it may be decomposed, and have white space around
 * it.
 */
const mostUnits = (most: number): number => 4 * most + 100;

export const hasLength = (value: string, least: number, most: number): boolean => {
  const length = [...value].length;
  return length >= least && length <= most;
};

/** A text schema that checks the length first, so the cost of all other checks is limited. */
const writing = (least: number, most: number, lineBreaks: RegExp | '') => {
  const wrongLength = { ...says(sentences.length, { least, most }), abort: true };
  return z
    .string()
    .refine((value) => value.length <= mostUnits(most), wrongLength)
    .refine((value) => isAllowed(value.trim().replaceAll(lineBreaks, '')), {
      ...says(sentences.characters),
      abort: true,
    })
    .meta({ minLength: least, maxLength: most })
    .transform((value) => value.replaceAll('\r\n', '\n').normalize('NFC').trim())
    .refine((value) => hasLength(value, least, most), wrongLength);
};

const isAllowed = (value: string): boolean =>
  value.isWellFormed() && !controls.test(value) && !endlessMarks.test(value);

export const hasNoCardNumber = (value: string): boolean => !containsCardNumber(value);

/** Refuses a card number in a text that is stored or shown again. */
export const withoutCard = <T extends z.ZodType<string>>(schema: T) =>
  schema.refine(hasNoCardNumber, says(sentences.card_number));

/** One line of text: normalized, well-formed, without control characters and card numbers. */
export const text = (least: number, most: number) => withoutCard(writing(least, most, ''));

/**
 * A licence key or a code of a shop. Many have sixteen digits, so they may look like card numbers and are accepted.
 * Logs never contain them.
 */
export const keyOrCode = (least: number, most: number) => writing(least, most, '');

/** A text of several lines, without card numbers. */
export const prose = (least: number, most: number) => withoutCard(writing(least, most, /\r\n|[\n\t]/g));

/** A tax id. It may have the length and the first digits of a card number. */
export const taxIdText = (least: number, most: number) =>
  writing(least, most, '').refine((value) => !mayBeCardNumber(value), says(sentences.card_number));

/** Writes the domain in ASCII, as mail servers need it: `a@müller.example` → `a@xn--mller-kva.example`. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isAscii = /^\p{ASCII}*$/u.test(domain);
  return isAscii || !URL.canParse(`http://${domain}`)
    ? address
    : address.slice(0, at) + new URL(`http://${domain}`).host;
}

/** An e-mail address; anything else is refused. */
export const emailAddress = () =>
  text(0, 254)
    .meta({ format: 'email' })
    .transform(withAsciiDomain)
    .pipe(z.email(says(sentences.email)));

/** Two capital letters, as in ISO 3166-1. */
export const countryCode = () =>
  z
    .string()
    .refine((value) => /^[A-Z]{2}$/.test(value), saysWith('UNSUPPORTED_COUNTRY', sentences.country_code))
    .meta({ pattern: '^[A-Z]{2}$' });
