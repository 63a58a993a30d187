import type { Mailer } from '../domain/mail.ts';
import { folderMailer } from './folder-mailer.ts';
import { sesMailer } from './ses-mailer.ts';

/** A folder on this machine, SES where the merchant has an address for receipts, or nobody. */
export function openMailer({
  folder,
  from,
  now,
}: {
  folder: string | undefined;
  from: string | undefined;
  now: () => Date;
}): Mailer | undefined {
  if (folder !== undefined) return folderMailer(folder, { now });
  return from === undefined ? undefined : sesMailer();
}
