import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { returnAddressText } from '../addresses.ts';
import { says } from '../says.ts';
import type { CustomerAnswer } from './customer-answer.ts';

/** The query of `POST /customers/{customer_id}/customer-portal/session`. */
export const PortalSessionQuery = z
  .strictObject({
    return_url: returnAddressText.optional(),
    send_email: z.enum(['true', 'false'], says(sentences.true_or_false)).default('false'),
  })
  .transform(({ return_url, send_email }) => ({ returnUrl: return_url ?? null, isMailed: send_email === 'true' }));

export const presentPortalSession = ({
  url,
}: {
  id: string;
  url: string;
}): CustomerAnswer<'CustomerPortalSession'> => ({
  link: url,
});
