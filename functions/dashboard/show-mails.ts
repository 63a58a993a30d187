import { dashboard } from '../../shared/dashboard/dashboard.ts';
import { mailPages } from '../../shared/dashboard/mails/mail-pages.ts';
import { exampleComposer } from '../../shared/documents/document-mail.ts';
import { env } from '../../shared/env.ts';
import { brands, mailsDocuments, memberMails, now, site } from '../../shared/runtime.ts';

const members = memberMails();
const documentMail = exampleComposer({ site: site(), isSandbox: members.isSandbox, from: members.from });
const deps = { brands: brands(), merchant: env.merchant(), documentMail, memberMails: members, now };

/** GET /dashboard/mails */
export const handler = dashboard(mailPages({ ...deps, canMail: mailsDocuments() }));
