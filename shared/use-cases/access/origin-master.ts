import type { OriginSecretStore } from '../../store/access/origin-secret-store.ts';
import { retryStale } from '../retry.ts';

interface OriginMasterDeps {
  originSecrets: OriginSecretStore;
  newSecret: () => string;
}

/** What every version of the origin secret is derived from: made at the first deployment with a front, and the same ever after. */
export function originMaster({ originSecrets, newSecret }: OriginMasterDeps): Promise<string> {
  return retryStale(async () => {
    const known = await originSecrets.find();
    if (known) return known;
    const made = newSecret();
    await originSecrets.save(made);
    return made;
  });
}
