import * as z from 'zod';
import { maxImportedCodes } from '../../domain/entitlements/pool-code.ts';
import { maxAmount } from '../../domain/money/money.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';
import { keyOrCode, text } from '../text/texts.ts';

/** The body of `POST /entitlements/{id}/codes`. */
export const CodesInput = z
  .strictObject({
    codes: z
      .array(keyOrCode(1, 255))
      .min(1)
      .max(maxImportedCodes, says(sentences.too_many, { most: maxImportedCodes, entries: 'codes' })),
  })
  .transform(({ codes }) => codes);

/** The body of `POST /grants/{id}/license-key`. */
export const GrantKeyInput = z
  .strictObject({
    key: keyOrCode(1, 255),
    activations_limit: z.int().min(1).max(maxAmount).nullish(),
    expires_at: z.iso
      .datetime({ offset: true, ...says(sentences.date_time) })
      .transform((value) => new Date(value).toISOString())
      .nullish(),
  })
  .transform(({ key, activations_limit: activationsLimit, expires_at: expiresAt }) => ({
    key,
    activationsLimit,
    expiresAt,
  }));

/** The form in which a member revokes a grant. */
export const GrantReasonInput = z.strictObject({ reason: text(1, 300).nullable() });
