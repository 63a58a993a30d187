import { newSession } from '../../shared/dashboard/access/new-session.ts';
import { linkPages } from '../../shared/dashboard/members/link-pages.ts';
import { linkMailer } from '../../shared/dashboard/members/member-mail.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { memberRecords } from '../../shared/http/audit.ts';
import { page } from '../../shared/http/page.ts';
import { openMailer } from '../../shared/mail/open-mailer.ts';
import { apiKeys, memberMails, members, now, randomText, throttles } from '../../shared/runtime.ts';

const mailer = openMailer({ folder: env.mailFolder(), from: env.merchant().receipts?.from, now });

const deps = {
  ...{ members: members(), throttles: throttles(), apiKeys: apiKeys(), now, hashOf: hashApiKey },
  newToken: () => randomText(43),
  newSecret: () => randomText(43),
  newSession: (holder: string) => newSession(holder, { id: randomText(22), at: now() }),
  recordsOf: memberRecords,
  mailLink: linkMailer(mailer, memberMails()),
  answerMs: 1_000,
};

/** POST /dashboard/sign-in/link, GET, POST /dashboard/sign-in/confirm */
export const handler = page(linkPages(deps));
