import type { KeyState, LicenseKey } from '../../shared/domain/entitlements/license-key.ts';
import type { ItemPage } from '../../shared/domain/list-page.ts';
import { keys, type RowKey } from '../../shared/store/keys.ts';
import { withItsSale } from '../../shared/use-cases/entitlements/use-license-key.ts';
import { presentLicenseKey } from '../../shared/wire/entitlements/license.ts';
import { LicenseKeyQuery, licenseKeyTerms, matchesLicenseKey } from '../../shared/wire/entitlements/license-input.ts';
import { presentPage, toPageRequest } from '../../shared/wire/page.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { grants, licenseKeys, now, payments, readAhead, site } from '../../shared/wiring/runtime.ts';

const deps = { licenseKeys: licenseKeys(), grants: grants(), payments: payments(), now };
const present = presentLicenseKey(site());

/** The grants and payments that decide whether keys give access. */
const salesOf = (found: readonly LicenseKey[]): RowKey[] =>
  found.flatMap(({ grantId, paymentId }) =>
    grantId === null || paymentId === null ? [] : [keys.grant(grantId), keys.payment(paymentId)],
  );

const withTheirSales = (found: readonly LicenseKey[]): Promise<KeyState[]> =>
  readAhead(salesOf(found), () => Promise.all(found.map((key) => withItsSale(deps, key))));

/** Returns a function that keeps only the keys with this state. The state also depends on their sales. */
const keepingOnly = (status: KeyState['status']) => async (found: readonly LicenseKey[]) =>
  (await withTheirSales(found)).filter((state) => state.status === status).map(({ key }) => key);

/** GET /license_keys */
export const handler = endpoint(
  {
    access: 'read',
    query: LicenseKeyQuery,
    present: (page: ItemPage<KeyState>, caller) =>
      presentPage<KeyState>((state) => present(state, caller), licenseKeyTerms)(page, caller),
  },
  async ({ query, walk }) => {
    const { created_at_gte: createdFrom, created_at_lte: createdTo, customer_id: customerId, status } = query;
    const matches = matchesLicenseKey(query, now().toISOString());
    const keeps = status && keepingOnly(status);
    const page = await deps.licenseKeys.list(
      { createdFrom, createdTo, customerId, matches, keeps },
      toPageRequest(query, walk),
    );
    return { ...page, items: await withTheirSales(page.items) };
  },
);
