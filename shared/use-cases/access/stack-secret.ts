import type { ApiKeyStore } from '../../store/access/api-key-store.ts';

interface StackSecretDeps {
  apiKeys: Pick<ApiKeyStore, 'findSessionSecret' | 'saveSessionSecret'>;
  newSecret: () => string;
  /** Throws if the caller may not create the secret. */
  assertMayMake?: (() => Promise<unknown>) | undefined;
}

/**
 * Finds the stack's own secret, from which others are derived. It is created when it is first needed, and never
 * changes.
 */
export async function findOrMakeStackSecret({ apiKeys, newSecret, assertMayMake }: StackSecretDeps): Promise<string> {
  const found = await apiKeys.findSessionSecret();
  if (found !== undefined) return found;
  await assertMayMake?.();
  const made = newSecret();
  return apiKeys.saveSessionSecret(made).then(
    () => made,
    // Another process was faster and created the secret.
    async (error: unknown) => (await apiKeys.findSessionSecret()) ?? Promise.reject(error),
  );
}
