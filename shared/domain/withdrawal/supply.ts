import type { SupplyConsentKind } from '../checkout/consent.ts';
import type { TaxCategory } from '../checkout/tax.ts';

/**
 * How the law of withdrawal treats a line: as `content` that is supplied once, such as a file or a key, or as a
 * `service` over time.
 */
export const supplyKinds = ['content', 'service'] as const;
export type SupplyKind = (typeof supplyKinds)[number];

const byCategory: Readonly<Record<TaxCategory, SupplyKind>> = {
  digital_products: 'content',
  e_book: 'content',
  edtech: 'content',
  saas: 'service',
  live_tutoring: 'service',
};

/** Whether a line is content or a service. If its product does not say that, the tax category decides. */
export const supplyOf = ({
  taxCategory,
  supply,
}: {
  taxCategory: TaxCategory;
  supply?: SupplyKind | undefined;
}): SupplyKind => supply ?? byCategory[taxCategory];

/** The consent that a consumer must give for each kind of line. */
export const consentToSupply = {
  content: 'immediate_supply',
  service: 'early_start',
} as const satisfies Record<SupplyKind, SupplyConsentKind>;

/** When the supply of a line began, and when it ends or ended. */
export interface LineSupply {
  /** The first download, view of a key or opening of a link or text; null if there was none. */
  begunAt: string | null;
  /** When the sold service ends; null if it has no end, or if the end is unknown. */
  until: string | null;
  /**
   * When content that waits for the confirmation opens anyway; absent if it does not wait. If the confirmation is
   * accepted only after that, the buyer keeps the right.
   */
  opensAt?: string;
}

/** What is known about the confirmation and the supply of a sale. */
export interface SupplyFacts {
  /**
   * When the mail service accepted the mail with the confirmation, which contains the instructions; null if it did not.
   */
  confirmedAt: string | null;
  /**
   * The supply of each line, in the order of the payment's lines. A line without an entry has not been supplied yet.
   */
  lines: readonly LineSupply[];
}
