import * as z from 'zod';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import { calculationAnswers } from './answers/calculation.ts';
import { catalogueAnswers } from './answers/catalogue.ts';
import { checkoutAnswers } from './answers/checkout.ts';
import { customerAnswers } from './answers/customers.ts';
import { discountAnswers } from './answers/discounts.ts';
import { documentAnswers } from './answers/documents.ts';
import { paymentAnswers } from './answers/payments.ts';
import { settingAnswers } from './answers/settings.ts';
import { answeredId, paidAmount, upTo } from './answers/values.ts';
import { webhookAnswers } from './answers/webhooks.ts';
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
