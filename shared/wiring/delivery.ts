import { env } from '../env.ts';
import { webhookSender } from '../outside/webhooks/send-webhook.ts';
import { linkedSend } from '../use-cases/webhooks/linked-send.ts';
import { loggedSend } from '../use-cases/webhooks/logged-send.ts';
import { linkedBody, mayHaveFiles } from '../wire/webhooks/linked-body.ts';
import { findStackSecret, now, payments, site, targetPolicy, world } from './runtime.ts';

/**
 * The function that sends webhooks. It is not in `runtime.ts`, so only functions that send webhooks have the HTTP
 * client in their bundle.
 */
export const sendWebhook = () => {
  const send = loggedSend(webhookSender(targetPolicy()));
  return linkedSend({
    payments: payments(),
    stackSecret: findStackSecret,
    mayHaveFiles,
    linkedBody: (body, tokenOf) => linkedBody(body, site().publicUrl, tokenOf),
    send: (webhook) => send({ ...webhook, at: world.sentAt(webhook.at) }),
    now,
  });
};

/** The delays between attempts are divided by this number. It is above 1 only in a sandbox. */
export const webhookSpeed = (): number => (env.stage() === 'sandbox' ? env.webhookSpeed() : 1);
