import type { Product } from '../../domain/catalogue/product.ts';
import {
  type Entitlement,
  maxEntitlements,
  newEntitlement,
  usualAccessRules,
} from '../../domain/entitlements/entitlement.ts';
import { type ConfigFields, changeConfig, newConfig } from '../../domain/entitlements/entitlement-config.ts';
import { notFound, refuse } from '../../domain/errors.ts';
import { productEntitlementIdOf } from '../../domain/ids.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';

export interface AttachedDeps {
  entitlements: Pick<EntitlementStore, 'findMany'>;
}

/** A product with the entitlements that it gives; absent if none. */
export type OfferedProduct = Product & { attached?: Entitlement[] };

/** Adds to products what they give, in one read. Reads nothing if they give nothing. Deleted entitlements are left out. */
export async function withEntitlements(
  { entitlements }: AttachedDeps,
  products: readonly Product[],
): Promise<OfferedProduct[]> {
  const found = await entitlements.findMany(products.flatMap(({ entitlements: ids = [] }) => ids));
  return products.map((product) => attachedTo(product, found));
}

/** A product with those of the entitlements that it gives. */
export function attachedTo(product: Product, found: ReadonlyMap<string, Entitlement>): OfferedProduct {
  const given = product.entitlements?.flatMap((id) => found.get(id) ?? []).filter(({ isActive }) => isActive) ?? [];
  return given.length > 0 ? { ...product, attached: given } : product;
}

/** What a request says about a product's entitlements. */
export interface GivenByProduct {
  /** The ids to attach instead of the current ones; undefined keeps them. */
  entitlements?: string[] | undefined;
  /** The older fields of a licence key, which make an entitlement of the product. */
  ownKey?: { isEnabled?: boolean | undefined; config: ConfigFields } | undefined;
}

interface Settled {
  /** The ids that the product has from now on. */
  ids: string[];
  /** The entitlement of the older fields, if it is new or changes. */
  own?: Entitlement | undefined;
  attached: Map<string, Entitlement>;
}

/** Decides what a product gives after a request. Refuses unknown entitlements. */
export async function settleGiven(
  deps: AttachedDeps,
  product: Pick<Product, 'id' | 'name' | 'entitlements'>,
  { entitlements: wanted, ownKey }: GivenByProduct,
  now: string,
): Promise<Settled> {
  const ownId = productEntitlementIdOf(product.id, 'license_key');
  const before = wanted ?? product.entitlements ?? [];
  assertOnce(before);
  const attached = await deps.entitlements.findMany(ownKey ? [...before, ownId] : before);
  if (wanted) assertKnown(wanted, attached);
  const isOn = ownKey?.isEnabled ?? before.includes(ownId);
  const others = before.filter((id) => id !== ownId);
  const ids = isOn ? [...others, ownId] : others;
  assertFewEntitlements(ids);
  if (!ownKey) return { ids: before, attached };
  const own = ownEntitlement({ ...product, ownId }, attached.get(ownId), ownKey.config, now);
  if (!isOn) {
    assertNoFields(ownKey.config);
    return { ids, attached };
  }
  assertOneKey(others, attached);
  return { ids, own, attached: new Map([...attached, [ownId, own]]) };
}

function ownEntitlement(
  { id, ownId, name }: { id: string; ownId: string; name: string },
  known: Entitlement | undefined,
  config: ConfigFields,
  now: string,
): Entitlement {
  if (known) return { ...known, config: changeConfig(known.config, config), isActive: true, updatedAt: now };
  const fields = { name, description: null, access: usualAccessRules, metadata: {} };
  return newEntitlement({ ...fields, config: newConfig('license_key', config) }, { id: ownId, now, productId: id });
}

/** Refuses more entitlements than a product can give. */
export function assertFewEntitlements(ids: readonly string[]): void {
  if (ids.length <= maxEntitlements) return;
  const values = { most: maxEntitlements, entries: 'entitlements' };
  throw refuse('INVALID_REQUEST_PARAMETERS', 'entitlements', brokenRule(sentences.too_many, values));
}

function assertOnce(ids: readonly string[]): void {
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice < 0) return;
  throw refuse('INVALID_REQUEST_PARAMETERS', pathOf(twice), brokenRule(sentences.entitlement_twice));
}

function assertKnown(ids: readonly string[], found: ReadonlyMap<string, Entitlement>): void {
  const missing = ids.findIndex((id) => !found.get(id)?.isActive);
  if (missing >= 0) throw notFound('entitlement', ids[missing], pathOf(missing));
}

const pathOf = (index: number): string => `entitlements[${index}].entitlement_id`;

/** The older fields say something about a key that the product does not have. */
function assertNoFields(config: ConfigFields): void {
  const isEmpty = Object.values(config).every((value) => value === undefined || value === null);
  if (isEmpty) return;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'license_key_enabled', brokenRule(sentences.key_not_enabled));
}

/** One purchase would give two keys. */
function assertOneKey(ids: readonly string[], found: ReadonlyMap<string, Entitlement>): void {
  if (ids.every((id) => found.get(id)?.config.type !== 'license_key')) return;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'license_key_enabled', brokenRule(sentences.key_twice));
}
