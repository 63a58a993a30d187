import type { Mailer } from '../domain/mail.ts';
import { env } from '../env.ts';
import { openMailer } from '../outside/mail/open-mailer.ts';
import { now } from './runtime.ts';

/** Sends the merchant's mails; undefined if it has no address for receipts. */
export const mailer = (): Mailer | undefined =>
  openMailer({
    folder: env.mailFolder(),
    from: env.merchant().receipts?.from,
    configurationSet: env.mailConfigurationSet(),
    now,
  });
