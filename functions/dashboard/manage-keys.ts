import { keyPages } from '../../shared/dashboard/access/key-pages.ts';
import { env } from '../../shared/env.ts';
import { formatApiKey, hashApiKey } from '../../shared/http/api-key.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import { apiKeys, members, now, randomText, signIns } from '../../shared/wiring/runtime.ts';

const newKey = () => formatApiKey(env.stage(), randomText(32));
const deps = { apiKeys: apiKeys(), signIns: signIns(), members: members(), newKey, hashOf: hashApiKey, now };

/** GET, POST /dashboard/keys */
export const handler = dashboard(keyPages(deps));
