import type { PolicyKind } from '../domain/catalogue/policies.ts';
import type { Merchant, Stage } from '../domain/merchant.ts';
import { printedOnce } from '../domain/places/legal-name.ts';
import { withdrawPath } from '../domain/withdrawal/proof-link.ts';
import { offersWithdrawal } from '../domain/withdrawal/withdrawal-settings.ts';
import { findLocale, type Locale, negotiateLocale } from './locale.ts';

/** The brand that the pages show. */
export interface PageBrand {
  name: string;
  /** The colour as `#rrggbb`; null for the default colour. */
  color: string | null;
  /** The https address of the logo. */
  logo: string | null;
  supportEmail: string | null;
  /** Whether search engines may list the pages of the brand's products. */
  searchListing?: boolean | undefined;
}

/** The legal seller, with its name and the lines of its address. It does not depend on the brand. */
export interface PageSeller {
  name: string;
  address: readonly string[];
  /** The telephone number for buyers, with the country code. */
  phone?: string | undefined;
}

/** The data that every page needs. */
export interface PageContext {
  locale: Locale;
  brand: PageBrand;
  seller: PageSeller;
  /** The merchant's policies to which the page links. */
  policies?: readonly PolicyKind[];
  /**
   * The address at which a buyer can withdraw from a contract. If absent, it is the public form. Null if the merchant
   * has switched the function off.
   */
  withdrawUrl?: string | null;
  /** Whether the merchant has discount codes. */
  hasCodes?: boolean;
  /** Whether buyers get their receipts by mail. */
  mailsReceipts?: boolean;
  isSandbox: boolean;
  /** Whether the response replaces only a part of an open page, which already has its style and icon. */
  isFragment?: boolean;
}

/** Whether the checkout's script sent the request. Otherwise the browser asks for a new page. */
export const isAskedByScript = ({ headers }: Pick<PageVisit, 'headers'>): boolean => headers['hx-request'] === 'true';

/** The parts of a request that a page needs. */
export interface PageVisit {
  headers: Readonly<Record<string, string | undefined>>;
  query: (name: string) => string | undefined;
}

/**
 * The brand and the language of a page. The language is the requested one, or else the one that the browser prefers.
 */
export function pageContext(
  request: PageVisit,
  merchant: Pick<Merchant, 'name' | 'supportEmail' | 'supportPhone' | 'address' | 'receipts'>,
  stage: Stage,
): PageContext {
  const { name, supportEmail = null } = merchant;
  const locale = findLocale(request.query('lang')) ?? negotiateLocale(request.headers['accept-language']);
  return {
    locale,
    brand: { name, color: null, logo: null, supportEmail },
    seller: { ...printedOnce(merchant.name, merchant.address), phone: merchant.supportPhone },
    mailsReceipts: merchant.receipts !== undefined,
    isSandbox: stage === 'sandbox',
    isFragment: isAskedByScript(request),
  };
}

/** The settings of the stage for its pages. */
export interface PageEnvironment {
  merchant: () => Merchant;
  stage: () => Stage;
  /** The folder for mails on this machine, into which mails are written instead of being sent. */
  mailFolder?: () => string | undefined;
}

/** The context of a page of a stage. If there is a folder for mails, pages say that receipts are mailed. */
export function contextOf({ merchant, stage, mailFolder }: PageEnvironment, request: PageVisit): PageContext {
  const context = pageContext(request, merchant(), stage());
  return mailFolder?.() === undefined ? context : { ...context, mailsReceipts: true };
}

/** The address at which a buyer can withdraw; null if the merchant has switched the function off. */
export const withdrawUrlOf = (settings: Parameters<typeof offersWithdrawal>[0], path = withdrawPath): string | null =>
  offersWithdrawal(settings) ? path : null;

/** The page context with another brand. */
export const branded = (
  context: PageContext,
  { name, color, logo, supportEmail, searchListing }: PageBrand,
): PageContext => ({
  ...context,
  brand: { name, color, logo, supportEmail, searchListing },
});
