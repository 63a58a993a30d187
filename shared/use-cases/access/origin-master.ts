import type { OriginSecretStore } from '../../store/access/origin-secret-store.ts';
import { retryStale } from '../retry.ts';

interface OriginMasterDeps {
  originSecrets: OriginSecretStore;
  newSecret: () => string;
}

/**
 * Finds the master from which every version of the origin secret is derived. It is made at the first deployment
 * behind a CDN, and never changes.
 */
export function originMaster({ originSecrets, newSecret }: OriginMasterDeps): Promise<string> {
  return retryStale(async () => {
    const known = await originSecrets.find();
    if (known) return known;
    const made = newSecret();
    await originSecrets.save(made);
    return made;
  });
}
