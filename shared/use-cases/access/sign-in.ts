import { firstDashboardSecret, rotatedDashboardSecret, signs } from '../../domain/access/dashboard-secret.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import type { DashboardSecretStore } from '../../store/access/dashboard-secret-store.ts';
import { retryStale } from '../retry.ts';

export interface SignInDeps {
  dashboardSecrets: DashboardSecretStore;
  apiKeys: Pick<ApiKeyStore, 'findSessionSecret'>;
  newSecret: () => string;
  now: () => Date;
}

/** The secret that signs a new session of the dashboard. It is made at the first sign-in. */
export function signingSecret({ dashboardSecrets, apiKeys, newSecret, now }: SignInDeps): Promise<string> {
  return retryStale(async () => {
    const known = await dashboardSecrets.find();
    if (known && signs(known, now())) return known.secret;
    const former = await apiKeys.findSessionSecret();
    const secret = known ?? firstDashboardSecret(newSecret(), now(), former !== undefined);
    if (!known) await dashboardSecrets.save(secret, []);
    return signs(secret, now()) ? secret.secret : (former ?? secret.secret);
  });
}

type RotateDeps = Pick<SignInDeps, 'dashboardSecrets' | 'newSecret' | 'now'>;

/** Replaces the secret that signs the dashboard's sessions. All sessions end with their next request. */
export function rotateDashboardSecret(
  { dashboardSecrets, newSecret, now }: RotateDeps,
  records: () => CommandRecord[],
): Promise<void> {
  return retryStale(async () => {
    const rotated = rotatedDashboardSecret(await dashboardSecrets.find(), newSecret(), now().toISOString());
    await dashboardSecrets.save(rotated, records());
  });
}
