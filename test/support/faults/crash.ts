import { table, world } from '../../../shared/wiring/runtime.ts';
import { sendThrough } from '../table/send-through.ts';
import type { RemoteProcessor } from './remote-processor.ts';

/** The error of a process that has died. Its later calls have no effect. */
export class Crashed extends Error {
  constructor() {
    super('The process died on purpose.');
    this.name = 'Crashed';
  }
}

/**
 * Runs work in a simulated process that dies at its n-th await, before or after a call. Returns whether it reached the
 * end.
 */
export async function dieAt(
  point: number,
  run: () => Promise<unknown>,
  processor?: RemoteProcessor,
): Promise<{ survived: boolean }> {
  let passed = 0;
  const pass = (): void => {
    passed += 1;
    if (passed >= point) throw new Crashed();
  };
  const around = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    pass();
    const answer = await call().catch((error) => {
      pass();
      throw error;
    });
    pass();
    return answer;
  };
  const revive = sendThrough(table().client, (send) => (command) => around(() => send(command)));
  if (processor) processor.around = around;
  await run().catch(() => {});
  revive();
  if (processor) processor.around = (call) => call();
  return { survived: passed < point };
}

/** The ids that are created while some work runs, by prefix. */
export async function recordingIds(run: () => Promise<unknown>): Promise<Record<string, string[]>> {
  const { newId } = world;
  const given: Record<string, string[]> = {};
  world.newId = (prefix) => {
    const id = newId(prefix);
    given[prefix] = [...(given[prefix] ?? []), id];
    return id;
  };
  await run().finally(() => {
    world.newId = newId;
  });
  return given;
}
