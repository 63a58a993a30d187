import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { UsageError } from '../../usage-error.ts';
import type { UserEnvironment } from './environment.ts';

/** A stack's address, and a key for it. */
export interface StackAccount {
  url: string;
  key: string;
}

const Profiles = z.strictObject({
  profiles: z.record(z.string(), z.strictObject({ url: z.string(), key: z.string() })),
});
type Profiles = z.infer<typeof Profiles>['profiles'];

/** The profile that is used by default. */
export const usualProfile = 'default';

/** The mode of a key: sandbox or live. */
export const modeOf = (key: string): 'sandbox' | 'live' => (key.startsWith('sk_live_') ? 'live' : 'sandbox');

/** Host names of this machine. */
export const isThisMachine = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname) || hostname.endsWith('.localhost');

/**
 * The base address without a trailing slash. It must use TLS unless it is on this machine, because every request
 * contains a key.
 */
export function baseUrlOf(text: string): string {
  if (!URL.canParse(text)) throw new UsageError(`"${text}" is not an address such as https://pay.example.com.`);
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text);
  if (username || password || search || hash)
    throw new UsageError('The address of the API must not have a user, a query or a fragment.');
  if (protocol !== 'https:' && !(protocol === 'http:' && isThisMachine(hostname)))
    throw new UsageError(`The address of the API must begin with https://, or be on this machine: not ${origin}.`);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** Refuses a text that cannot be a key. The error does not contain the text. */
export function assertKey(key: string): void {
  if (!/^sk_(test|live)_\w{8,200}$/.test(key))
    throw new UsageError('The key is not one of Tillstack: it begins with sk_test_ or sk_live_.');
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Reads all profiles. Refuses a file that other users of this machine can read. */
export async function readProfiles(file: string): Promise<Profiles> {
  const found = await stat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (!found) return {};
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new UsageError(`Others on this machine may open ${file}, which contains keys. Run: chmod 600 ${file}`);
  try {
    return Profiles.parse(JSON.parse(await readFile(file, 'utf8'))).profiles;
  } catch {
    throw new UsageError(`${file} cannot be read as profiles. Correct it, or remove it and set your profiles again.`);
  }
}

/** Replaces the file in one step. If the run is interrupted, the old file stays. */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600, flag: 'w' });
  await chmod(fresh, 0o600);
  await rename(fresh, file);
}

const howToConnect = `Set TILLSTACK_URL and TILLSTACK_KEY, or save both with:

  npm run tillstack -- profile set --url https://your-stack.example

npm start prints the address and the key of the sandbox on this machine.`;

async function savedAccount(name: string, isNamed: boolean, { profilesFile }: UserEnvironment): Promise<StackAccount> {
  const profiles = await readProfiles(profilesFile);
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found) return found;
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new UsageError(isNamed ? `There is no profile ${name}. Saved: ${known}.` : howToConnect);
}

/** The stack to call. It is the named profile, or the one in the environment, or the default profile. */
export async function accountOf(named: string | undefined, environment: UserEnvironment): Promise<StackAccount> {
  const { url, key, profile } = environment;
  const name = named ?? profile;
  if (name === undefined && (url === undefined) !== (key === undefined))
    throw new UsageError(`${url === undefined ? 'TILLSTACK_URL' : 'TILLSTACK_KEY'} is not set, but the other one is.`);
  const account = name === undefined && url && key ? { url, key } : undefined;
  const { url: address, key: held } =
    account ?? (await savedAccount(name ?? usualProfile, name !== undefined, environment));
  assertKey(held);
  return { url: baseUrlOf(address), key: held };
}
