import { DomainError } from '../domain/errors.ts';
import * as sentences from '../domain/rules/rule-sentences.ts';
import { brokenRule } from '../domain/rules/rules.ts';
import { env } from '../env.ts';
import { authenticate, type KeyReader } from './authentication.ts';

interface KeyHolderDeps {
  apiKeys: KeyReader;
  now: () => Date;
}

type Headers = Readonly<Record<string, string | undefined>>;

const asReader = ({ apiKeys, now }: KeyHolderDeps, authorization: string) =>
  authenticate(authorization, 'read', { keys: apiKeys, stage: env.stage(), now: now() });

/** Whether a request has an API key with read access. A request with an invalid key is refused. */
export const admitKeyHolder =
  (deps: KeyHolderDeps) =>
  async ({ authorization }: Headers): Promise<boolean> => {
    if (!authorization) return false;
    if (env.stage() === 'live' && !env.merchant().live)
      throw new DomainError('MERCHANT_NOT_LIVE', brokenRule(sentences.not_live));
    await asReader(deps, authorization);
    return true;
  };

/** Whether a request to a public endpoint has an API key with read access. An invalid key is ignored. */
export const holdsApiKey =
  (deps: KeyHolderDeps) =>
  async ({ authorization }: Headers): Promise<boolean> => {
    if (!authorization) return false;
    try {
      await asReader(deps, authorization);
      return true;
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'SERVICE_UNAVAILABLE') return false;
      throw error;
    }
  };
