import type { PolicyKind } from '../domain/catalogue/policies.ts';
import type { Merchant, Stage } from '../domain/merchant.ts';
import { findLocale, type Locale, negotiateLocale } from './locale.ts';

/** The seller as the pages show it. */
export interface PageBrand {
  name: string;
  /** `#rrggbb`; null: the default colour. */
  color: string | null;
  /** The https address of an image. */
  logo: string | null;
  supportEmail: string | null;
}

/** The seller in law, whichever brand the page shows: the name and the lines of the address. */
export interface PageSeller {
  name: string;
  address: readonly string[];
}

/** What every page needs to know. */
export interface PageContext {
  locale: Locale;
  brand: PageBrand;
  seller: PageSeller;
  /** The seller's texts that the page links to. */
  policies?: readonly PolicyKind[];
  /** Whether the merchant has discount codes. */
  hasCodes?: boolean;
  /** Whether buyers get their receipts by mail. */
  mailsReceipts?: boolean;
  isSandbox: boolean;
  /** Whether the response replaces a part of a page that is already open, which has its own style and icon. */
  isFragment?: boolean;
}

/** Whether htmx asks, while the buyer is on the page. */
export const isAskedByScript = ({ headers }: Pick<Asking, 'headers'>): boolean => headers['hx-request'] === 'true';

interface Asking {
  headers: Readonly<Record<string, string | undefined>>;
  query: (name: string) => string | undefined;
}

/** The brand and the language of a page: the requested language, else the one that the browser prefers. */
export function pageContext(
  request: Asking,
  merchant: Pick<Merchant, 'name' | 'supportEmail' | 'address' | 'receipts'>,
  stage: Stage,
): PageContext {
  const { name, supportEmail = null } = merchant;
  const locale = findLocale(request.query('lang')) ?? negotiateLocale(request.headers['accept-language']);
  return {
    locale,
    brand: { name, color: null, logo: null, supportEmail },
    seller: sellerOf(merchant),
    mailsReceipts: merchant.receipts !== undefined,
    isSandbox: stage === 'sandbox',
    isFragment: isAskedByScript(request),
  };
}

/** An address may begin with the full name of the seller, which is then printed once. */
function sellerOf({ name, address }: Pick<Merchant, 'name' | 'address'>): PageSeller {
  const [first = '', ...rest] = address;
  return first.startsWith(name) ? { name: first, address: rest } : { name, address };
}

/** The same page under another brand than the merchant's own. */
export const branded = (context: PageContext, { name, color, logo, supportEmail }: PageBrand): PageContext => ({
  ...context,
  brand: { name, color, logo, supportEmail },
});
