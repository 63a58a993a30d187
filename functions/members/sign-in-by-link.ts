import { linkPages } from '../../shared/dashboard/members/link-pages.ts';
import { env } from '../../shared/env.ts';
import { page } from '../../shared/http/page.ts';
import { openMailer } from '../../shared/mail/open-mailer.ts';
import { apiKeys, members, now, randomText, throttles } from '../../shared/runtime.ts';

const mailer = openMailer({ folder: env.mailFolder(), from: env.merchant().receipts?.from, now });
const stores = { members: members(), throttles: throttles(), apiKeys: apiKeys() };
const deps = { ...stores, mailer, newToken: () => randomText(43), now, answerMs: 1_000 };

/** POST /dashboard/sign-in/link, GET, POST /dashboard/sign-in/confirm */
export const handler = page(linkPages(deps));
