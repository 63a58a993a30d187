import { table, world } from '../../../shared/wiring/runtime.ts';
import { sendThrough } from '../table/send-through.ts';
import type { RemoteProcessor } from './remote-processor.ts';

/** The process has died: nothing that it still tries has any effect. */
export class Crashed extends Error {
  constructor() {
    super('The process died on purpose.');
    this.name = 'Crashed';
  }
}

/** Runs something in a process that dies at its n-th await, before or after a call; says whether it lived to the end. */
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

/** Ids that are given out while something runs, by prefix. */
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
