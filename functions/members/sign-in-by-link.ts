import { linkPages } from '../../shared/dashboard/members/link-pages.ts';
import { page } from '../../shared/http/page.ts';
import { mailer } from '../../shared/wiring/mailer.ts';
import {
  apiKeys,
  dashboardSecrets,
  memberMails,
  members,
  newId,
  now,
  randomText,
  throttles,
} from '../../shared/wiring/runtime.ts';

const deps = {
  apiKeys: apiKeys(),
  dashboardSecrets: dashboardSecrets(),
  members: members(),
  throttles: throttles(),
  mailer: mailer(),
  memberMails: memberMails(),
  newId,
  newToken: () => randomText(43),
  newBrowserId: () => randomText(22),
  now,
  answerMs: 1_000,
};

/** POST /dashboard/sign-in/link, GET, POST /dashboard/sign-in/confirm */
export const handler = page(linkPages(deps));
