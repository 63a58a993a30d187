import * as z from 'zod';
import type { ApiCaller } from '../api.ts';
import { type DodoListedProduct, DodoPrice, DodoProduct, KeyTerms } from './dodo-shapes.ts';
import { markOf, type ShopItem } from './shop.ts';
import type { ShopCollection } from './shop-collection.ts';

/** The name of Dodo Payments in the metadata of what is imported. */
export const dodo = 'dodo';

const isSubscription = 'is a subscription. Tillstack has none.';

/** Adds a product and its prices by place. */
export async function addDodoProduct(
  api: ApiCaller,
  collection: ShopCollection,
  { product_id: id, is_recurring: isRecurring }: z.output<typeof DodoListedProduct>,
  isEnded: boolean,
): Promise<void> {
  const named = { kind: 'product' as const, id };
  const product = isRecurring ? undefined : DodoProduct.parse(await api.get(`/products/${id}`));
  const reason = product ? withoutCounterpart(product) : isSubscription;
  if (!product || reason) {
    collection.leaveOut(named, reason ?? isSubscription);
    return;
  }
  collection.add({ ...named, isEnded, body: productBody(product) });
  for (const text of lostParts(product)) collection.note(named, text);
  if (!product.pricing_mode) return;
  const path = `/products/${id}/localized-prices`;
  const { items } = z.looseObject({ items: z.array(DodoPrice) }).parse(await api.get(path));
  for (const { id: priceId, amount, currency, country_code } of items)
    collection.add({ kind: 'price', id: priceId, products: [id], body: { amount, currency, country_code } });
}

/** Why a product cannot be sold here; undefined if it can. */
function withoutCounterpart({ price: { type, discount = 0, discount_bps: bps = 0 } }: DodoProduct): string | undefined {
  if (type === 'recurring_price') return isSubscription;
  if (type === 'usage_based_price') return 'is priced by usage. Tillstack has no meters.';
  if (discount > 0 || bps > 0)
    return 'has a discount in its price. Set the lower price in the source, or use a discount code.';
  return undefined;
}

/** The parts of a product that stay behind. */
function lostParts({ price, ...product }: DodoProduct): string[] {
  const others = product.entitlements?.filter(({ integration_type: type }) => type !== 'license_key') ?? [];
  const files = product.digital_product_delivery?.files?.length ?? 0;
  return [
    ...(product.image ? ['its image is not moved: upload it again.'] : []),
    ...(files > 0 ? [`its ${files} files are not moved: upload them again.`] : []),
    ...others.map(({ integration_type: type }) => `its entitlement of the type ${type} is not moved.`),
    ...(price.purchasing_power_parity ? ['has purchasing power parity. Set prices by country instead.'] : []),
    ...(product.addons?.length ? ['its add-ons are not moved. Tillstack has none.'] : []),
    ...(product.credit_entitlements?.length ? ['its credits are not moved. Tillstack has none.'] : []),
  ];
}

function productBody(product: DodoProduct): ShopItem['body'] {
  const { price, name, digital_product_delivery: delivery } = product;
  return {
    name,
    description: product.description || name,
    tax_category: product.tax_category,
    price: {
      type: price.type,
      currency: price.currency,
      price: price.price,
      ...(price.pay_what_you_want && { pay_what_you_want: true, suggested_price: price.suggested_price }),
      tax_inclusive: price.tax_inclusive ?? false,
    },
    pricing_mode: product.pricing_mode,
    ...(delivery && {
      digital_product_delivery: {
        external_url: delivery.external_url,
        instructions: delivery.instructions || undefined,
      },
    }),
    ...keyFields(product),
    metadata: { ...product.metadata, ...markOf(dodo, product.product_id) },
  };
}

/** The fields of a product that gives a licence key, which the source has as fields or as an entitlement. */
function keyFields(product: DodoProduct) {
  const entitlement = product.entitlements?.find(({ integration_type: type }) => type === 'license_key');
  const terms = KeyTerms.safeParse(entitlement?.integration_config).data;
  if (!product.license_key_enabled && !entitlement) return {};
  const { duration_count: duration, duration_interval: interval } = terms ?? {};
  return {
    license_key_enabled: true,
    license_key_activation_message: (product.license_key_activation_message ?? terms?.activation_message) || undefined,
    license_key_activations_limit: product.license_key_activations_limit ?? terms?.activations_limit,
    license_key_duration: product.license_key_duration ?? (duration && { count: duration, interval }),
  };
}
