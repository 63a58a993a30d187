import { orderUrl } from '../domain/orders/order-link.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { env } from '../env.ts';
import { hashApiKey } from '../http/api-key.ts';
import type { ReissueKeyDeps } from '../use-cases/entitlements/reissue-key.ts';
import { documents, mails } from './books.ts';
import { chosenLanguage } from './buyer-language.ts';
import { mailer } from './mailer.ts';
import * as runtime from './runtime.ts';

/**
 * The dependencies that give a grant a new licence key and inform its buyer. The calling function composes the mail.
 */
export function newKeys(composeNewKey: ReissueKeyDeps['composeNewKey']) {
  return {
    grants: runtime.grants(),
    entitlements: runtime.entitlements(),
    licenseKeys: runtime.licenseKeys(),
    payments: runtime.payments(),
    pool: runtime.codePools(),
    documents: documents(),
    mails: mails(),
    throttles: runtime.throttles(),
    mailer: mailer(),
    composeNewKey,
    findOrderUrl: async (payment: Payment) => {
      const secret = await runtime.findStackSecret();
      return secret && orderUrl(env.publicUrl(), payment, secret);
    },
    chosenLanguage,
    hashOf: hashApiKey,
    now: runtime.now,
    newId: runtime.newId,
    newBytes: runtime.newBytes,
  };
}
