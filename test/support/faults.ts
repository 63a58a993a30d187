import { table } from '../../shared/runtime.ts';

type Fault = (commit: () => Promise<unknown>) => Promise<unknown>;

let serial = 0;

/** Puts something between a function and its next transaction: a wait, a fault before it, or a fault after it. */
export function onNextCommit(fault: Fault): void {
  serial += 1;
  const name = `fault-${serial}`;
  const { middlewareStack } = table().client;
  middlewareStack.add(
    (next, context) => async (args) => {
      if (!/TransactWrite/.test(String(context['commandName']))) return next(args);
      middlewareStack.remove(name);
      return (await fault(() => next(args))) as Awaited<ReturnType<typeof next>>;
    },
    { step: 'initialize', name },
  );
}

/** An error of the SDK, by its name. */
export const awsError = (name: string): Error => Object.assign(new Error(`${name} on purpose`), { name });
