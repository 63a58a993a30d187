import { mailPages } from '../../shared/dashboard/mails/mails-page.ts';
import { exampleComposer } from '../../shared/documents/document-mail.ts';
import { env } from '../../shared/env.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import { brands, memberMails, now, site, throttles } from '../../shared/wiring/runtime.ts';

const members = memberMails();
const documentMail = exampleComposer({ site: site(), isSandbox: members.isSandbox, from: members.from });
const deps = {
  brands: brands(),
  throttles: throttles(),
  merchant: env.merchant(),
  documentMail,
  memberMails: members,
  mailer: mailer(),
  now,
};

/** GET, POST /dashboard/mails */
export const handler = dashboard(mailPages(deps));
