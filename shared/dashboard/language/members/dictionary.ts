import type { Dictionary } from '../texts.ts';
import { membersDe } from './de.ts';
import { type MembersKey, membersEn } from './en.ts';
import { membersEs } from './es.ts';
import { membersFr } from './fr.ts';

/** What the pages about members and the mails to them say. */
export const membersDictionary: Dictionary<MembersKey> = { en: membersEn, de: membersDe, fr: membersFr, es: membersEs };
