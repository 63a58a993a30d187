import { env } from '../env.ts';
import { webhookSender } from '../outside/webhooks/send-webhook.ts';
import { loggedSend } from '../use-cases/webhooks/logged-send.ts';
import { targetPolicy } from './runtime.ts';

/**
 * What sends webhooks. It is separate from `runtime.ts`, so only functions that send webhooks bundle the HTTP client.
 */
export const sendWebhook = () => loggedSend(webhookSender(targetPolicy()));

/** The delays between attempts are divided by this number. Only a sandbox is faster. */
export const webhookSpeed = (): number => (env.stage() === 'sandbox' ? env.webhookSpeed() : 1);
