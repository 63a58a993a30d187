import * as z from 'zod';
import { type TaxCategory, taxCategories } from '../domain/checkout/tax.ts';
import type { ErrorCode } from '../domain/errors.ts';
import { currencies, isCurrency, isPaidCurrency, paidCurrencies } from '../domain/money/currency.ts';
import { maxAmount } from '../domain/money/money.ts';
import { appSchemeOf } from '../domain/return-address.ts';
import { hasUserInfo } from '../domain/user-info.ts';
import { containsCardNumber, mayBeCardNumber } from './text/card-number.ts';

/** A fault with its own code in the dialect. */
export const withCode = (code: ErrorCode, message: string) => ({ error: message, params: { code } });

const notWhole = 'must be a whole number of minor units';
/** What a schema cannot say by itself, for the published contract: its refinements are code. */
const amountBounds = { type: 'integer', minimum: 0, maximum: maxAmount } as const;

const isInRange = (value: number): boolean => !Number.isInteger(value) || (value >= 0 && value <= maxAmount);

/** An amount in minor units. -0 becomes 0; fractions and values above 32 bits are refused. */
export const MoneyAmount = z
  .number({ error: ({ input }) => (input === undefined ? undefined : notWhole) })
  .refine(Number.isInteger, notWhole)
  .refine(isInRange, withCode('INTEGER_CONVERSION_FAILURE', `must be between 0 and ${maxAmount}`))
  .meta(amountBounds)
  .transform((value) => value + 0);

export const CurrencyCode = z
  .string()
  .refine(
    isCurrency,
    withCode('UNSUPPORTED_CURRENCY', `must be one of the ${currencies.length} supported ISO 4217 codes`),
  )
  .meta({ enum: [...currencies] });

/** A currency to search payments by. Those that ISO 4217 has withdrawn are allowed. */
export const PaidCurrencyCode = z
  .string()
  .refine(isPaidCurrency, withCode('UNSUPPORTED_CURRENCY', `must be one of ${paidCurrencies.length} ISO 4217 codes`))
  .meta({ enum: [...paidCurrencies] });

export const TaxCategoryName = z
  .string()
  .refine(
    (value): value is TaxCategory => (taxCategories as readonly string[]).includes(value),
    withCode('UNSUPPORTED_TAX_CATEGORY', `must be one of ${taxCategories.join(', ')}`),
  )
  .meta({ enum: [...taxCategories] })
  .transform((value) => value as TaxCategory);

/** `pdt_` and 21 letters or digits. */
export const idOf = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}_[A-Za-z0-9]{21}$`), {
    error: ({ input }) =>
      String(input).startsWith(`${prefix}_`)
        ? `must have exactly 21 letters or digits after ${prefix}_`
        : `must be an id that starts with ${prefix}_`,
  });

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const controls = /[\u0000-\u001F\u007F\u202A-\u202E\u2066-\u2069]/;

/** Limits runs of combining marks to 30, which keeps normalization fast (UAX #15, stream-safe text). */
const endlessMarks = /\p{M}{31}/u;

/** The most code units in which a text may come before it is normalized: decomposed, and with white space around it. */
const mostUnits = (most: number): number => 4 * most + 100;

const hasLength = (value: string, least: number, most: number): boolean => {
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

const hasNoCardNumber = (value: string): boolean => !containsCardNumber(value);
const neverACard = 'contains what looks like a card number; never send card numbers';

/** Refuses a card's number in a text that is kept or shown again. */
export const withoutCard = <T extends z.ZodType<string>>(schema: T) => schema.refine(hasNoCardNumber, neverACard);

/** One line of text: normalized, well-formed, without control characters and card numbers. */
export const text = (least: number, most: number) => withoutCard(writing(least, most, ''));

/** The same in several lines. */
export const prose = (least: number, most: number) => withoutCard(writing(least, most, /\r\n|[\n\t]/g));

/** A tax id, which may be as long as a card's number is, and begin like it. */
export const taxIdText = (least: number, most: number) =>
  writing(least, most, '').refine((value) => !mayBeCardNumber(value), neverACard);

/** A number that a double and the table store exactly, and no card number. */
const metadataNumber = z
  .number()
  .refine(
    (value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER && (value === 0 || Math.abs(value) >= 1e-100),
    'must be between -(2^53 - 1) and 2^53 - 1',
  )
  .refine((value) => !Number.isInteger(value) || hasNoCardNumber(String(Math.abs(value))), neverACard)
  .meta({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** The text of another program, which is returned unchanged. */
const metadataText = z
  .string()
  .refine((value) => value.length <= 1_000 && hasLength(value, 0, 500), {
    error: 'must have at most 500 characters',
    abort: true,
  })
  .refine(
    (value) => value.isWellFormed() && !controls.test(value.replaceAll(/[\r\n\t]/g, '')),
    'must not contain control characters other than line breaks and tabs, or characters that change the direction of writing',
  )
  .refine(hasNoCardNumber, neverACard)
  .meta({ maxLength: 500 });

const metadataValue = z.union(
  [metadataText, metadataNumber, z.boolean()],
  'must be a string of at most 500 characters, a number or a boolean',
);

const metadataKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, { error: 'keys have 1 to 40 letters, digits, _ or -', abort: true })
  .refine(hasNoCardNumber, neverACard);

const metadataOf = <T extends z.ZodType>(value: T) =>
  z
    .record(metadataKey, value)
    .refine((map) => Object.keys(map).length <= 50, withCode('MAXIMUM_KEYS_REACHED', 'has more than 50 keys'))
    .meta({ maxProperties: 50 });

export const MetadataMap = metadataOf(metadataValue);
export const StringMetadataMap = metadataOf(metadataText);

/** The domain in ASCII, as mail servers take it: `a@müller.example` → `a@xn--mller-kva.example`. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isAscii = /^\p{ASCII}*$/u.test(domain);
  return isAscii || !URL.canParse(`http://${domain}`)
    ? address
    : address.slice(0, at) + new URL(`http://${domain}`).host;
}

