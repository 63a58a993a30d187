import { CountryCode, EmailAddress, taxIdText, text } from './values.ts';

/** The limits of a buyer's fields, the same for the checkout page and for the API. */
export const buyerLimits = {
  email: EmailAddress,
  name: text(1, 250),
  country: CountryCode,
  region: text(0, 100),
  postal_code: text(0, 20),
  street: text(0, 200),
  city: text(0, 100),
  tax_id: taxIdText(0, 40),
  business_name: text(0, 250),
} as const;
