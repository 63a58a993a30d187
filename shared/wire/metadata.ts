import * as z from 'zod';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { says } from './says.ts';
import { controls, hasLength, hasNoCardNumber } from './text/texts.ts';
import { withCode } from './with-code.ts';

/** A number that the table and JavaScript store exactly, and that is not a card number. */
const metadataNumber = z
  .number()
  .refine(
    (value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER && (value === 0 || Math.abs(value) >= 1e-100),
    'must be between -(2^53 - 1) and 2^53 - 1',
  )
  .refine((value) => !Number.isInteger(value) || hasNoCardNumber(String(Math.abs(value))), says(sentences.card_number))
  .meta({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** A text from another program. It is returned unchanged. */
const metadataText = z
  .string()
  .refine((value) => value.length <= 1_000 && hasLength(value, 0, 500), {
    ...says(sentences.too_long, { most: 500 }),
    abort: true,
  })
  .refine(
    (value) => value.isWellFormed() && !controls.test(value.replaceAll(/[\r\n\t]/g, '')),
    'must not contain control characters other than line breaks and tabs, or characters that change the direction of writing',
  )
  .refine(hasNoCardNumber, says(sentences.card_number))
  .meta({ maxLength: 500 });

const metadataValue = z.union(
  [metadataText, metadataNumber, z.boolean()],
  'must be a string of at most 500 characters, a number or a boolean',
);

const metadataKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/, { error: 'keys have 1 to 40 letters, digits, _ or -', abort: true })
  .refine(hasNoCardNumber, says(sentences.card_number));

const metadataOf = <T extends z.ZodType>(value: T) =>
  z
    .record(metadataKey, value)
    .refine((map) => Object.keys(map).length <= 50, withCode('MAXIMUM_KEYS_REACHED', 'has more than 50 keys'))
    .meta({ maxProperties: 50 });

export const MetadataMap = metadataOf(metadataValue);
export const StringMetadataMap = metadataOf(metadataText);
