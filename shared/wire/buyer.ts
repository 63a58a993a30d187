import { countryCode, emailAddress, taxIdText, text } from './text/texts.ts';

const limits = {
  email: emailAddress,
  name: () => text(1, 250),
  country: countryCode,
  region: () => text(0, 100),
  postal_code: () => text(0, 20),
  street: () => text(0, 200),
  city: () => text(0, 100),
  tax_id: () => taxIdText(0, 40),
  business_name: () => text(0, 250),
};
type Limits = typeof limits;
type Built = { [Field in keyof Limits]?: ReturnType<Limits[Field]> };

const built: Built = {};

/**
 * The schema of a buyer's field, the same for the checkout page and the API. Each schema is built when it is first
 * needed, because an empty form needs none.
 */
export function buyerLimit<Field extends keyof Limits>(field: Field): ReturnType<Limits[Field]> {
  built[field] ??= limits[field]() as Built[Field];
  return built[field] as ReturnType<Limits[Field]>;
}
