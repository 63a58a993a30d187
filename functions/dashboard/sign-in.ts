import { signInPages } from '../../shared/dashboard/access/sign-in-pages.ts';
import { page } from '../../shared/http/page.ts';
import { mailsDocuments } from '../../shared/wiring/books.ts';
import {
  apiKeys,
  dashboardSecrets,
  members,
  newId,
  now,
  randomText,
  readAhead,
  signIns,
} from '../../shared/wiring/runtime.ts';

const newSecret = () => randomText(43);
const newSessionId = () => randomText(22);
const deps = {
  apiKeys: apiKeys(),
  dashboardSecrets: dashboardSecrets(),
  members: members(),
  signIns: signIns(),
  readAhead,
  newId,
  newSecret,
  newSessionId,
  mailsLinks: mailsDocuments,
  now,
};

/** GET, POST /dashboard/sign-in, POST /dashboard/sign-out */
export const handler = page(signInPages(deps));
