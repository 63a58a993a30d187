import { mailPages } from '../../shared/dashboard/mails/mails-page.ts';
import { exampleComposer } from '../../shared/documents/document-mail.ts';
import { env } from '../../shared/env.ts';
import { openMailer } from '../../shared/outside/mail/open-mailer.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { brands, memberMails, now, site, throttles } from '../../shared/wiring/runtime.ts';

const members = memberMails();
const documentMail = exampleComposer({ site: site(), isSandbox: members.isSandbox, from: members.from });
const mailer = openMailer({ folder: env.mailFolder(), from: env.merchant().receipts?.from, now });
const deps = {
  brands: brands(),
  throttles: throttles(),
  merchant: env.merchant(),
  documentMail,
  memberMails: members,
  mailer,
  now,
};

/** GET, POST /dashboard/mails */
export const handler = dashboard(mailPages(deps));
