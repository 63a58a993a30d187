import { env } from '../env.ts';
import { webhookSender } from '../outside/webhooks/send-webhook.ts';
import { linkedSend } from '../use-cases/webhooks/linked-send.ts';
import { loggedSend } from '../use-cases/webhooks/logged-send.ts';
import { linkedBody, mayHaveFiles } from '../wire/webhooks/linked-body.ts';
import { findStackSecret, now, payments, site, targetPolicy } from './runtime.ts';

/**
 * What sends webhooks. It is separate from `runtime.ts`, so only functions that send webhooks bundle the HTTP client.
 */
export const sendWebhook = () =>
  linkedSend({
    payments: payments(),
    stackSecret: findStackSecret,
    mayHaveFiles,
    linkedBody: (body, tokenOf) => linkedBody(body, site().publicUrl, tokenOf),
    send: loggedSend(webhookSender(targetPolicy())),
    now,
  });

/** The delays between attempts are divided by this number. Only a sandbox is faster. */
export const webhookSpeed = (): number => (env.stage() === 'sandbox' ? env.webhookSpeed() : 1);
