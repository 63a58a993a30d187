import * as z from 'zod';
import { supplyConsentKinds } from '../../domain/checkout/consent.ts';
import { instantText, link, upTo } from '../answers/values.ts';

const kind = z
  .enum(supplyConsentKinds)
  .describe('`immediate_supply` of digital content, or `early_start` of a service, before the period has ended.');

/** The confirmation of a contract that reached its buyer. */
export const AcceptedConfirmation = z.strictObject({
  accepted_at: instantText.describe('When the mail service accepted the mail with the confirmation.'),
  url: link.describe('The same confirmation as a page or a PDF, with a secret that opens it.'),
});

/** The buyer's right of withdrawal, computed from the payment alone. */
export const RightOfWithdrawal = z.strictObject({
  right: z
    .enum(['kept', 'waivable', 'none'])
    .describe(
      '`none`: the buyer is no consumer of the EEA or the UK. `kept`: the buyer has given no consent, or the stack sends no mail, so nothing ends the right before the period does. `waivable`: there are consents, so the right ends for their lines when the mail service has accepted the confirmation (for content within 60 seconds of the payment), and then the content was supplied or the service fully performed.',
    ),
  period_ends_on: z.iso
    .date()
    .nullable()
    .describe(
      'The last day of the period if the confirmation was sent on the day of the contract; twelve months are added while nothing proves that it was sent. Null without a right.',
    ),
  consents: z
    .array(
      z.strictObject({
        kind,
        text: upTo(2_000).describe('The words of the consent.'),
        language: upTo(35).describe('Their language.'),
        given_at: instantText.describe('When the buyer paid with them.'),
        lines: z.array(z.int()).max(20).describe('The lines that it is about: positions in the cart, from 0.'),
        source: z
          .enum(['page', 'integrator'])
          .describe('Who asked: the checkout page, or an integrator who paid the session through the API.'),
      }),
    )
    .max(2)
    .describe('The consents that the payment keeps.'),
});
