import { downloadToken, type GrantedFile } from '../../domain/entitlements/download-link.ts';
import { orderSecret } from '../../domain/orders/order-link.ts';
import type { SendWebhook } from '../../domain/webhooks/webhook-request.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

interface LinkedSendDeps {
  payments: Pick<PaymentStore, 'find'>;
  /** The stack's own secret; undefined if no link was ever made. */
  stackSecret: () => Promise<string | undefined>;
  mayHaveFiles: (body: string) => boolean;
  linkedBody: (body: string, tokenOf: (file: GrantedFile) => string) => string;
  send: SendWebhook;
  now: () => Date;
}

/**
 * Sends webhooks with a link to each file of a grant. A link works for 24 hours from this attempt, and ends with the
 * order's link. The stored event contains no links. If the buyer is erased, no links are added.
 */
export const linkedSend =
  ({ payments, stackSecret, mayHaveFiles, linkedBody, send, now }: LinkedSendDeps): SendWebhook =>
  async (webhook) => {
    const body = webhook.body.toString();
    if (webhook.paymentId === null || !mayHaveFiles(body)) return send(webhook);
    const [payment, ofStack] = await Promise.all([payments.find(webhook.paymentId), stackSecret()]);
    if (!payment || !ofStack || payment.customer.email === '') return send(webhook);
    const secret = orderSecret(payment, ofStack);
    const linked = linkedBody(body, (file) => downloadToken(file, now(), secret));
    return send({ ...webhook, body: Buffer.from(linked) });
  };
