import type { Product } from '../../domain/catalogue/product.ts';
import {
  type Entitlement,
  type EntitlementConfig,
  maxEntitlements,
  newEntitlement,
  usualAccessRules,
} from '../../domain/entitlements/entitlement.ts';
import { type ConfigFields, changeConfig, newConfig } from '../../domain/entitlements/entitlement-config.ts';
import type { OwnFiles } from '../../domain/entitlements/files.ts';
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

/**
 * Adds to products the entitlements that they give, in one read. Reads nothing if they give none. Leaves out deleted
 * entitlements.
 */
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
  /** The older fields about a licence key. They make an entitlement that belongs to the product. */
  ownKey?: { isEnabled?: boolean | undefined; config: ConfigFields } | undefined;
  /** The older field about the delivery. It makes another entitlement that belongs to the product; null removes it. */
  ownFiles?: OwnFiles | null | undefined;
}

interface Settled {
  /** All entitlement ids of the product after the request. */
  ids: string[];
  /** The product's own entitlements that the request creates or changes. */
  owns: Entitlement[];
  /** The product's own entitlements as they were before the change. */
  ownsBefore: Entitlement[];
  attached: Map<string, Entitlement>;
}

/** The fields of a product that affect its own entitlements. */
export type GivingProduct = Pick<Product, 'id' | 'name' | 'entitlements' | 'delivery'>;

/** The result for one of the product's own entitlements. */
interface SettledOwn {
  id: string;
  isOn: boolean;
  /** The entitlement after the change; undefined if it does not change. */
  own?: Entitlement | undefined;
}

interface SettleGivenDeps extends AttachedDeps {
  /** Checks which uploads of an entitlement have arrived. Absent for a new product, which has none. */
  look?: (entitlement: Entitlement) => Promise<Entitlement>;
}

/** Decides which entitlements a product gives after a request. Refuses unknown entitlements. */
export async function settleGiven(
  deps: SettleGivenDeps,
  product: GivingProduct,
  given: GivenByProduct,
  now: string,
): Promise<Settled> {
  const { entitlements: wanted, ownKey } = given;
  const before = wanted ?? product.entitlements ?? [];
  assertOnce(before);
  const ownFiles = ownFilesOf(product, given);
  const keyId = productEntitlementIdOf(product.id, 'license_key');
  const filesId = productEntitlementIdOf(product.id, 'digital_files');
  const ownIds = [...(ownKey ? [keyId] : []), ...(ownFiles === undefined ? [] : [filesId])];
  const stored = await deps.entitlements.findMany([...new Set([...before, ...ownIds])]);
  const uploaded = ownFiles?.fileIds && stored.get(filesId);
  const found = new Map(stored);
  if (uploaded && deps.look) found.set(filesId, await deps.look(uploaded));
  if (wanted) assertKnown(wanted, found);
  const settled = [
    ...(ownKey ? [settleKey({ product, id: keyId, before, found }, ownKey, now)] : []),
    ...(ownFiles === undefined ? [] : [settleFiles({ product, id: filesId, found }, ownFiles, now)]),
  ];
  const others = before.filter((id) => !ownIds.includes(id));
  const ids = [...others, ...settled.filter(({ isOn }) => isOn).map(({ id }) => id)];
  assertFewEntitlements(ids);
  const owns = settled.flatMap(({ own }) => own ?? []);
  return {
    ids: settled.length > 0 ? ids : before,
    owns,
    ownsBefore: owns.flatMap(({ id }) => stored.get(id) ?? []),
    attached: new Map([...found, ...owns.map((own) => [own.id, own] as const)]),
  };
}

/**
 * The delivery fields of a request, together with the delivery that version 0.2.0 stored in the product. Any change
 * moves that into an entitlement.
 */
export function ownFilesOf(
  { delivery }: Pick<GivingProduct, 'delivery'>,
  { entitlements, ownFiles }: GivenByProduct,
): OwnFiles | null | undefined {
  if (ownFiles) return { ...delivery, ...ownFiles };
  return ownFiles === undefined && entitlements === undefined ? delivery : ownFiles;
}

interface OwnOf {
  product: GivingProduct;
  id: string;
  found: ReadonlyMap<string, Entitlement>;
}

function settleKey(
  { product, id, before, found }: OwnOf & { before: readonly string[] },
  { isEnabled, config }: NonNullable<GivenByProduct['ownKey']>,
  now: string,
): SettledOwn {
  const known = found.get(id);
  const changed = known ? changeConfig(known.config, config) : newConfig('license_key', config);
  if (!(isEnabled ?? before.includes(id))) {
    assertNoFields(config);
    return { id, isOn: false };
  }
  assertOneKey(
    before.filter((other) => other !== id),
    found,
  );
  return { id, isOn: true, own: ownEntitlement({ product, id, known }, changed, now) };
}

/**
 * Decides about the product's own address, text and files. If all are empty, later buyers do not get the entitlement.
 * If the product did not give it so far, address and text start empty, and the files of earlier buyers are used.
 */
function settleFiles({ product, id, found }: OwnOf, ownFiles: OwnFiles | null, now: string): SettledOwn {
  if (ownFiles === null) return { id, isOn: false };
  const known = found.get(id);
  const config = known?.config ?? newConfig('digital_files', {});
  assertFilesOf(config, ownFiles);
  const isGiven = product.entitlements?.includes(id) ?? false;
  const changed = changeConfig(config, isGiven ? ownFiles : { url: null, instructions: null, ...ownFiles });
  const isOn = changed.type === 'digital_files' && hasContent(changed);
  if (!isOn && !known) return { id, isOn };
  return { id, isOn, own: ownEntitlement({ product, id, known }, changed, now) };
}

const hasContent = ({ url, instructions, files }: Extract<EntitlementConfig, { type: 'digital_files' }>): boolean =>
  url !== null || instructions !== null || files.length > 0;

/** The entitlement of a product that its older fields make. */
export function ownEntitlement(
  {
    product: { id: productId, name },
    id,
    known,
  }: { product: GivingProduct; id: string; known: Entitlement | undefined },
  config: EntitlementConfig,
  now: string,
): Entitlement {
  if (known) return { ...known, config, isActive: true, updatedAt: now };
  return newEntitlement(
    { name, description: null, access: usualAccessRules, metadata: {}, config },
    { id, now, productId },
  );
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

/** Refuses a file that was not uploaded for this product. */
function assertFilesOf(config: EntitlementConfig, { fileIds = [] }: OwnFiles): void {
  const known = new Set(config.type === 'digital_files' ? config.files.map(({ id }) => id) : []);
  const unknown = fileIds.findIndex((id) => !known.has(id));
  if (unknown < 0) return;
  const path = `digital_product_delivery.files[${unknown}]`;
  throw refuse('INVALID_REQUEST_PARAMETERS', path, brokenRule(sentences.entitlement_file));
}

/** Refuses older key fields for a product that has no licence key. */
function assertNoFields(config: ConfigFields): void {
  const isEmpty = Object.values(config).every((value) => value === undefined || value === null);
  if (isEmpty) return;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'license_key_enabled', brokenRule(sentences.key_not_enabled));
}

/** Refuses two entitlements that would both give a licence key for one purchase. */
function assertOneKey(ids: readonly string[], found: ReadonlyMap<string, Entitlement>): void {
  if (ids.every((id) => found.get(id)?.config.type !== 'license_key')) return;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'license_key_enabled', brokenRule(sentences.key_twice));
}
