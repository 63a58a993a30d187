import { noAccessOf } from '../../domain/entitlements/access-right.ts';
import type { Grant } from '../../domain/entitlements/grant.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import { keyStatusOf } from '../../domain/entitlements/license-key.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
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

/** Adds to grants what they give. A key is disabled while its payment gives no access, as programs hear it. */
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
}

/** A page of grants with what they give. */
export async function listGrants(
  deps: ListGrantsDeps,
  filter: Parameters<GrantStore['list']>[0],
  page: ItemPageRequest,
): Promise<ItemPage<GrantView>> {
  const { items, ...rest } = await deps.grants.list(filter, page);
  return { ...rest, items: await viewGrants(deps, items) };
}
