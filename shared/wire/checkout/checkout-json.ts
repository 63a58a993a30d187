import * as z from 'zod';
import { mostUnits } from '../../domain/catalogue/adjustable-quantity.ts';
import type { BillingAddress } from '../../domain/checkout/buyer.ts';
import { chosenAmountPath } from '../../domain/checkout/cart.ts';
import { type CheckoutSession, type SessionLine, settledEmail } from '../../domain/checkout/checkout-session.ts';
import { supplyConsentKinds } from '../../domain/checkout/consent.ts';
import type { PricedSession } from '../../domain/checkout/priced-session.ts';
import type { CheckoutDraft, Submission } from '../../domain/checkout/submission.ts';
import { mostCodes } from '../../domain/discounts/attached-discount.ts';
import { refuse } from '../../domain/errors.ts';
import { chargeStatusOf } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { noTestCards } from '../../domain/processor.ts';
import { buyerLimit } from '../buyer.ts';
import { codeText } from '../discounts/code-text.ts';
import { presentNextAction } from '../payments/payment.ts';
import { percent } from '../percent.ts';
import { prose, taxIdText, text } from '../text/texts.ts';
import { CurrencyCode, defined, idOf, localeText, MoneyAmount } from '../values.ts';
import { withCode } from '../with-code.ts';
import { presentRight } from '../withdrawal/right.ts';
import type { CheckoutAnswer } from './checkout-answer.ts';

const CustomerInput = z.strictObject({
  email: buyerLimit('email'),
  name: buyerLimit('name'),
});

const BillingInput = z.strictObject({
  country: buyerLimit('country'),
  state: buyerLimit('region').nullish(),
  city: buyerLimit('city').nullish(),
  street: buyerLimit('street').nullish(),
  zipcode: buyerLimit('postal_code').nullish(),
});

/** Refuses a card in the request, because the processor's own page asks for it. */
const noCard = z
  .unknown()
  .refine((card) => card === undefined || card === null, withCode('LIVE_MODE_TEST_CARD', noTestCards))
  .optional()
  .transform(() => '');

/** Finds the number of a test card by its last four digits. Requests never contain more of a card number. */
const testCard = (numbers: readonly string[]) => {
  const byLastFour = new Map(numbers.map((number) => [number.slice(-4), number]));
  const choices = [...byLastFour.keys()];
  return z.enum(choices, `must be the last four digits of a test card: ${choices.join(', ')}`).transform(
    // The card is always found, because the enum allows no other digits.
    (lastFour) => byLastFour.get(lastFour) ?? '',
  );
};

/** The most lines of a session. */
const mostLines = 20;

const amountsByProduct = z
  .record(idOf('pdt'), MoneyAmount)
  .refine((map) => Object.keys(map).length <= mostLines, `names more than ${mostLines} products`)
  .meta({ maxProperties: mostLines });

const quantitiesByProduct = z
  .record(idOf('pdt'), z.int().min(1, 'must be at least 1').max(mostUnits, `must be at most ${mostUnits}`))
  .refine((map) => Object.keys(map).length <= mostLines, `names more than ${mostLines} products`)
  .meta({ maxProperties: mostLines });

/** The codes of the buyer. They are applied in this order. */
const enteredCodes = z
  .array(codeText)
  .max(mostCodes)
  .refine((codes) => new Set(codes).size === codes.length, withCode('INVALID_REQUEST_PARAMETERS', 'has a code twice'));

/** The consents for which the integrator has asked the buyer, at most one of each kind. */
const givenConsents = z
  .array(z.strictObject({ kind: z.enum(supplyConsentKinds), text: prose(1, 2_000), language: localeText }))
  .max(supplyConsentKinds.length)
  .refine(
    (consents) => new Set(consents.map(({ kind }) => kind)).size === consents.length,
    withCode('INVALID_REQUEST_PARAMETERS', 'has a kind twice'),
  );

const inputFields = (cardNumbers: readonly string[]) => ({
  customer: CustomerInput.partial().nullish(),
  billing_address: BillingInput.nullish(),
  amounts: amountsByProduct.nullish(),
  quantities: quantitiesByProduct.nullish(),
  test_card: cardNumbers.length === 0 ? noCard : testCard(cardNumbers),
  tax_id: taxIdText(1, 40).nullish(),
  customer_business_name: text(1, 250).nullish(),
  expected_total: MoneyAmount.nullish(),
  expected_currency: CurrencyCode.nullish(),
  discount_codes: enteredCodes.nullish(),
});

/**
 * The JSON body of `POST /checkout/{id}/pay`, with the test cards that it accepts. Data that the session already has
 * may be missing.
 */
export const payInput = (cardNumbers: readonly string[]) =>
  z.strictObject({ ...inputFields(cardNumbers), consents: givenConsents.nullish() });

/** The body of `POST /checkout/{id}/quote`. It has the fields of the pay request, but no card is required. */
export const quoteInput = (cardNumbers: readonly string[]) =>
  z.strictObject(inputFields(cardNumbers)).partial({ test_card: true });

