import { apiKeyIdOf } from '../../shared/domain/access/api-key.ts';
import { env } from '../../shared/env.ts';
import { formatApiKey, hashApiKey } from '../../shared/http/api-key.ts';
import { keys } from '../../shared/store/keys.ts';
import { createApiKey } from '../../shared/use-cases/access/create-api-key.ts';
import { ApiKeyInput, presentMadeApiKey, presentNewApiKey } from '../../shared/wire/access/api-key.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { apiKeys, now, randomText } from '../../shared/wiring/runtime.ts';

const newKey = () => formatApiKey(env.stage(), randomText(32));
const deps = { apiKeys: apiKeys(), newKey, hashOf: hashApiKey, now };

/**
 * POST /api-keys: a repeated request with the same Idempotency-Key gets the key's record, but not the key, which is
 * never stored.
 */
export const handler = endpoint(
  {
    body: ApiKeyInput,
    present: presentNewApiKey,
    presentAgain: presentMadeApiKey,
    access: 'admin',
    idempotent: true,
    needs: () => [keys.apiKeyList()],
  },
  ({ body, caller, claim }) =>
    createApiKey(deps, { fields: body, maker: { ...caller, id: apiKeyIdOf(caller) } }, claim),
);
