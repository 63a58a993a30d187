import { describeError, logError, logWarn } from '../log.ts';
import type { Report } from '../use-cases/webhooks/disable-webhook.ts';

/** Reports to the operator by writing to the log. */
export const reportToOperator: Report = (message, fields, error) =>
  error === undefined ? logWarn(message, fields) : logError(message, { ...fields, ...describeError(error) });
