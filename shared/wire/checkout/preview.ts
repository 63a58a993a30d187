import type { CheckoutPreview } from '../../domain/checkout/priced-session.ts';
import { sumOfRates } from '../payments/payment.ts';

/** The price of a cart, in the dialect's breakup. */
export const presentPreview = ({ session, country, priced, taxId, taxIdFault }: CheckoutPreview) => {
  const { net, tax, gross } = priced.quote;
  return {
    billing_country: country,
    currency: session.currency,
    total_price: gross,
    total_tax: tax,
    current_breakup: { subtotal: net, discount: 0, tax, total_amount: gross },
    product_cart: session.lines.map((_, index) => presentLine({ session, priced }, index)),
    tax_id_err_msg: taxIdFault,
    tax_id_format_name: taxId?.formatName ?? null,
    tax_id_business_name: taxId?.checks?.at(-1)?.name ?? null,
    is_byop: false,
    payment_method_required: true,
    recurring_breakup: null,
    next_billing_date: null,
    subscriptions: null,
    trial_amount: null,
    trial_period_days: null,
  };
};

function presentLine({ session, priced }: Pick<CheckoutPreview, 'session' | 'priced'>, index: number) {
  const line = session.lines[index] as (typeof session.lines)[number];
  const quoted = priced.quote.lines[index];
  return {
    product_id: line.productId,
    name: line.name,
    description: line.description,
    quantity: line.quantity,
    currency: session.currency,
    og_currency: session.currency,
    og_price: quoted?.unitAmount,
    discounted_price: quoted?.unitAmount,
    tax: quoted?.tax ?? 0,
    tax_rate: sumOfRates(quoted?.components ?? []),
    tax_category: line.taxCategory,
    tax_inclusive: quoted?.taxInclusive ?? line.price.taxInclusive,
    is_subscription: false,
    is_usage_based: false,
    meters: [],
    credit_entitlements: [],
    addons: null,
    discount_amount: null,
    discount_cycle: null,
  };
}
