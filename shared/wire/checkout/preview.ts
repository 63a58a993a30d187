import type { CheckoutPreview } from '../../domain/checkout/priced-session.ts';
import type { AttachedDiscount } from '../../domain/discounts/attached-discount.ts';
import { previewConstants, previewLineConstants } from '../constants.ts';
import { sumOfRates } from '../payments/payment.ts';
import type { CheckoutAnswer } from './checkout-answer.ts';

/** The price of a cart, with the API's breakup of the total. */
export const presentPreview = (preview: CheckoutPreview): CheckoutAnswer<'Preview'> => {
  const { session, country, priced, taxId, taxIdFault } = preview;
  const { tax, gross } = priced.quote;
  return {
    billing_country: country,
    currency: session.currency,
    total_price: gross,
    total_tax: tax,
    current_breakup: presentBreakup(preview),
    product_cart: session.lines.map((_, index) => presentLine(preview, index)),
    discounts: presentCodes(preview),
    tax_id_err_msg: taxIdFault,
    tax_id_format_name: taxId?.formatName ?? null,
    tax_id_business_name: taxId?.checks?.at(-1)?.name ?? null,
    ...previewConstants,
  };
};

/**
 * The breakup of the total: `subtotal − discount + tax`. The listed amounts are those on the page, with or without tax.
 */
function presentBreakup({ priced, plain }: CheckoutPreview) {
  const { net, tax, gross, lines } = priced.quote;
  const discount = Math.max(0, plain.quote.net - net);
  const listedDiscount = lines.reduce((total, line) => total + (line.discount ?? 0), 0);
  const listedSubtotal = lines.reduce((total, line) => total + line.unitAmount * line.quantity, 0);
  return {
    subtotal: net + discount,
    discount,
    tax,
    total_amount: gross,
    listed_subtotal: listedSubtotal,
    listed_discount: listedDiscount,
  };
}

const presentCodes = ({ session, priced, refusedCodes }: CheckoutPreview) => [
  ...(session.discounts ?? []).map(({ code }, index) => ({ code, amount: priced.taken[index] ?? 0, problem: null })),
  ...refusedCodes.map(({ code, problem }) => ({
    code,
    amount: 0,
    problem: { code: problem.code, message: problem.message },
  })),
];

/** The percentage of a line's code, in basis points. Only if the line has exactly one code and it is a percentage. */
function basisPointsOn({ restrictedTo, type, amount }: AttachedDiscount, productId: string): number | null | undefined {
  if (restrictedTo.length > 0 && !restrictedTo.includes(productId)) return undefined;
  return type === 'percentage' ? amount : null;
}

function presentLine(
  { session, priced }: Pick<CheckoutPreview, 'session' | 'priced'>,
  index: number,
): CheckoutAnswer<'PreviewLine'> {
  const line = session.lines[index] as (typeof session.lines)[number];
  const quoted = priced.quote.lines[index];
  const { unitAmount = 0, discount = 0 } = quoted ?? {};
  const touching = (session.discounts ?? [])
    .map((code) => basisPointsOn(code, line.productId))
    .filter((points) => points !== undefined);
  return {
    product_id: line.productId,
    name: line.name,
    description: line.description,
    quantity: line.quantity,
    currency: session.currency,
    og_currency: session.currency,
    og_price: unitAmount,
    discounted_price: Math.round((unitAmount * line.quantity - discount) / line.quantity),
    line_discount: discount,
    tax: quoted?.tax ?? 0,
    tax_rate: sumOfRates(quoted?.components ?? []),
    tax_category: line.taxCategory,
    tax_inclusive: quoted?.taxInclusive ?? line.price.taxInclusive,
    ...previewLineConstants,
    discount_amount: touching.length === 1 ? (touching[0] ?? null) : null,
  };
}
