import { type Brands, shownBrand } from '../domain/catalogue/brand.ts';
import { publishedKinds } from '../domain/catalogue/policies.ts';
import type { PageRequest } from '../http/page.ts';
import { branded, type PageContext, type PageEnvironment, withdrawUrlOf } from '../pages/page-context.ts';

/** The merchant and the brands for the pages, and the address of the stack. */
export interface CheckoutEnvironment extends PageEnvironment {
  publicUrl: () => string;
}

/** The page context with the session's brand. Brands are read only when a page is shown. */
export const underBrand = async (
  { brands }: { brands: { get: () => Promise<Brands> } },
  context: PageContext,
  session: { brandId: string },
): Promise<PageContext> => inBrandOf(await brands.get(), context, session);

/** The page context with the session's brand, from brands that are already read. */
export const inBrandOf = (all: Brands, context: PageContext, { brandId }: { brandId: string }): PageContext => {
  const hasCodes = (all.codes ?? 0) > 0;
  return {
    ...branded(context, shownBrand(all, brandId)),
    policies: publishedKinds(all),
    hasCodes,
    withdrawUrl: withdrawUrlOf(all),
  };
};

/** The country of the buyer's IP address, if the merchant's proxy sets a header with it. */
export function viewerCountry(
  { env }: { env: Pick<CheckoutEnvironment, 'merchant'> },
  { headers }: PageRequest,
): string | null {
  const header = env.merchant().viewerCountryHeader;
  const country = header && headers[header];
  return country && /^[A-Z]{2}$/.test(country) ? country : null;
}
