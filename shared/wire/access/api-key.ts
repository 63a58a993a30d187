import * as z from 'zod';
import { accessLevels, usualRefunds } from '../../domain/access/access.ts';
import { type ApiKey, apiKeyIdOf, type NewApiKey } from '../../domain/access/api-key.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { says } from '../says.ts';
import { text } from '../text/texts.ts';
import { CurrencyCode, MoneyAmount } from '../values.ts';
import type { SettingAnswer } from './access-answer.ts';

/** The body of `POST /api-keys`. By default, a key can only read. */
export const ApiKeyInput = z
  .strictObject({
    name: text(1, 100),
    access: z.enum(accessLevels, says(sentences.access_level)).default('read'),
    may_refund: z.boolean().nullish(),
    daily_refund_limit: z
      .strictObject({
        amount: MoneyAmount.refine((amount) => amount > 0, says(sentences.positive)).meta({ minimum: 1 }),
        currency: CurrencyCode,
      })
      .nullish(),
    expires_at: z.iso.datetime({ offset: true, ...says(sentences.date_time) }).nullish(),
  })
  .refine(({ may_refund, daily_refund_limit }) => may_refund !== false || !daily_refund_limit, {
    path: ['daily_refund_limit'],
    ...says(sentences.key_cannot_refund),
  })
  .transform(
    ({ name, access, may_refund, daily_refund_limit: perDay, expires_at }): NewApiKey => ({
      name,
      access,
      refunds:
        may_refund === true || perDay ? { perDay: perDay ?? null } : may_refund === false ? null : usualRefunds(access),
      expiresAt: expires_at ? new Date(expires_at).toISOString() : null,
    }),
  );

/** The query of `DELETE /api-keys/{id}`. */
export const RevocationQuery = z
  .strictObject({ descendants: z.enum(['true', 'false'], says(sentences.true_or_false)).default('false') })
  .transform(({ descendants }) => ({ withDescendants: descendants === 'true' }));

export const presentApiKey = (key: ApiKey): SettingAnswer<'ApiKey'> => ({
  id: apiKeyIdOf(key),
  name: key.name,
  access: key.access,
  may_refund: key.refunds !== null,
  daily_refund_limit: key.refunds?.perDay ?? null,
  created_by: key.createdBy,
  last_four: key.lastFour,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
});

/** The only answer that contains a key. */
export const presentNewApiKey = ({ apiKey, plain }: { apiKey: ApiKey; plain: string }): SettingAnswer<'NewApiKey'> => ({
  ...presentApiKey(apiKey),
  key: plain,
});

/** The answer to a repeated request: the key's record, and why the key itself is missing. */
export const presentMadeApiKey = ({ apiKey }: { apiKey: ApiKey }): SettingAnswer<'NewApiKey'> => ({
  ...presentApiKey(apiKey),
  key: null,
  note: 'The key was shown once, in the first response to this request. If it is lost, revoke this key and create another.',
});
