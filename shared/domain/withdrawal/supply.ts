import type { SupplyConsentKind } from '../checkout/consent.ts';
import type { TaxCategory } from '../checkout/tax.ts';

/**
 * What a line is in the law of withdrawal: `content` that is supplied once, such as a file or a key, or a `service`
 * over time.
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

/** Whether a line is content or a service: as its product says, or else by its tax category. */
export const supplyOf = ({
  taxCategory,
  supply,
}: {
  taxCategory: TaxCategory;
  supply?: SupplyKind | undefined;
}): SupplyKind => supply ?? byCategory[taxCategory];

/** What a consumer is asked for about each kind of line. */
export const consentToSupply = {
  content: 'immediate_supply',
  service: 'early_start',
} as const satisfies Record<SupplyKind, SupplyConsentKind>;

/** When the supply of a line began, and when it ends or ended. */
export interface LineSupply {
  /** The first download, view of a key or opening of a link or text; null if there was none. */
  begunAt: string | null;
  /** Until when a service is sold; null if it has no end, or nobody knows it. */
  until: string | null;
}

/** What is known of the confirmation and the supply of a sale. */
export interface SupplyFacts {
  /** When the mail service accepted the confirmation, which carries the instructions; null if it did not. */
  confirmedAt: string | null;
  /** The supply of each line, in the order of the payment's lines; a missing one has not begun. */
  lines: readonly LineSupply[];
}
