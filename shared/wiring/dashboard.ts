import { dashboardIn } from '../dashboard/dashboard.ts';
import {
  apiKeys,
  cursorSecret,
  dashboardSecrets,
  idempotencyRecords,
  members,
  newId,
  now,
  randomText,
  readAhead,
  signIns,
} from './runtime.ts';

/** Makes the handler of a group of pages of this stack's dashboard. */
export const dashboard = /* @__PURE__ */ dashboardIn(() => ({
  apiKeys: apiKeys(),
  cursorSecret,
  dashboardSecrets: dashboardSecrets(),
  idempotencyRecords: idempotencyRecords(),
  members: members(),
  newFormId: () => randomText(24),
  newId,
  now,
  readAhead,
  signIns: signIns(),
}));
