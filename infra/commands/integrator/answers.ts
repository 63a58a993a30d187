import * as z from 'zod';

/** The parts of the API's answers that the commands print. */

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() });

export const PaymentItem = z.looseObject({
  payment_id: z.string(),
  status: z.string(),
  currency: z.string(),
  total_amount: z.int(),
  created_at: z.string(),
  refund_status: z.string().nullish(),
  customer: z.looseObject({ email: z.string() }),
});
export type PaymentItem = z.infer<typeof PaymentItem>;

export const PaidPayment = PaymentItem.extend({
  tax: z.int(),
  checkout_session_id: z.string().nullish(),
  invoice_url: z.string().nullish(),
  error_message: z.string().nullish(),
  refunds: z.array(
    z.looseObject({ refund_id: z.string(), status: z.string(), amount: z.int(), created_at: z.string() }),
  ),
});
export type PaidPayment = z.infer<typeof PaidPayment>;

export const PaidLines = z.looseObject({
  currency: z.string(),
  items: z.array(
    z.looseObject({
      items_id: z.string(),
      name: z.string().nullish(),
      quantity: z.int(),
      amount: z.int(),
      tax: z.int(),
      net_amount: z.int(),
      refundable_amount: z.int(),
    }),
  ),
});
export type PaidLines = z.infer<typeof PaidLines>;

export const PaymentPage = pageOf(PaymentItem);

export const CustomerAnswer = z.looseObject({
  customer_id: z.string(),
  created_at: z.string(),
  email: z.string(),
  name: z.string(),
  phone_number: z.string().nullish(),
  erasure: z.looseObject({ status: z.string() }).nullish(),
});
export type CustomerAnswer = z.infer<typeof CustomerAnswer>;

export const CustomerPage = pageOf(CustomerAnswer);

export const RefundPlan = z.looseObject({
  payment_id: z.string(),
  currency: z.string(),
  refundable: z.int(),
  gross: z.int(),
  net: z.int(),
  tax: z.int(),
  items: z.array(z.looseObject({ item_id: z.string(), gross: z.int(), net: z.int(), tax: z.int() })),
});
export type RefundPlan = z.infer<typeof RefundPlan>;

export const MadeRefund = z.looseObject({
  refund_id: z.string(),
  status: z.string(),
  amount: z.int(),
  tax: z.int(),
  currency: z.string(),
});

const PriceAnswer = z.looseObject({
  currency: z.string(),
  price: z.int(),
  pay_what_you_want: z.boolean(),
  suggested_price: z.int().nullish(),
  maximum_price: z.int().nullish(),
  tax_inclusive: z.boolean().nullish(),
});
export type PriceAnswer = z.infer<typeof PriceAnswer>;

export const ProductAnswer = z.looseObject({
  product_id: z.string(),
  name: z.string().nullable(),
  tax_category: z.string(),
  price: PriceAnswer,
});

export const ProductPage = pageOf(
  z.looseObject({
    product_id: z.string(),
    name: z.string().nullable(),
    tax_category: z.string(),
    price_detail: PriceAnswer,
    metadata: z.record(z.string(), z.unknown()),
  }),
);

export const DiscountAnswer = z.looseObject({
  discount_id: z.string(),
  code: z.string(),
  type: z.string(),
  amount: z.int(),
  currency_options: z.array(z.looseObject({ currency: z.string(), max_amount_possible: z.int().nullable() })),
  times_used: z.int(),
  usage_limit: z.int().nullable(),
  expires_at: z.string().nullable(),
});
export type DiscountAnswer = z.infer<typeof DiscountAnswer>;

export const DiscountPage = pageOf(DiscountAnswer);

export const LocalizedPriceAnswer = z.looseObject({
  id: z.string(),
  currency: z.string(),
  country_code: z.string().nullable(),
  amount: z.int(),
  tax_inclusive: z.boolean().nullable(),
});

export const LocalizedPriceList = z.object({ items: z.array(LocalizedPriceAnswer) });

export const PricePreview = z.looseObject({
  billing_country: z.string(),
  currency: z.string(),
  total_price: z.int(),
  current_breakup: z.looseObject({ subtotal: z.int(), tax: z.int(), total_amount: z.int() }),
  product_cart: z.array(z.looseObject({ tax_rate: z.number() })),
  tax_id_err_msg: z.string().nullish(),
});
export type PricePreview = z.infer<typeof PricePreview>;

export const EventItem = z.looseObject({
  event_id: z.string(),
  type: z.string(),
  timestamp: z.string(),
  payment_id: z.string(),
  sequence: z.int(),
});
export type EventItem = z.infer<typeof EventItem>;

export const EventPage = pageOf(EventItem);

export const WholeEvent = EventItem.extend({
  body: z.unknown(),
  deliveries: z.array(
    z.looseObject({
      webhook_id: z.string(),
      status: z.string(),
      attempts: z.int(),
      next_attempt_at: z.string().nullish(),
    }),
  ),
});
export type WholeEvent = z.infer<typeof WholeEvent>;

export const KeyRecord = z.looseObject({
  id: z.string(),
  name: z.string(),
  access: z.string(),
  may_refund: z.boolean(),
  last_four: z.string(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
export type KeyRecord = z.infer<typeof KeyRecord>;

export const CreatedKey = KeyRecord.extend({ key: z.string().nullable() });
export const OpenedSession = z.looseObject({ session_id: z.string(), checkout_url: z.string() });
export const Charged = z.looseObject({ payment_id: z.string(), status: z.string() });
