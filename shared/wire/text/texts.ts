import * as z from 'zod';
import { withCode } from '../with-code.ts';
import { containsCardNumber, mayBeCardNumber } from './card-number.ts';

/** The texts of the dialect, as functions: a schema takes longer to build than to use, and most functions need few of them. */

/** Controls of both blocks, line and paragraph separators, marks that turn the direction, and what is no character at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
export const controls = /[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069\p{Noncharacter_Code_Point}]/u;

/** Limits runs of combining marks to 30, which keeps normalization fast (UAX #15, stream-safe text). */
const endlessMarks = /\p{M}{31}/u;

/** The most code units in which a text may come before it is normalized: decomposed, and with white space around it. */
const mostUnits = (most: number): number => 4 * most + 100;

export const hasLength = (value: string, least: number, most: number): boolean => {
  const length = [...value].length;
  return length >= least && length <= most;
};

/** Looks at the length before anything else: what the rest costs is bounded by it. */
const writing = (least: number, most: number, lineBreaks: RegExp | '') => {
  const wrongLength = { error: `must have ${least} to ${most} characters`, abort: true };
  return z
    .string()
    .refine((value) => value.length <= mostUnits(most), wrongLength)
    .refine((value) => isAllowed(value.trim().replaceAll(lineBreaks, '')), {
      error: 'contains characters that are not allowed',
      abort: true,
    })
    .meta({ minLength: least, maxLength: most })
    .transform((value) => value.replaceAll('\r\n', '\n').normalize('NFC').trim())
    .refine((value) => hasLength(value, least, most), wrongLength);
};

const isAllowed = (value: string): boolean =>
  value.isWellFormed() && !controls.test(value) && !endlessMarks.test(value);

export const hasNoCardNumber = (value: string): boolean => !containsCardNumber(value);
export const neverACard = 'contains what looks like a card number; never send card numbers';

/** Refuses a card's number in a text that is kept or shown again. */
export const withoutCard = <T extends z.ZodType<string>>(schema: T) => schema.refine(hasNoCardNumber, neverACard);

/** One line of text: normalized, well-formed, without control characters and card numbers. */
export const text = (least: number, most: number) => withoutCard(writing(least, most, ''));

/** The same in several lines. */
export const prose = (least: number, most: number) => withoutCard(writing(least, most, /\r\n|[\n\t]/g));

/** A tax id, which may be as long as a card's number is, and begin like it. */
export const taxIdText = (least: number, most: number) =>
  writing(least, most, '').refine((value) => !mayBeCardNumber(value), neverACard);

/** The domain in ASCII, as mail servers take it: `a@müller.example` → `a@xn--mller-kva.example`. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isAscii = /^\p{ASCII}*$/u.test(domain);
  return isAscii || !URL.canParse(`http://${domain}`)
    ? address
    : address.slice(0, at) + new URL(`http://${domain}`).host;
}

/** An e-mail address, or nothing. */
export const emailAddress = () =>
  text(0, 254).meta({ format: 'email' }).transform(withAsciiDomain).pipe(z.email('must be an e-mail address'));

/** Two capital letters, as ISO 3166-1 has them. */
export const countryCode = () =>
  z
    .string()
    .refine(
      (value) => /^[A-Z]{2}$/.test(value),
      withCode('UNSUPPORTED_COUNTRY', 'must be an ISO 3166-1 alpha-2 code, such as DE'),
    )
    .meta({ pattern: '^[A-Z]{2}$' });
