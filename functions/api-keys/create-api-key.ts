import { env } from '../../shared/env.ts';
import { formatApiKey, hashApiKey } from '../../shared/http/api-key.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { apiKeys, now, randomText } from '../../shared/runtime.ts';
import { createApiKey } from '../../shared/use-cases/create-api-key.ts';
import { ApiKeyInput, presentNewApiKey } from '../../shared/wire/api-key.ts';

const newKey = () => formatApiKey(env.stage(), randomText(32));
const deps = { apiKeys: apiKeys(), newKey, hashOf: hashApiKey, now };

/** POST /api-keys: the answer holds a key, so it is kept under no idempotency key; a repetition makes another one. */
export const handler = endpoint({ access: 'write', body: ApiKeyInput, present: presentNewApiKey }, ({ body }) =>
  createApiKey(deps, body, () => []),
);
