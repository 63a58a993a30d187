import type { Dictionary } from '../texts.ts';
import { mailsDe } from './de.ts';
import { type MailsKey, mailsEn } from './en.ts';
import { mailsEs } from './es.ts';
import { mailsFr } from './fr.ts';

/** What the page of the mails says. */
export const mailsDictionary: Dictionary<MailsKey> = { en: mailsEn, de: mailsDe, fr: mailsFr, es: mailsEs };
