import { failedCall } from '../domain/reports/failed-call.ts';
import { describeError, logError } from '../log.ts';

/**
 * The handler of a function that no caller waits for. Logs an exception, so that the alarm of worker errors counts it,
 * and lets Lambda try again.
 */
export const worker =
  <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    try {
      return await work(...args);
    } catch (error) {
      logError(failedCall, describeError(error));
      throw error;
    }
  };
