import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import { retryStale } from '../retry.ts';

export interface SignInDeps {
  apiKeys: Pick<ApiKeyStore, 'findSessionSecret' | 'saveSessionSecret'>;
  newSecret: () => string;
}

/** The secret that signs this stack's sessions. It is created at the first sign-in and never changes. */
export function signingSecret({ apiKeys, newSecret }: SignInDeps): Promise<string> {
  return retryStale(async () => {
    const known = await apiKeys.findSessionSecret();
    if (known) return known;
    const made = newSecret();
    await apiKeys.saveSessionSecret(made);
    return made;
  });
}
