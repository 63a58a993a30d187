import { taxedIn } from '../../domain/catalogue/tax-mode.ts';
import type { CheckTaxId } from '../../domain/checkout/buyer.ts';
import { openSession, type SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { CheckoutPreview } from '../../domain/checkout/priced-session.ts';
import type { PreviewRequest } from '../../domain/checkout/session-request.ts';
import {
  type AttachedDiscount,
  attachAll,
  type FoundDiscount,
  type LoadCodes,
} from '../../domain/discounts/attached-discount.ts';
import { assertCombinable } from '../../domain/discounts/take-discounts.ts';
import { DomainError, hasCode } from '../../domain/errors.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { tableVersion } from '../../tax/rates/table-version.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { assertCountry } from './create-checkout-session.ts';
import { loadCart } from './load-cart.ts';
import { linesAt, priceSession } from './price-session.ts';

export interface PreviewCheckoutDeps {
  products: Pick<ProductStore, 'find'>;
  loadCodes: LoadCodes;
  taxSettings: () => Promise<TaxSettings>;
  checkTaxId: CheckTaxId;
  now: () => Date;
}

/** Names the rows that a preview reads, so that they can be read together. */
export const previewedRows = <Row>(
  { cart }: PreviewRequest,
  keys: { product: (id: string) => Row; taxRules: () => Row },
): Row[] => [keys.taxRules(), ...cart.map(({ productId }) => keys.product(productId))];

/**
 * Prices a cart for a place and stores nothing. If the buyer has not chosen an amount, the suggested amount is used, or
 * the minimum if there is no suggestion.
 */
export async function previewCheckout(deps: PreviewCheckoutDeps, request: PreviewRequest): Promise<CheckoutPreview> {
  const { codes = [] } = request;
  assertCountry(request.fields.billing);
  const settings = await deps.taxSettings();
  const found = await deps.loadCodes(codes);
  const known = found.flatMap((one) => one?.discount ?? []);
  const { lines: snapshot, brandId } = await loadCart({ products: deps.products }, request, known);
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
  const price = (discounts: AttachedDiscount[]) =>
    priceSession({ ...session, discounts }, presumed, { ...pricing, taxDate: request.taxDate });
  const { usable, refusedCodes } = usableCodes(codes, found, { price, now });
  const priced = { session: { ...session, discounts: usable }, priced: price(usable), plain: price([]) };
  return { ...priced, refusedCodes, country, taxId, taxIdFault };
}

/** The codes that can be used, applied in order. For each other code, the reason why it cannot. */
function usableCodes(
  codes: readonly string[],
  found: readonly FoundDiscount[],
  { price, now }: { price: (discounts: AttachedDiscount[]) => unknown; now: Date },
) {
  const usable: AttachedDiscount[] = [];
  const refusedCodes: CheckoutPreview['refusedCodes'] = [];
  for (const [index, code] of codes.entries())
    try {
      const added = attachAll([code], [found[index]], { by: 'integrator', now: now.toISOString() });
      assertCombinable([...usable, ...added]);
      price([...usable, ...added]);
      usable.push(...added);
    } catch (problem) {
      if (!(problem instanceof DomainError)) throw problem;
      refusedCodes.push({ code, problem });
    }
  return { usable, refusedCodes };
}

/** A line with the tax of its anchor country, used if no country is known. */
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
