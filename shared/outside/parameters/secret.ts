import * as z from 'zod';
import { callParameterStore, type ParameterAccess, ParameterStoreError } from './parameter-store.ts';

const Answer = z.object({ Parameter: z.object({ Value: z.string() }) });

/** The value of a secret; undefined if there is none. */
export async function readSecret(access: ParameterAccess, name: string): Promise<string | undefined> {
  try {
    const answer = await callParameterStore(access, 'GetParameter', { Name: name, WithDecryption: true });
    return Answer.parse(answer).Parameter.Value;
  } catch (error) {
    if (error instanceof ParameterStoreError && error.reason === 'ParameterNotFound') return undefined;
    throw error;
  }
}

/** Writes a secret, encrypted with the account's own key for parameters. It replaces an earlier value. */
export async function writeSecret(access: ParameterAccess, name: string, value: string): Promise<void> {
  const parameter = { Name: name, Value: value, Type: 'SecureString', Overwrite: true };
  await callParameterStore(access, 'PutParameter', parameter);
}

/** Removes secrets. A missing one counts as removed. */
export async function removeSecrets(access: ParameterAccess, names: readonly string[]): Promise<void> {
  await callParameterStore(access, 'DeleteParameters', { Names: names });
}

const memoryMs = 5 * 60_000;

interface Remembering<Secret> {
  read: () => Promise<Secret>;
  now: () => Date;
}

/**
 * Reads a secret on first use, and caches it for five minutes. With `again`, it is read at once. If reading fails, the
 * cached value is used again. The failure is not cached.
 */
export function rememberedSecret<Secret>({ read, now }: Remembering<Secret>): (again?: boolean) => Promise<Secret> {
  let known: { secret: Secret; readAt: number } | undefined;
  let reading: Promise<Secret> | undefined;
  const readNow = async (): Promise<Secret> => {
    const secret = await read();
    known = { secret, readAt: now().getTime() };
    return secret;
  };
  return async (again = false) => {
    if (known && !again && now().getTime() - known.readAt < memoryMs) return known.secret;
    reading ??= readNow().finally(() => {
      reading = undefined;
    });
    const before = known;
    return reading.catch((error: unknown) => {
      if (before && error instanceof ParameterStoreError) return before.secret;
      throw error;
    });
  };
}
