import { DomainError } from '../domain/errors.ts';
import { env } from '../env.ts';
import { apiKeys, now } from '../wiring/runtime.ts';
import { authenticate } from './authentication.ts';

/** Whether a request carries an API key with read access. An invalid key is refused, not ignored. */
export async function admitKeyHolder({
  authorization,
}: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  if (!authorization) return false;
  if (env.stage() === 'live' && !env.merchant().live)
    throw new DomainError('MERCHANT_NOT_LIVE', 'This merchant is not live yet; use the sandbox stack.');
  await authenticate(authorization, 'read', { keys: apiKeys(), stage: env.stage(), now: now() });
  return true;
}

/** Whether a request to a public endpoint carries an API key with read access. An invalid key is ignored. */
export async function holdsApiKey({ authorization }: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  if (!authorization) return false;
  try {
    await authenticate(authorization, 'read', { keys: apiKeys(), stage: env.stage(), now: now() });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'SERVICE_UNAVAILABLE') return false;
    throw error;
  }
}
