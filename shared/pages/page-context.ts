import type { Locale } from './locale.ts';

/** The seller as the pages show it. */
export interface Brand {
  name: string;
  /** `#rrggbb`; null: the house's own. */
  color: string | null;
  /** The https address of an image. */
  logo: string | null;
  supportEmail: string | null;
}

/** What every page needs to know. */
export interface PageContext {
  locale: Locale;
  brand: Brand;
  isSandbox: boolean;
}
