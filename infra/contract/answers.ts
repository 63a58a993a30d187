import * as z from 'zod';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import { settingAnswers } from '../../shared/wire/access/access-answer.ts';
import { answeredId, paidAmount, upTo } from '../../shared/wire/answer-values.ts';
import { catalogueAnswers } from '../../shared/wire/catalogue/product-answer.ts';
import { checkoutAnswers } from '../../shared/wire/checkout/checkout-answer.ts';
import { customerAnswers } from '../../shared/wire/customers/customer-answer.ts';
import { discountAnswers } from '../../shared/wire/discounts/discount-answer.ts';
import { documentAnswers } from '../../shared/wire/documents/document-answer.ts';
import { calculationAnswers } from '../../shared/wire/payments/calculation-answer.ts';
import { paymentAnswers } from '../../shared/wire/payments/payment-answer.ts';
import { webhookAnswers } from '../../shared/wire/webhooks/webhook-answer.ts';
import { errorTexts, wireCodeOf } from './errors.ts';

const wireCodes = [...new Set(Object.keys(errorTexts).map((code) => wireCodeOf(code as ErrorCode)))].sort();

/** The body of every refusal. */
const Problem = z.strictObject({
  type: z.string().regex(/^urn:tillstack:problem:[a-z-]{1,100}$/),
  title: upTo(100),
  status: z.int().min(400).max(599),
  detail: z.string(),
  instance: z.string(),
  code: z.enum(wireCodes),
  message: z.string(),
  param: z.string().nullable(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).max(20),
  request_id: upTo(200),
  payment_id: answeredId('pay').optional(),
  total_amount: paidAmount.optional(),
  minimum_amount: paidAmount.optional(),
  refundable_amount: paidAmount.optional(),
});

/** Every answer of the API by its name in the contract. The test suite parses what it is answered with these. */
export const answers = {
  Problem,
  Nothing: z.strictObject({}),
  ...catalogueAnswers,
  ...checkoutAnswers,
  ...customerAnswers,
  ...paymentAnswers,
  ...calculationAnswers,
  ...discountAnswers,
  ...documentAnswers,
  ...webhookAnswers,
  ...settingAnswers,
} as const satisfies Readonly<Record<string, z.ZodType>>;

export type AnswerName = keyof typeof answers;