type PayInput = z.output<ReturnType<typeof payInput>>;
type QuoteInput = z.output<ReturnType<typeof quoteInput>>;

/** The data for pricing the cart. Refuses an amount for a product that is not in the session. */
export const toDraft = (session: CheckoutSession, input: QuoteInput) => {
  const billing = billingOf(session, input);
  return {
    amounts: amountsOf(session, input.amounts ?? {}),
    quantities: new Map(Object.entries(input.quantities ?? {})),
    billing,
    ...businessOf(session, input, billing),
  } satisfies CheckoutDraft & Pick<Submission, 'businessName'>;
};

/** The data for paying. If the integrator named the customer, their e-mail address is used. */
export function toSubmission(session: CheckoutSession, input: PayInput): Submission {
  const { email, name } = { ...session.customer, ...defined({ ...input.customer }) };
  return {
    ...toDraft(session, input),
    email: settledEmail(session) ?? required('customer.email', email),
    name: required('customer.name', name),
    language: null,
    card: input.test_card,
    expectedTotal: input.expected_total ?? null,
    expectedCurrency: input.expected_currency ?? null,
    codes: input.discount_codes ?? undefined,
    supplyConsents: input.consents?.map((consent) => ({ ...consent, source: 'api' as const })),
  };
}

/** The address of the request. If it has none, the session's address. */
function billingOf(session: CheckoutSession, { billing_address }: QuoteInput): BillingAddress {
  const { country, state = null, city = null, street = null, zipcode = null } = billing_address ?? session.billing;
  return { country: required('billing_address', country), state, city, street, zipcode };
}

/**
 * The tax id of the request. If it has none, the session's tax id, if it is for the same country. null in a request
 * means no tax id.
 */
function businessOf(session: CheckoutSession, { tax_id, customer_business_name }: QuoteInput, billing: BillingAddress) {
  const known = billing.country === session.billing.country ? session : { taxId: null, businessName: null };
  const taxId = tax_id === undefined ? known.taxId : tax_id;
  if (customer_business_name && !taxId)
    throw refuse('INVALID_REQUEST_PARAMETERS', 'customer_business_name', 'customer_business_name needs tax_id.');
  const knownName = taxId && taxId === known.taxId ? known.businessName : null;
  return { taxId, businessName: customer_business_name ?? knownName };
}

function required(path: string, value: string | undefined): string {
  if (value) return value;
  throw refuse('INVALID_REQUEST_BODY', path, `${path} is required, because the session does not have it.`);
}

function amountsOf({ lines }: CheckoutSession, amounts: Readonly<Record<string, number>>): Map<string, number> {
  for (const [id, amount] of Object.entries(amounts)) {
    const message = faultOfChoice(
      lines.filter(({ productId }) => productId === id),
      amount,
    );
    if (message) throw refuse('INVALID_REQUEST_PARAMETERS', chosenAmountPath(id), message);
  }
  return new Map(Object.entries(amounts));
}

/** Why the buyer cannot choose this amount. Undefined if they can, or if it equals the fixed price. */
function faultOfChoice(lines: readonly SessionLine[], amount: number): string | undefined {
  const settled = lines.map(({ price, amount: locked }) => (price.kind === 'fixed' ? price.unitAmount : locked));
  const [first] = settled;
  if (first === undefined) return 'This checkout session does not sell this product.';
  if (settled.includes(null) || settled.includes(amount)) return undefined;
  return `The buyer cannot choose the amount of this product: it is ${first}. Leave it out.`;
}

/** The price of a session, line by line. */
export const presentQuote = (
  { currency, lines, discounts = [] }: CheckoutSession,
  { quote, taken }: PricedSession,
): CheckoutAnswer<'Quote'> => ({
  currency,
  net_amount: quote.net,
  tax: quote.tax,
  total_amount: quote.gross,
  ...(discounts.length > 0 && {
    discounts: discounts.map(({ code }, index) => ({ code, amount: taken[index] ?? 0 })),
  }),
  lines: quote.lines.map(({ quantity, unitAmount, discount, net, tax, gross, taxInclusive, components }, index) => ({
    product_id: lines[index]?.productId as string,
    quantity,
    unit_amount: unitAmount,
    ...(discount === undefined ? {} : { discount_amount: discount }),
    net_amount: net,
    tax,
    amount: gross,
    tax_inclusive: taxInclusive,
    tax_components: components.map(({ name, rate, amount, reason }) => ({ name, rate: percent(rate), amount, reason })),
  })),
});

/** The result of paying. A declined card is a result too, and no error. */
export const presentCharge = (payment: Payment, sending: { isMailed: boolean }): CheckoutAnswer<'Charge'> => ({
  payment_id: payment.id,
  status: chargeStatusOf(payment),
  total_amount: payment.gross,
  tax: payment.tax,
  currency: payment.currency,
  error_code: payment.errorCode,
  error_message: payment.errorMessage,
  checkout_session_id: payment.sessionId,
  ...presentNextAction(payment),
  withdrawal: presentRight(payment, sending),
});
