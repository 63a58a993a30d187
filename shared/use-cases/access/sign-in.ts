import type { ApiKeyStore } from '../../store/access/api-key-store.ts';
import { retryStale } from '../retry.ts';

export interface SignInDeps {
  apiKeys: Pick<ApiKeyStore, 'findSessionSecret' | 'saveSessionSecret'>;
  newSecret: () => string;
}

/** What signs this stack's sessions: made when somebody signs in for the first time, and the same ever after. */
export function signingSecret({ apiKeys, newSecret }: SignInDeps): Promise<string> {
  return retryStale(async () => {
    const known = await apiKeys.findSessionSecret();
    if (known) return known;
    const made = newSecret();
    await apiKeys.saveSessionSecret(made);
    return made;
  });
}
