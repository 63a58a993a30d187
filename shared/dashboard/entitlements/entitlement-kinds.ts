import type { Entitlement } from '../../domain/entitlements/entitlement.ts';
import type { EntitlementType } from '../../domain/entitlements/line-entitlement.ts';

/** The kinds of things that a merchant can add to a product, in the order of the page. */
export const addedKinds = ['files', 'link', 'keys', 'codes', 'flag'] as const;
export type AddedKind = (typeof addedKinds)[number];

/** A link or a text stands beside files, so both are the same type. */
export const typeOfKind: Readonly<Record<AddedKind, EntitlementType>> = {
  files: 'digital_files',
  link: 'digital_files',
  keys: 'license_key',
  codes: 'license_key',
  flag: 'feature_flag',
};

export const kindNamed = (name: string | undefined): AddedKind | undefined => addedKinds.find((kind) => kind === name);

/** Whether buyers get codes that the merchant adds. */
export const isPool = ({ config }: Pick<Entitlement, 'config'>): boolean =>
  config.type === 'license_key' && config.fulfillment === 'pool';

/** The pages of what a product gives. */
export const entitlementsOf = (productId: string): string => `/dashboard/products/${productId}/entitlements`;

export const entitlementPath = (productId: string, { id }: Pick<Entitlement, 'id'>): string =>
  `${entitlementsOf(productId)}/${id}`;
