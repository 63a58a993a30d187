import { isPermitted, type Rights } from '../../domain/access/access.ts';
import { noAccessOf } from '../../domain/entitlements/access-right.ts';
import { downloadToken } from '../../domain/entitlements/download-link.ts';
import { offeredFiles } from '../../domain/entitlements/files.ts';
import type { Grant } from '../../domain/entitlements/grant.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import { keyStatusOf } from '../../domain/entitlements/license-key.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { orderSecret } from '../../domain/orders/order-link.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { LicenseKeyStore } from '../../store/entitlements/license-key-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

export interface GrantViewDeps {
  entitlements: Pick<EntitlementStore, 'findMany'>;
  licenseKeys: Pick<LicenseKeyStore, 'find'>;
  payments: Pick<PaymentStore, 'find'>;
  now: () => Date;
}

/**
 * Adds to grants what they give. While the payment gives no access, the licence key is shown as disabled, as programs
 * see it.
 */
export async function viewGrants(deps: GrantViewDeps, grants: readonly Grant[]): Promise<GrantView[]> {
  const entitlements = await deps.entitlements.findMany([...new Set(grants.map(({ entitlementId }) => entitlementId))]);
  const view = async (grant: Grant): Promise<GrantView> => ({
    grant,
    entitlement: entitlements.get(grant.entitlementId),
    key: await keyOf(deps, grant),
  });
  return Promise.all(grants.map(view));
}

async function keyOf({ licenseKeys, payments, now }: GrantViewDeps, grant: Grant): Promise<GrantView['key']> {
  if (grant.licenseKeyId === null) return undefined;
  const [key, payment] = await Promise.all([licenseKeys.find(grant.licenseKeyId), payments.find(grant.paymentId)]);
  if (!key) return undefined;
  const hasAccess = payment !== undefined && noAccessOf(grant, payment) === undefined;
  return { key, status: keyStatusOf(key, { hasAccess, now: now().toISOString() }) };
}

export interface ListGrantsDeps extends GrantViewDeps {
  grants: Pick<GrantStore, 'list'>;
  /** The stack's own secret; undefined if no link was ever made. */
  stackSecret: () => Promise<string | undefined>;
}

/** A page of grants with what they give. A caller with write access also gets links to the files. */
export async function listGrants(
  deps: ListGrantsDeps,
  filter: Parameters<GrantStore['list']>[0],
  page: ItemPageRequest,
  caller: Rights,
): Promise<ItemPage<GrantView>> {
  const { items, ...rest } = await deps.grants.list(filter, page);
  const views = await viewGrants(deps, items);
  if (!isPermitted(caller, 'write')) return { ...rest, items: views };
  return { ...rest, items: await Promise.all(views.map((view) => withTokens(deps, view))) };
}

/** Adds the tokens of links to the files of a grant. The links stop working when the link of the order is replaced. */
async function withTokens({ payments, stackSecret, now }: ListGrantsDeps, view: GrantView): Promise<GrantView> {
  const { grant, entitlement } = view;
  const files = entitlement?.config.type === 'digital_files' ? offeredFiles(entitlement.config) : [];
  if (files.length === 0 || grant.status !== 'delivered') return view;
  const [payment, ofStack] = await Promise.all([payments.find(grant.paymentId), stackSecret()]);
  if (!payment || !ofStack) return view;
  const secret = orderSecret(payment, ofStack);
  const tokenOf = (fileId: string) => downloadToken({ grantId: grant.id, fileId }, now(), secret);
  return { ...view, tokens: new Map(files.map(({ id }) => [id, tokenOf(id)])) };
}
