import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import type { EntitlementType } from '../../domain/entitlements/line-entitlement.ts';

/** The kinds of entitlement that a merchant can add to a product, in the order of the page. */
export const addedKinds = ['files', 'link', 'keys', 'codes', 'flag'] as const;
export type AddedKind = (typeof addedKinds)[number];

/** The entitlement type of each kind. Files, links and texts have the same type. */
export const typeOfKind: Readonly<Record<AddedKind, EntitlementType>> = {
  files: 'digital_files',
  link: 'digital_files',
  keys: 'license_key',
  codes: 'license_key',
  flag: 'feature_flag',
};

export const kindNamed = (name: string | undefined): AddedKind | undefined => addedKinds.find((kind) => kind === name);

/** Whether an entitlement has a pool: buyers get codes that the merchant has added. */
export const isPool = ({ config }: Pick<Entitlement, 'config'>): boolean =>
  config.type === 'license_key' && config.fulfillment === 'pool';

/** The path of the pages about a product's entitlements. */
export const entitlementsOf = (productId: string): string => `/dashboard/products/${productId}/entitlements`;

export const entitlementPath = (productId: string, { id }: Pick<Entitlement, 'id'>): string =>
  `${entitlementsOf(productId)}/${id}`;
