import { type Brands, shownBrand } from '../domain/catalogue/brand.ts';
import { publishedKinds } from '../domain/catalogue/policies.ts';
import type { PageRequest } from '../http/page.ts';
import { branded, type PageContext, type PageEnvironment, withdrawUrlOf } from '../pages/page-context.ts';

/** The merchant and brand of the pages, and their address. */
export interface CheckoutEnvironment extends PageEnvironment {
  publicUrl: () => string;
}

/** The page context with the session's brand. Brands are read only when a page is shown. */
export const underBrand = async (
  { brands }: { brands: { get: () => Promise<Brands> } },
  context: PageContext,
  session: { brandId: string },
): Promise<PageContext> => inBrandOf(await brands.get(), context, session);

/** The same with brands that were read. */
export const inBrandOf = (all: Brands, context: PageContext, { brandId }: { brandId: string }): PageContext => {
  const hasCodes = (all.codes ?? 0) > 0;
  return {
    ...branded(context, shownBrand(all, brandId)),
    policies: publishedKinds(all),
    hasCodes,
    withdrawUrl: withdrawUrlOf(all),
  };
};

/** The buyer's country as the network reports it, if the merchant's proxy sets such a header. */
export function viewerCountry(
  { env }: { env: Pick<CheckoutEnvironment, 'merchant'> },
  { headers }: PageRequest,
): string | null {
  const header = env.merchant().viewerCountryHeader;
  const country = header && headers[header];
  return country && /^[A-Z]{2}$/.test(country) ? country : null;
}