export const EmailAddress = text(0, 254)
  .meta({ format: 'email' })
  .transform(withAsciiDomain)
  .pipe(z.email('must be an e-mail address'));

/** E.164 has at most 15 digits; two more stand before them where a call goes abroad. */
const hasPlausibleLength = ({ length }: string): boolean => length >= 4 && length <= 17;

/** With or without a country code; spaces, brackets and the like are kept as they were typed. */
export const PhoneNumber = text(0, 40).refine(
  (value) => value === '' || (/^\+?[\d\s()./-]+$/.test(value) && hasPlausibleLength(value.replace(/\D/g, ''))),
  'must be a phone number, such as +49 30 1234567',
);

export const CountryCode = z
  .string()
  .refine(
    (value) => /^[A-Z]{2}$/.test(value),
    withCode('UNSUPPORTED_COUNTRY', 'must be an ISO 3166-1 alpha-2 code, such as DE'),
  )
  .meta({ pattern: '^[A-Z]{2}$' });

/** A language tag, such as `fr` or `pt-BR`. */
export const localeText = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag, such as fr or pt-BR');

/** An address, bounded before it is parsed. Encoded card numbers are found too. */
export const addressText = withoutCard(
  z.string().max(2048, { error: 'must have at most 2048 characters', abort: true }),
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const unwritable = /[\u0000-\u0020\\\u007F]/;

/** An address for a browser: https, or http to this machine in a sandbox, without credentials. */
export const browserUrl = addressText
  .refine((value) => isPlainUrl(value), 'must be an absolute https address without credentials')
  .meta({ format: 'uri' });

/** The same, or a link to an app. Whether the merchant allows it is decided later. */
export const returnAddressText = addressText.refine(
  (value) => isPlainUrl(value) || isPlainAppLink(value),
  'must be an absolute https address or app link, without credentials',
);

const isPlainAppLink = (value: string): boolean => !unwritable.test(value) && appSchemeOf(value) !== undefined;

function isPlainUrl(value: string): boolean {
  if (unwritable.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  const isLocal = url.protocol === 'http:' && (url.hostname === 'localhost' || url.hostname === '127.0.0.1');
  return (url.protocol === 'https:' || isLocal) && !hasUserInfo(value) && /^https?:\/\/[^/]/i.test(value);
}

/** Removes the dialect's fields that have no effect here, so the rest can be strict. */
export function ignoring<T extends z.ZodType>(names: readonly string[], schema: T) {
  const ignored = new Set(names);
  const rest = z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.has(name)));
  }, schema);
  return rest.meta({ 'x-ignored-fields': names });
}

/** A copy without the members that are undefined. */
export const defined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never;
