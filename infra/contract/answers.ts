import * as z from 'zod';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import { settingAnswers } from '../../shared/wire/access/access-answer.ts';
import { answeredId, paidAmount, upTo } from '../../shared/wire/answers/values.ts';
import { catalogueAnswers } from '../../shared/wire/catalogue/product-answer.ts';
import { checkoutAnswers } from '../../shared/wire/checkout/checkout-answer.ts';
import { customerAnswers } from '../../shared/wire/customers/customer-answer.ts';
import { discountAnswers } from '../../shared/wire/discounts/discount-answer.ts';
import { documentAnswers } from '../../shared/wire/documents/document-answer.ts';
import { entitlementAnswers } from '../../shared/wire/entitlements/entitlement-answer.ts';
import { licenseAnswers } from '../../shared/wire/entitlements/license-answer.ts';
import { calculationAnswers } from '../../shared/wire/payments/calculation-answer.ts';
import { paymentAnswers } from '../../shared/wire/payments/payment-answer.ts';
import { payoutAnswers } from '../../shared/wire/payouts/payout-answer.ts';
import { webhookAnswers } from '../../shared/wire/webhooks/webhook-answer.ts';
import { withdrawalAnswers } from '../../shared/wire/withdrawal/withdrawal-answer.ts';
import { errorTexts, wireCodeOf } from './errors.ts';

const wireCodes = [...new Set(Object.keys(errorTexts).map((code) => wireCodeOf(code as ErrorCode)))].sort();

/** The body of every error response. */
const Problem = z.strictObject({
  type: z
    .string()
    .regex(/^urn:tillstack:problem:[a-z-]{1,100}$/)
    .describe('A URN of the code.'),
  title: upTo(100).describe('The code in words.'),
  status: z.int().min(400).max(599).describe('The HTTP status.'),
  detail: z.string().describe('The same as `message`.'),
  instance: z.string().describe('The path of the request.'),
  code: z.enum(wireCodes).describe('The stable code of the error. `x-error-codes` says what to do.'),
  message: z.string().describe('What is wrong, in plain words. It never repeats secrets.'),
  param: z.string().nullable().describe('The path of the first fault; null where no field is to blame.'),
  errors: z
    .array(
      z.strictObject({
        path: z.string().describe('The path of the fault, such as `items[0].amount`.'),
        message: z.string().describe('What is wrong, in plain words. It never repeats secrets.'),
      }),
    )
    .max(20)
    .describe('Every fault of the request with its path. Empty where no field is to blame.'),
  request_id: upTo(200).describe('The id of the request. Name it when you report a problem.'),
  payment_id: answeredId('pay')
    .optional()
    .describe('The payment that the session has already, for those who may know it.'),
  total_amount: paidAmount.optional().describe('The total that is due, where another one was expected.'),
  minimum_amount: paidAmount
    .optional()
    .describe('The least that the buyer may choose for one unit, where the amount was below it.'),
  refundable_amount: paidAmount.optional().describe('What is refundable, where another amount was expected.'),
});

/**
 * Every answer of the API by its name in the contract. The test suite parses with these schemas the answers that it
 * gets.
 */
export const answers = {
  Problem,
  Nothing: z.strictObject({}),
  ...catalogueAnswers,
  ...checkoutAnswers,
  ...customerAnswers,
  ...paymentAnswers,
  ...payoutAnswers,
  ...calculationAnswers,
  ...discountAnswers,
  ...entitlementAnswers,
  ...documentAnswers,
  ...licenseAnswers,
  ...withdrawalAnswers,
  ...webhookAnswers,
  ...settingAnswers,
} as const satisfies Readonly<Record<string, z.ZodType>>;

export type AnswerName = keyof typeof answers;
