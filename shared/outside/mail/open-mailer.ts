import type { Mailer } from '../../domain/mail.ts';
import { folderMailer } from './folder-mailer.ts';
import { sesMailer } from './ses-mailer.ts';

/** Opens the mailer. It is a folder on this machine, or SES if the merchant has a sender's address, or none. */
export function openMailer({
  folder,
  from,
  configurationSet,
  now,
}: {
  folder: string | undefined;
  from: string | undefined;
  /** The name of the stack's SES configuration set. */
  configurationSet: string | undefined;
  now: () => Date;
}): Mailer | undefined {
  if (folder !== undefined) return folderMailer(folder, { now });
  return from === undefined ? undefined : sesMailer(configurationSet);
}
