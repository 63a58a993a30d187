import * as z from 'zod';
import { maxAmount } from '../../domain/money/money.ts';
import { MetadataMap } from '../metadata.ts';
import { CurrencyCode, PaidCurrencyCode } from '../values.ts';

/** An amount in answers: minor units, in 32 bits. */
export const paidAmount = z.int().min(0).max(maxAmount);

/** A paid amount with a sign. It is negative on a credit note. */
export const signedAmount = z.int().min(-maxAmount).max(maxAmount);

/** An id in an answer: `pdt_` and 21 letters or digits. Ids that came from other systems have other lengths. */
export const answeredId = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[A-Za-z0-9]{1,40}$`));

/** Text with at most this many characters. It only documents the limit. The schema of the request checks it. */
export const upTo = (most: number) => z.string().meta({ maxLength: most });

/** A time in UTC, with milliseconds. */
export const instantText = z.iso.datetime();

export const countryText = z.string().regex(/^[A-Z]{2}$/);

/** A decimal string, such as `0.19` for 19 %. */
export const decimalText = z.string().regex(/^\d{1,4}(\.\d{1,10})?$/);

/** A percentage, such as 19. */
export const percentage = z.number().min(0).max(1_000);

export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const link = z.string().meta({ format: 'uri', maxLength: 2_048 });

export const currency = CurrencyCode;
export const paidCurrency = PaidCurrencyCode;
export const metadataMap = MetadataMap;

/** Fields of the API that are always empty here. */
export const noItems = z.array(z.unknown()).max(0);

/** A field that can also be null. It keeps the description of the field. */
export const orNull = <Field extends z.ZodType>(field: Field) => field.nullable().describe(field.description ?? '');

const paging = {
  has_more: 'Whether there is another page.',
  next_cursor: 'The `cursor` of the next page; null on the last page.',
};

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    items: z.array(item).max(100).describe('The entries of this page, newest first.'),
    has_more: z.boolean().describe(paging.has_more),
    next_cursor: upTo(500).nullable().describe(paging.next_cursor),
  });

/** A short list that fits on one page. */
export const allOf = <Item extends z.ZodType>(item: Item, words: string) =>
  z.strictObject({
    items: z.array(item).max(10_000).describe(words),
    has_more: z.literal(false).describe(paging.has_more),
    next_cursor: z.null().describe(paging.next_cursor),
  });
