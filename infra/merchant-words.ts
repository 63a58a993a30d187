import * as z from 'zod';
import { Merchant } from '../shared/domain/merchant.ts';

/** The description of a field in the reference. */
export interface FieldWords {
  description: string;
  /** Which merchants need the field. Other merchants leave it out. */
  neededBy: string;
}

/** The description of a setting, for `.meta()`. */
export const words = (description: string, neededBy: string): FieldWords => ({ description, neededBy });

/**
 * The descriptions of the merchant's fields. They are in this file, so that functions, which contain the schema, do not
 * contain them.
 */
export const merchantWords: Readonly<Record<keyof typeof Merchant.shape, FieldWords>> = {
  id: words('The short name of the merchant. It is part of the stack’s name and never changes.', 'everyone'),
  name: words('The name that buyers and documents show.', 'everyone'),
  country: words('Where the merchant is established, as an ISO 3166-1 code such as DE.', 'everyone'),
  region: words(
    'The state or province of the merchant, such as CA, where the tax depends on it.',
    'merchants in a country whose taxes differ inside it',
  ),
  address: words('The lines of the address on documents, with the legal name first.', 'everyone who sells live'),
  city: words('The city in the address, as one of its lines has it. XML invoices name it.', 'sellers to businesses'),
  postalCode: words(
    'The postal code in the address, as one of its lines has it. XML invoices name it.',
    'sellers to businesses',
  ),
  supportEmail: words('The address that buyers are told for help.', 'everyone who sells live'),
  supportPhone: words(
    'The telephone number that buyers are told for help, with its country: `+49 30 1234567`.',
    'everyone who sells to consumers in Europe',
  ),
  timeZone: words(
    'The time zone in which the dashboard and its files show times, such as `Europe/Berlin`. Without it, they are in UTC. Documents and returns keep their own calendar.',
    'everyone who reads times in the dashboard',
  ),
  taxId: words('The merchant’s own tax ID, printed on documents and named to registers.', 'merchants who have one'),
  live: words('Whether the live stack answers calls.', 'everyone who sells live'),
  collectPolicy: words(
    'Collects tax where the merchant is registered, or everywhere that has a rate. Absent: where registered.',
    'merchants who let another party pay their tax',
  ),
  onUnsupported: words(
    'Refuses a sale to a place without a known rate, or sells it without tax.',
    'merchants who sell to every country',
  ),
  onUnverifiedTaxId: words(
    'What happens with a tax ID that no register confirms: the tax is charged, or the ID accepted.',
    'merchants who sell to businesses',
  ),
  taxIdCorrections: words(
    'Whether a corrected invoice waits for a decision, or is made when a register confirms the ID late. Absent: it waits.',
    'merchants who sell to businesses',
  ),
  refundWindowDays: words(
    'The number of days after a payment in which refunds are possible. Absent: no limit.',
    'merchants with a policy for refunds',
  ),
  receipts: words('The mails with invoices. Absent: no mail is sent.', 'merchants who mail invoices'),
  consents: words(
    'What buyers have to agree to on the page before they pay. Absent: nothing.',
    'merchants who want their terms accepted',
  ),
  expiredCheckoutEvents: words(
    'Sends `checkout_session.expired` to the endpoints that name it, for each checkout with an e-mail address that expires unpaid. Absent: no.',
    'merchants who remind buyers by a system of their own',
  ),
  returnOrigins: words(
    'The origins to which a checkout may lead back. Absent: every origin.',
    'merchants whose keys others use',
  ),
  exclusiveCountries: words(
    'Where the tax is added to prices with the tax mode `location`, ISO 3166-1 alpha-2. Absent: `US` and `CA`.',
    'merchants whose prices follow the custom of the place',
  ),
  returnSchemes: words('The schemes of apps to which a checkout may lead back. Absent: none.', 'merchants with an app'),
  strictFields: words(
    'Refuses fields of the API that ask for what is not done. Absent: those that 0.2.0 ignored are left out, logged and shown on the overview.',
    'everyone; leave it out only while programs written for 0.2.0 still send such fields',
  ),
  viewerCountryHeader: words(
    'The header with the buyer’s country, set by a proxy in front of the API. Absent: no proxy sets one.',
    'merchants with a proxy of their own',
  ),
};

for (const [name, of] of Object.entries(merchantWords))
  z.globalRegistry.add(Merchant.shape[name as keyof typeof Merchant.shape], { ...of });
z.globalRegistry.add(Merchant.shape.receipts.unwrap().shape.from, {
  ...words('The sender, an address or domain that Amazon SES has verified.', 'merchants who mail invoices'),
});
