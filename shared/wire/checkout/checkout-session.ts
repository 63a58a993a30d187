import * as z from 'zod';
import { type CheckoutSession, type SessionFields, sessionStatus } from '../../domain/checkout/checkout-session.ts';
import type { PreviewRequest, SessionRequest } from '../../domain/checkout/session-request.ts';
import { mostCodes } from '../../domain/discounts/attached-discount.ts';
import type { Site } from '../../domain/site.ts';
import { EmailAddress, PhoneNumber, returnAddressText } from '../addresses.ts';
import { QuantityLimits } from '../catalogue/offer-fields.ts';
import { newSessionConstants } from '../constants.ts';
import { codeText } from '../discounts/code-text.ts';
import { MetadataMap } from '../metadata.ts';
import { taxIdText, text } from '../text/texts.ts';
import { asksNothing, noLongerIgnored, unsupported } from '../unsupported.ts';
import { CountryCode, CurrencyCode, defined, idOf, ignoring, localeText, MoneyAmount } from '../values.ts';
import { withCode } from '../with-code.ts';
import type { CheckoutAnswer } from './checkout-answer.ts';
import { Customization, FeatureFlags, PaymentMethodTypes } from './page-options.ts';

/** Harmless fields of the API that have no effect here. docs/dialect.md explains for each why that misleads nobody. */
const ignoredFields = ['mandate_min_amount_inr_paise', 'minimal_address', 'short_link'];

const empty = z.union([z.null(), z.array(z.unknown()).length(0)], 'is not supported; leave it out').optional();

const changesCharge = unsupported(' and would change what is charged');

const CartLineInput = z.strictObject({
  product_id: idOf('pdt'),
  quantity: z.int().min(1, 'must be at least 1').max(1_000_000),
  amount: MoneyAmount.nullish(),
  adjustable_quantity: QuantityLimits.nullish(),
  addons: empty,
  credit_entitlements: empty,
});

const CustomerInput = z
  .strictObject({
    customer_id: idOf('cus').optional(),
    email: EmailAddress.optional(),
    name: text(0, 250).nullish(),
    phone_number: PhoneNumber.nullish(),
    create_new_customer: z.unknown().optional(),
  })
  .refine(({ customer_id, email }) => customer_id || email, {
    error: 'is required, unless you send customer_id',
    path: ['email'],
  });

const BillingInput = z.strictObject({
  country: CountryCode,
  city: text(0, 100).nullish(),
  state: text(0, 100).nullish(),
  street: text(0, 200).nullish(),
  zipcode: text(0, 20).nullish(),
});

const inputFields = {
  product_cart: z.array(CartLineInput).max(20, 'must have at most 20 lines'),
  customer: CustomerInput.nullish(),
  billing_address: BillingInput.nullish(),
  return_url: returnAddressText.nullish(),
  cancel_url: returnAddressText.nullish(),
  tax_id: taxIdText(1, 40).nullish(),
  customer_business_name: text(1, 250).nullish(),
  metadata: MetadataMap.nullish(),
  allowed_payment_method_types: PaymentMethodTypes,
  billing_currency: CurrencyCode.nullish(),
  confirm: changesCharge,
  consents_by: z.enum(['integrator']).nullish(),
  custom_fields: noLongerIgnored('ask on your own site, and send the answers in metadata'),
  customization: Customization,
  discount_code: codeText.nullish(),
  discount_codes: z.array(codeText).max(mostCodes).nullish(),
  feature_flags: FeatureFlags.nullish(),
  force_3ds: noLongerIgnored('set in your processor’s dashboard when cards are checked, and leave it out'),
  payment_method_id: changesCharge,
  product_collection_id: changesCharge,
  show_saved_payment_methods: noLongerIgnored('no payment methods are saved; leave it out'),
  subscription_data: changesCharge,
};

const hasNoProductTwice = ({ product_cart: cart }: { product_cart: { product_id: string }[] }): boolean =>
  new Set(cart.map((line) => line.product_id)).size === cart.length;

const hasOneOfBoth = ({ discount_code: one, discount_codes: several }: DiscountCodes): boolean => !one || !several;

const hasNoCodeTwice = ({ discount_codes: codes }: DiscountCodes): boolean =>
  new Set(codes ?? []).size === (codes ?? []).length;

interface DiscountCodes {
  discount_code?: string | null | undefined;
  discount_codes?: string[] | null | undefined;
}

