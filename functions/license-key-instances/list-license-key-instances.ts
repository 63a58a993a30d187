import { emptyPage } from '../../shared/domain/list-page.ts';
import { presentInstance } from '../../shared/wire/entitlements/license.ts';
import { InstanceQuery } from '../../shared/wire/entitlements/license-input.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { grants, licenseKeys, site } from '../../shared/wiring/runtime.ts';

const deps = { licenseKeys: licenseKeys(), grants: grants() };

/** GET /license_key_instances */
export const handler = endpoint(
  { access: 'read', query: InstanceQuery, present: presentPage(presentInstance(site())) },
  async ({ query, walk }) => {
    const { grant_id: grantId, license_key_id: keyId } = query;
    const granted = grantId === undefined ? undefined : (await deps.grants.find(grantId))?.licenseKeyId;
    const hasNone = grantId !== undefined && (!granted || (keyId !== undefined && keyId !== granted));
    return hasNone
      ? emptyPage
      : deps.licenseKeys.listActivations(keyId ?? granted ?? undefined, toPageRequest(query, walk));
  },
);
