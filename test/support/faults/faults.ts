import { table } from '../../../shared/wiring/runtime.ts';

type Fault = (commit: () => Promise<unknown>) => Promise<unknown>;

let serial = 0;

/** Injects a fault before or after each transaction of the functions, until the test removes it. */
export function onEveryCommit(fault: Fault): { heal: () => void } {
  serial += 1;
  const name = `fault-${serial}`;
  const { middlewareStack } = table().client;
  middlewareStack.add(
    (next, context) => async (args) => {
      if (!/TransactWrite/.test(String(context['commandName']))) return next(args);
      return (await fault(() => next(args))) as Awaited<ReturnType<typeof next>>;
    },
    { step: 'initialize', name },
  );
  return { heal: () => void middlewareStack.remove(name) };
}

/** Injects a fault into the next transaction only. */
export function onNextCommit(fault: Fault): void {
  const { heal } = onEveryCommit((commit) => {
    heal();
    return fault(commit);
  });
}

/** Runs an action right after the next read of a row whose partition key has this prefix. */
export function afterNextRead(begins: string, happen: () => Promise<unknown>): void {
  serial += 1;
  const name = `after-read-${serial}`;
  const { middlewareStack } = table().client;
  middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { RequestItems = {} } = args.input as { RequestItems?: Record<string, { Keys: { pk: string }[] }> };
      const read = Object.values(RequestItems).flatMap(({ Keys }) => Keys);
      if (!read.some(({ pk }) => pk.startsWith(begins))) return answer;
      middlewareStack.remove(name);
      await happen();
      return answer;
    },
    { step: 'initialize', name },
  );
}

/** Creates an error of the SDK with this name. */
export const awsError = (name: string): Error => Object.assign(new Error(`${name} on purpose`), { name });
