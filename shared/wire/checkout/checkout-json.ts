import * as z from 'zod';
import { type CheckoutSession, settledEmail } from '../../domain/checkout/checkout-session.ts';
import type { PricedSession } from '../../domain/checkout/priced-session.ts';
import type { CheckoutDraft, Submission } from '../../domain/checkout/submission.ts';
import { refuse } from '../../domain/errors.ts';
import { chargeStatusOf, type Payment } from '../../domain/payments/payment.ts';
import { buyerLimits } from '../buyer.ts';
import { presentNextAction } from '../payments/payment.ts';
import { percent } from '../percent.ts';
import { idOf, MoneyAmount, taxIdText, text, withCode } from '../values.ts';

const CustomerInput = z.strictObject({
  email: buyerLimits.email,
  name: buyerLimits.name,
});

const BillingInput = z.strictObject({
  country: buyerLimits.country,
  state: buyerLimits.region.nullish(),
  city: buyerLimits.city.nullish(),
  street: buyerLimits.street.nullish(),
  zipcode: buyerLimits.postal_code.nullish(),
});

/** No card, where the processor asks for it itself. */
const noCard = z
  .unknown()
  .refine(
    (card) => card === undefined || card === null,
    withCode('LIVE_MODE_TEST_CARD', 'Test cards do not work in live mode.'),
  )
  .optional()
  .transform(() => '');

/** The last four digits of a test card, to its number: on the wire no card has more. */
const testCard = (numbers: readonly string[]) => {
  const byLastFour = new Map(numbers.map((number) => [number.slice(-4), number]));
  return z.enum([...byLastFour.keys()], 'must be the last four digits of a test card').transform(
    // an enum lets nothing else through
    (lastFour) => byLastFour.get(lastFour) ?? '',
  );
};

const inputFields = (cardNumbers: readonly string[]) => ({
  customer: CustomerInput,
  billing_address: BillingInput,
  amounts: z.record(idOf('pdt'), MoneyAmount).nullish(),
  test_card: cardNumbers.length === 0 ? noCard : testCard(cardNumbers),
  tax_id: taxIdText(1, 40).nullish(),
  customer_business_name: text(1, 250).nullish(),
  expected_total: MoneyAmount.nullish(),
});

const needsTaxId = {
  ...withCode('INVALID_REQUEST_PARAMETERS', 'needs tax_id'),
  path: ['customer_business_name'],
};

/** What `POST /checkout/{id}/pay` takes as JSON, with the cards that can be named. */
export const payInput = (cardNumbers: readonly string[]) =>
  z
    .strictObject(inputFields(cardNumbers))
    .refine(({ customer_business_name, tax_id }) => !customer_business_name || tax_id, needsTaxId);

/** The body of `POST /checkout/{id}/quote`: the same fields, but no buyer or card is required. */
export const quoteInput = (cardNumbers: readonly string[]) =>
  z
    .strictObject(inputFields(cardNumbers))
    .partial({ customer: true, test_card: true })
    .refine(({ customer_business_name, tax_id }) => !customer_business_name || tax_id, needsTaxId);

type PayInput = z.output<ReturnType<typeof payInput>>;
type QuoteInput = z.output<ReturnType<typeof quoteInput>>;

/** The cart to price. Refuses an amount for a product that the session does not sell. */
export const toDraft = (session: CheckoutSession, { amounts, billing_address, tax_id }: QuoteInput) => {
  const { country, state = null, city = null, street = null, zipcode = null } = billing_address;
  return {
    amounts: amountsOf(session, amounts ?? {}),
    billing: { country, state, city, street, zipcode },
    taxId: tax_id ?? null,
  } satisfies CheckoutDraft;
};

/** The submission to pay. A customer whom the integrator named keeps their address. */
export function toSubmission(session: CheckoutSession, input: PayInput): Submission {
  return {
    ...toDraft(session, input),
    email: settledEmail(session) ?? input.customer.email,
    name: input.customer.name,
    businessName: input.customer_business_name ?? null,
    language: null,
    card: input.test_card,
    expectedTotal: input.expected_total ?? null,
  };
}

function amountsOf({ lines }: CheckoutSession, amounts: Readonly<Record<string, number>>): Map<string, number> {
  const stranger = Object.keys(amounts).find((id) => !lines.some(({ productId }) => productId === id));
  if (stranger === undefined) return new Map(Object.entries(amounts));
  const message = 'This checkout session does not sell this product.';
  throw refuse('INVALID_REQUEST_PARAMETERS', `amounts.${stranger}`, message);
}

/** The price of a session, line by line. */
export const presentQuote = ({ currency, lines }: CheckoutSession, { quote }: PricedSession) => ({
  currency,
  net_amount: quote.net,
  tax: quote.tax,
  total_amount: quote.gross,
  lines: quote.lines.map(({ quantity, unitAmount, net, tax, gross, taxInclusive, components }, index) => ({
    product_id: lines[index]?.productId,
    quantity,
    unit_amount: unitAmount,
    net_amount: net,
    tax,
    amount: gross,
    tax_inclusive: taxInclusive,
    tax_components: components.map(({ name, rate, amount, reason }) => ({ name, rate: percent(rate), amount, reason })),
  })),
});

/** The result of paying. A declined card is also a result. */
export const presentCharge = (payment: Payment) => ({
  payment_id: payment.id,
  status: chargeStatusOf(payment),
  total_amount: payment.gross,
  tax: payment.tax,
  currency: payment.currency,
  error_code: payment.errorCode,
  error_message: payment.errorMessage,
  checkout_session_id: payment.sessionId,
  ...presentNextAction(payment),
});
