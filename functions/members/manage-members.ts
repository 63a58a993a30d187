import { memberPages } from '../../shared/dashboard/members/member-pages.ts';
import { mailsDocuments } from '../../shared/wiring/books.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import { apiKeys, memberMails, members, newId, now, signIns, throttles } from '../../shared/wiring/runtime.ts';

const deps = {
  apiKeys: apiKeys(),
  members: members(),
  signIns: signIns(),
  throttles: throttles(),
  mailer: mailer(),
  memberMails: memberMails(),
  canMail: mailsDocuments,
  newMemberId: () => newId('mbr'),
  now,
};

/** GET, POST /dashboard/members /dashboard/members/{id} */
export const handler = dashboard(memberPages(deps));
