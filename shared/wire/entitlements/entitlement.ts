import type {
  AccessRules,
  Entitlement,
  EntitlementConfig,
  EntitlementFile,
  FilesConfig,
  LicenseKeyConfig,
} from '../../domain/entitlements/entitlement.ts';
import type { Site } from '../../domain/site.ts';
import type { EntitlementAnswer } from './entitlement-answer.ts';

/**
 * For how many seconds the address of a file works at least. It needs an API key, and works as long as the file exists.
 */
const fileSeconds = 86_400;

/** A file in an answer. A key with write access gets an address for the download. */
export const presentFile =
  ({ publicUrl }: Site, { id }: Pick<Entitlement, 'id'>) =>
  (file: EntitlementFile) => ({
    download_url: `${publicUrl}/entitlements/${id}/files/${file.id}`,
    expires_in: fileSeconds,
    file_id: file.id,
    filename: file.name,
    content_type: file.contentType,
    file_size: file.size,
  });

/** The address, text and limit that stand beside the files. */
export const presentBeside = ({ url, instructions, downloadsLimit = null }: FilesConfig) => ({
  external_url: url,
  instructions,
  downloads_limit: downloadsLimit,
});

const presentKeys = (config: LicenseKeyConfig) => ({
  activation_message: config.activationMessage,
  activations_limit: config.activationsLimit,
  duration_count: config.validity?.count ?? null,
  duration_interval: config.validity?.unit ?? null,
  fulfillment_mode: config.fulfillment === 'auto' ? ('auto' as const) : ('manual' as const),
  pool: config.fulfillment === 'pool',
});

export const presentFeature = (featureId: string) => ({ feature_id: featureId, feature_type: 'boolean' as const });

function presentConfig(site: Site, entitlement: Entitlement): EntitlementAnswer<'Entitlement'>['integration_config'] {
  const config: EntitlementConfig = entitlement.config;
  switch (config.type) {
    case 'digital_files': {
      const files = config.files.filter(({ isReady }) => isReady).map(presentFile(site, entitlement));
      return { digital_files: { files, ...presentBeside(config) } };
    }
    case 'license_key':
      return presentKeys(config);
    case 'feature_flag':
      return presentFeature(config.featureId);
  }
}

const presentAccess = ({ endsByRefund, pausesByDispute, endsByLoss }: AccessRules) => ({
  full_refund_revokes: endsByRefund,
  chargeback_suspends: pausesByDispute,
  lost_dispute_revokes: endsByLoss,
});

/** An entitlement in the answer about a product. */
export const presentSummary = (site: Site) => (entitlement: Entitlement) => ({
  id: entitlement.id,
  name: entitlement.name,
  description: entitlement.description,
  integration_type: entitlement.config.type,
  integration_config: presentConfig(site, entitlement),
});

export const presentEntitlement =
  (site: Site) =>
  (entitlement: Entitlement): EntitlementAnswer<'Entitlement'> => ({
    ...presentSummary(site)(entitlement),
    business_id: site.businessId,
    access: presentAccess(entitlement.access),
    is_active: true,
    metadata: entitlement.metadata,
    created_at: entitlement.createdAt,
    updated_at: entitlement.updatedAt,
  });
