import { isPermitted, type Rights } from '../../domain/access/access.ts';
import { downloadLinkSeconds, downloadUrl } from '../../domain/entitlements/download-link.ts';
import { offeredFiles } from '../../domain/entitlements/files.ts';
import type { GrantStatus } from '../../domain/entitlements/grant.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import { type KeyState, maskedKey } from '../../domain/entitlements/license-key.ts';
import type { Site } from '../../domain/site.ts';
import { grantConstants } from '../constants.ts';
import { presentBeside, presentFeature, presentFile } from './entitlement.ts';
import type { EntitlementAnswer } from './entitlement-answer.ts';

/** The states as the API names them, with capitals. */
export const grantStates = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
  revoked: 'Revoked',
} as const satisfies Record<GrantStatus, string>;

const presentKey = ({ key, status }: KeyState, isReadable: boolean) => ({
  id: key.id,
  key: isReadable ? key.key : maskedKey(key.key),
  status,
  activations_used: key.activations,
  activations_limit: key.activationsLimit,
  expires_at: key.expiresAt,
});

/**
 * The files of a delivered grant. With a token, each file has a link to its page. Otherwise it has an address that
 * needs an API key.
 */
function presentDelivery(site: Site, { grant, entitlement, tokens }: GrantView) {
  const config = entitlement?.config;
  if (!entitlement || config?.type !== 'digital_files' || grant.status !== 'delivered') return null;
  const files = offeredFiles(config).map((file) => {
    const token = tokens?.get(file.id);
    const shown = presentFile(site, entitlement)(file);
    if (!token) return shown;
    const download_url = downloadUrl(site.publicUrl, { grantId: grant.id, fileId: file.id }, token);
    return { ...shown, download_url, expires_in: downloadLinkSeconds };
  });
  return { files, ...presentBeside(config) };
}

/** A grant in the form of webhooks, with its licence key. */
export const presentWholeGrant =
  (site: Site, isReadable = true) =>
  (view: GrantView): EntitlementAnswer<'EntitlementGrant'> => {
    const { grant, entitlement, key } = view;
    const config = entitlement?.config;
    return {
      id: grant.id,
      business_id: site.businessId,
      brand_id: grant.brandId,
      entitlement_id: grant.entitlementId,
      integration_type: grant.type,
      customer_id: grant.customerId,
      payment_id: grant.paymentId,
      product_id: grant.productId,
      status: grantStates[grant.status],
      delivered_at: grant.deliveredAt,
      revoked_at: grant.revocation?.at ?? null,
      revocation_reason: grant.revocation ? (grant.revocation.reason ?? grant.revocation.by) : null,
      error_code: grant.error?.code ?? null,
      error_message: grant.error?.message ?? null,
      digital_product_delivery: presentDelivery(site, view),
      feature: config?.type === 'feature_flag' ? presentFeature(config.featureId) : null,
      license_key: key ? presentKey(key, isReadable) : null,
      ...grantConstants,
      created_at: grant.createdAt,
      updated_at: grant.updatedAt,
    };
  };

/** A grant for an API key. A key that can only read sees only the last characters of a licence key. */
export const presentGrant =
  (site: Site) =>
  (view: GrantView, caller: Rights): EntitlementAnswer<'EntitlementGrant'> =>
    presentWholeGrant(site, isPermitted(caller, 'write'))(view);

/** An entitlement of a customer. In this answer, the API writes the names in lower case. */
export const presentCustomerEntitlement = ({
  grant,
  entitlement,
}: Omit<GrantView, 'key'>): EntitlementAnswer<'CustomerEntitlements'>['items'][number] => ({
  grant_id: grant.id,
  entitlement_id: grant.entitlementId,
  entitlement_name: entitlement?.name ?? grant.entitlementName,
  entitlement_description: entitlement?.description ?? null,
  integration_type: grant.type,
  status: grant.status,
  delivered_at: grant.deliveredAt,
  revoked_at: grant.revocation?.at ?? null,
  created_at: grant.createdAt,
  updated_at: grant.updatedAt,
});
