import { webhookPages } from '../../shared/dashboard/webhooks/webhook-pages.ts';
import { dashboard } from '../../shared/wiring/dashboard.ts';
import * as runtime from '../../shared/wiring/runtime.ts';

const deps = {
  webhooks: runtime.webhooks(),
  health: runtime.webhookHealth(),
  deliveries: runtime.deliveries(),
  events: runtime.events(),
  freeze: runtime.freeze(),
  whyNotUrl: runtime.whyNotUrl,
  now: runtime.now,
  newId: runtime.newId,
  randomBytes: runtime.newBytes,
};

/** GET, POST /dashboard/webhooks /dashboard/webhooks/{id} */
export const handler = dashboard(webhookPages(deps));
