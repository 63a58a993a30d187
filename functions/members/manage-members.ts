import { memberPages } from '../../shared/dashboard/members/member-pages.ts';
import { env } from '../../shared/env.ts';
import { openMailer } from '../../shared/outside/mail/open-mailer.ts';
import { mailsDocuments } from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { apiKeys, memberMails, members, newId, now, signIns, throttles } from '../../shared/wiring/runtime.ts';

const mailer = openMailer({ folder: env.mailFolder(), from: env.merchant().receipts?.from, now });
const deps = {
  apiKeys: apiKeys(),
  members: members(),
  signIns: signIns(),
  throttles: throttles(),
  mailer,
  memberMails: memberMails(),
  canMail: mailsDocuments,
  newMemberId: () => newId('mbr'),
  now,
};

/** GET, POST /dashboard/members /dashboard/members/{id} */
export const handler = dashboard(memberPages(deps));
