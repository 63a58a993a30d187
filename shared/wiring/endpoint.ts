import { endpointIn } from '../http/endpoint.ts';
import { apiKeys, cursorSecret, cursorSecretRows, idempotencyRecords, newId, now, readAhead } from './runtime.ts';

/** Makes the handler of an endpoint of this stack. */
export const endpoint = /* @__PURE__ */ endpointIn({
  apiKeys,
  cursorSecret,
  cursorSecretRows,
  idempotencyRecords,
  newId,
  now,
  readAhead,
});
