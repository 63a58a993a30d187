import * as z from 'zod';

/** What is read from the API of Dodo Payments. Other fields pass unread. */

const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);
const text = optional(z.string());
const count = optional(z.number());
const metadata = optional(z.record(z.string(), z.unknown()));

const price = z.looseObject({
  type: z.string(),
  currency: text,
  price: count,
  pay_what_you_want: optional(z.boolean()),
  suggested_price: count,
  tax_inclusive: optional(z.boolean()),
  discount: count,
  discount_bps: count,
  purchasing_power_parity: optional(z.boolean()),
});

export const KeyTerms = z.looseObject({
  activation_message: text,
  activations_limit: count,
  duration_count: count,
  duration_interval: text,
});

export const DodoProduct = z.looseObject({
  product_id: z.string(),
  brand_id: text,
  name: text,
  description: text,
  price,
  tax_category: text,
  metadata,
  image: text,
  pricing_mode: text,
  addons: optional(z.array(z.unknown())),
  credit_entitlements: optional(z.array(z.unknown())),
  entitlements: optional(z.array(z.looseObject({ integration_type: z.string(), integration_config: z.unknown() }))),
  digital_product_delivery: optional(
    z.looseObject({ external_url: text, instructions: text, files: optional(z.array(z.unknown())) }),
  ),
  license_key_enabled: optional(z.boolean()),
  license_key_activation_message: text,
  license_key_activations_limit: count,
  license_key_duration: optional(z.looseObject({ count: z.number(), interval: z.string() })),
});
export type DodoProduct = z.output<typeof DodoProduct>;

export const DodoListedProduct = z.looseObject({
  product_id: z.string(),
  name: text,
  is_recurring: optional(z.boolean()),
});
export const DodoPrice = z.looseObject({
  id: z.string(),
  amount: z.number(),
  currency: z.string(),
  country_code: text,
});

export const DodoDiscount = z.looseObject({
  discount_id: z.string(),
  type: z.string(),
  amount: z.number(),
  code: z.string(),
  name: text,
  metadata,
  restricted_to: optional(z.array(z.string())),
  currency_options: optional(
    z.array(
      z.looseObject({
        currency: z.string(),
        is_default: z.boolean(),
        minimum_subtotal: z.number(),
        max_amount_possible: count,
      }),
    ),
  ),
  customer_eligibility: text,
  usage_limit: count,
  per_customer_usage_limit: count,
  times_used: count,
  starts_at: text,
  expires_at: text,
  subscription_cycles: count,
  preserve_on_plan_change: optional(z.boolean()),
});

export const DodoCustomer = z.looseObject({
  customer_id: z.string(),
  email: z.string(),
  name: text,
  phone_number: text,
  metadata,
});

export const DodoKey = z.looseObject({
  id: z.string(),
  key: z.string(),
  product_id: z.string(),
  customer_id: z.string(),
  status: z.string(),
  activations_limit: count,
  expires_at: text,
  instances_count: count,
});
export type DodoDiscount = z.output<typeof DodoDiscount>;
export type DodoCustomer = z.output<typeof DodoCustomer>;
export type DodoKey = z.output<typeof DodoKey>;
