import { afterAll } from 'vitest';
import { logSink } from '../../../shared/log.ts';
import { realPace } from '../../../shared/use-cases/retry.ts';

/** After each file: what tests set in modules that the next file finds as they are. Nothing else of these modules may be set. */
const [write, pace] = [{ ...logSink }, { ...realPace }];
afterAll(() => {
  Object.assign(logSink, write);
  Object.assign(realPace, pace);
});
