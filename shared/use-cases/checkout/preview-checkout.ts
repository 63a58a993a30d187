import { taxedIn } from '../../domain/catalogue/tax-mode.ts';
import type { CheckTaxId } from '../../domain/checkout/buyer.ts';
import { openSession, type SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { CheckoutPreview } from '../../domain/checkout/priced-session.ts';
import type { PreviewRequest } from '../../domain/checkout/session-request.ts';
import { hasCode } from '../../domain/errors.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { tableVersion } from '../../tax/rates/table-version.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { assertCountry } from './create-checkout-session.ts';
import { loadCart } from './load-cart.ts';
import { linesAt, priceSession } from './price-session.ts';

export interface PreviewCheckoutDeps {
  products: Pick<ProductStore, 'find'>;
  taxSettings: () => Promise<TaxSettings>;
  checkTaxId: CheckTaxId;
  now: () => Date;
}

/**
 * Prices a cart for a place and stores nothing. An amount that is not chosen counts as the suggestion, else the
 * minimum.
 */
export async function previewCheckout(deps: PreviewCheckoutDeps, request: PreviewRequest): Promise<CheckoutPreview> {
  assertCountry(request.fields);
  const settings = await deps.taxSettings();
  const { lines: snapshot, brandId } = await loadCart(deps.products, request);
  const lines = request.fields.billing.country ? snapshot : snapshot.map(atAnchor);
  const now = deps.now();
  const session = openSession(lines, request.fields, { id: 'preview', now, formToken: '', brandId, tableVersion });
  const { country = settings.merchantCountry, state, zipcode } = request.fields.billing;
  const { taxId, taxIdFault } = await refusableTaxId(deps, request.fields.taxId, country);
  const place = {
    country,
    region: state ?? (country === settings.merchantCountry ? settings.merchantRegion : undefined),
    postalCode: zipcode ?? undefined,
  };
  const pricing = { place, taxId, settings, now };
  const presumed = presumedAmounts(linesAt(session, pricing) ?? lines);
  const priced = priceSession(session, presumed, { ...pricing, taxDate: request.taxDate });
  return { session, country, priced, taxId, taxIdFault };
}

/** The line as the custom of its anchor has it, where no country is known. */
const atAnchor = (line: SessionLine): SessionLine => ({
  ...line,
  price: taxedIn(line.price, line.price.taxByPlace?.anchor ?? ''),
});

const presumedAmounts = (lines: readonly SessionLine[]): Map<string, number> =>
  new Map(
    lines.flatMap(({ productId, price }): [string, number][] =>
      price.kind === 'pay_what_you_want' ? [[productId, Math.max(price.suggested ?? 0, price.minimum)]] : [],
    ),
  );

async function refusableTaxId(deps: PreviewCheckoutDeps, id: string | null, country: string) {
  if (!id) return { taxId: null, taxIdFault: null };
  try {
    return { taxId: await deps.checkTaxId(id, country), taxIdFault: null };
  } catch (error) {
    if (hasCode(error, 'INVALID_TAX_ID')) return { taxId: null, taxIdFault: error.message };
    throw error;
  }
}
