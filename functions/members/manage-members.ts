import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { invitationMail } from '../../shared/dashboard/members/member-mail.ts';
import { memberPages } from '../../shared/dashboard/members/member-pages.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { openMailer } from '../../shared/mail/open-mailer.ts';
import { apiKeys, mailsDocuments, memberMails, members, newId, now, signIns, throttles } from '../../shared/runtime.ts';
import { mailsInvitation } from '../../shared/use-cases/access/mail-invitation.ts';

const mailer = openMailer({ folder: env.mailFolder(), from: env.merchant().receipts?.from, now });
const deps = {
  ...{ members: members(), apiKeys: apiKeys(), signIns: signIns(), now },
  newMemberId: () => newId('mbr'),
  canMail: mailsDocuments,
  mailInvitation: mailsInvitation({
    mailer,
    compose: invitationMail(memberMails()),
    throttles: throttles(),
    hashOf: hashApiKey,
    now,
  }),
};

/** GET, POST /dashboard/members /dashboard/members/{id} */
export const handler = dashboard(memberPages(deps));
