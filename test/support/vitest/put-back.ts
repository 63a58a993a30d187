import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { partsLog } from '../../../infra/local-aws/log.ts';
import { logSink } from '../../../shared/log.ts';
import { superseded } from '../../../shared/tax/rates/superseded-tables.ts';
import { realPace } from '../../../shared/use-cases/retry.ts';

/**
 * Restores after each file the values that tests set in kept modules. Tests may set no other values in these modules.
 */
const [write, writeOfParts, pace, tables] = [{ ...logSink }, { ...partsLog }, { ...realPace }, { ...superseded }];
const environment = process.env;
const [pause, setTimer] = [timers.setTimeout, globalThis.setTimeout];
afterAll(() => {
  Object.assign(logSink, write);
  Object.assign(partsLog, writeOfParts);
  Object.assign(realPace, pace);
  Object.assign(superseded, tables);
  globalThis.setTimeout = setTimer;
  timers.setTimeout = pause;
  syncBuiltinESMExports();
});

/**
 * Tests set variables with `vi.stubEnv`. Another object as `process.env` would hide variables from Node, such as the
 * folder for temporary files.
 */
afterAll(() => {
  const isTheSame = process.env === environment;
  process.env = environment;
  expect(isTheSame, 'process.env is the object that it was').toBe(true);
});
