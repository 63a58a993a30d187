import { type Brands, shownBrand } from '../domain/catalogue/brand.ts';
import type { Merchant, Stage } from '../domain/merchant.ts';
import type { PageRequest, PageRoute } from '../http/page.ts';
import { branded, type PageContext, pageContext } from '../pages/page-context.ts';
import { refusedPage } from './checkout-responses.ts';

/** The merchant and brand of the pages, and their address. */
export interface CheckoutEnvironment {
  merchant: () => Merchant;
  stage: () => Stage;
  publicUrl: () => string;
  /** The folder for mails on this machine, where mails are not sent. */
  mailFolder?: () => string | undefined;
}

type Around = Pick<CheckoutEnvironment, 'merchant' | 'stage' | 'mailFolder'>;

export function contextOf({ merchant, stage, mailFolder }: Around, request: PageRequest): PageContext {
  const context = pageContext(request, merchant(), stage());
  return mailFolder?.() === undefined ? context : { ...context, mailsReceipts: true };
}

/** Shows an error as a page of the merchant, in the buyer's language. */
export const refuseIn =
  (env: Around): PageRoute['refuse'] =>
  (refusal, request) =>
    refusedPage(contextOf(env, request), refusal, request);

/** The page context with the session's brand. Brands are read only when a page is shown. */
export const underBrand = async (
  { brands }: { brands: { get: () => Promise<Brands> } },
  context: PageContext,
  { brandId }: { brandId: string },
): Promise<PageContext> => {
  const all = await brands.get();
  const hasCodes = (all.codes ?? 0) > 0;
  return { ...branded(context, shownBrand(all, brandId)), policies: all.policies ?? [], hasCodes };
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