const CartInput = z
  .strictObject(inputFields)
  .refine(({ product_cart }) => product_cart.length > 0, {
    ...withCode('PRODUCT_CART_EMPTY', 'needs at least one product'),
    path: ['product_cart'],
  })
  .refine(hasNoProductTwice, {
    ...withCode('INVALID_REQUEST_PARAMETERS', 'lists a product twice; use quantity'),
    path: ['product_cart'],
  })
  .refine(hasOneOfBoth, {
    ...withCode('INVALID_REQUEST_PARAMETERS', 'cannot be combined with discount_codes'),
    path: ['discount_code'],
  })
  .refine(hasNoCodeTwice, {
    ...withCode('INVALID_REQUEST_PARAMETERS', 'has a code twice'),
    path: ['discount_codes'],
  })
  .refine(({ tax_id, billing_address }) => !tax_id || billing_address, {
    ...withCode('INVALID_TAX_ID', 'needs billing_address.country'),
    path: ['tax_id'],
  })
  .refine(({ customer_business_name, tax_id }) => !customer_business_name || tax_id, {
    ...withCode('INVALID_REQUEST_PARAMETERS', 'needs tax_id'),
    path: ['customer_business_name'],
  });

type SessionFieldsInput = z.output<z.ZodObject<typeof inputFields>>;

const toRequest = (input: SessionFieldsInput): SessionRequest => ({
  cart: input.product_cart.map(({ product_id, quantity, amount, adjustable_quantity: adjustable }) => ({
    productId: product_id,
    quantity,
    amount: amount ?? null,
    ...(adjustable && { adjustable }),
  })),
  fields: {
    customer: toCustomer(input.customer),
    billing: toBilling(input.billing_address),
    taxId: input.tax_id ?? null,
    businessName: input.customer_business_name ?? null,
    returnUrl: input.return_url ?? null,
    cancelUrl: input.cancel_url ?? null,
    metadata: input.metadata ?? {},
  },
  currency: input.billing_currency ?? null,
  ...codesOf(input),
  ...(!asksNothing(input.allowed_payment_method_types) && { takesCardsOnly: true }),
  ...(input.consents_by && { consentsBy: input.consents_by }),
  ...(input.feature_flags?.['allow_discount_code'] === false && { takesCodes: false }),
  ...(input.feature_flags?.['allow_currency_selection'] === false && { choosesCurrency: false }),
});

function codesOf({ discount_codes: several, discount_code: one }: DiscountCodes): Pick<SessionRequest, 'codes'> {
  const codes = several ?? (one ? [one] : []);
  return codes.length > 0 ? { codes } : {};
}

const toCustomer = (customer: SessionFieldsInput['customer']): SessionFields['customer'] =>
  defined({
    id: customer?.customer_id,
    email: customer?.email,
    name: customer?.name ?? undefined,
    phone: customer?.phone_number ?? undefined,
  });

function toBilling(address: SessionFieldsInput['billing_address']): SessionFields['billing'] {
  if (!address) return {};
  const { country, city = null, state = null, street = null, zipcode = null } = address;
  return { country, city, state, street, zipcode };
}

/** The body of `POST /checkout-sessions/create`. */
export const SessionInput = ignoring(ignoredFields, CartInput.transform(toRequest));

const notThisCentury = 'must be a date of this century, such as 2026-03-01';
const dayOfThisCentury = z.iso.date({ error: notThisCentury, abort: true }).startsWith('20', notThisCentury);

/**
 * The query of the preview. A locale is accepted because clients send it, but has no effect: a product has only one
 * text.
 */
export const PreviewQuery = z.strictObject({ locale: localeText.optional() });

/** The body of the preview. It has the fields of a session, and the day whose rates apply. */
export const PreviewInput = ignoring(
  ignoredFields,
  CartInput.safeExtend({ tax_date: dayOfThisCentury.nullish() }).transform(
    (input): PreviewRequest => ({ ...toRequest(input), taxDate: input.tax_date ?? null }),
  ),
);

const checkoutUrl = (site: Site, id: string): string => `${site.publicUrl}/checkout/${id}`;

export const presentSessionCreated =
  (site: Site) =>
  (session: CheckoutSession): CheckoutAnswer<'SessionCreated'> => ({
    session_id: session.id,
    checkout_url: checkoutUrl(site, session.id),
    ...newSessionConstants,
  });

export const presentSession =
  (site: Site, now: () => Date) =>
  (session: CheckoutSession): CheckoutAnswer<'Session'> => ({
    id: session.id,
    created_at: session.createdAt,
    customer_email: session.payer?.email ?? session.customer.email ?? null,
    customer_name: session.payer?.name ?? session.customer.name ?? null,
    payment_id: session.paymentId,
    payment_status: session.paymentStatus,
    status: sessionStatus(session, now()),
    expires_at: session.expiresAt,
    checkout_url: checkoutUrl(site, session.id),
    metadata: session.metadata,
    discount_codes: (session.discounts ?? []).map(({ code }) => code),
  });
