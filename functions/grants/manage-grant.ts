import { grantPages } from '../../shared/dashboard/grants/grant-pages.ts';
import { newKeyComposer } from '../../shared/documents/document-mail.ts';
import { env } from '../../shared/env.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { newKeys } from '../../shared/wiring/new-keys.ts';

const from = env.merchant().receipts?.from;
const deps = newKeys(newKeyComposer({ isSandbox: env.stage() === 'sandbox', from }));

/** GET, POST /dashboard/grants/{id} */
export const handler = dashboard(grantPages(deps));
