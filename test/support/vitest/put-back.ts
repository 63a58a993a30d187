import { afterAll, expect } from 'vitest';
import { partsLog } from '../../../infra/local-aws/log.ts';
import { logSink } from '../../../shared/log.ts';
import { realPace } from '../../../shared/use-cases/retry.ts';

/** After each file: what tests set in modules that the next file finds as they are. Nothing else of these modules may be set. */
const [write, writeOfParts, pace, environment] = [{ ...logSink }, { ...partsLog }, { ...realPace }, process.env];
afterAll(() => {
  Object.assign(logSink, write);
  Object.assign(partsLog, writeOfParts);
  Object.assign(realPace, pace);
});

/** Another object in its place would hide variables from Node itself, such as the folder for temporary files: `vi.stubEnv` sets them. */
afterAll(() => {
  const isTheSame = process.env === environment;
  process.env = environment;
  expect(isTheSame, 'process.env is the object that it was').toBe(true);
});
