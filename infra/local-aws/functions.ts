import { randomUUID } from 'node:crypto';
import { localAws } from './local-aws.ts';

/** Calls a function by the name that the host gives it. */
export type Invoke = (functionName: string, event: unknown) => Promise<unknown>;

type Handler = (event: unknown, context: object) => unknown;

/** Loads the module of a function by its name. */
type LoadFunction = (functionName: string) => Promise<{ handler?: unknown }>;

/** Loads each file only once. A repeated `import()` takes longer than many handlers. */
function handlersOf(load: LoadFunction): (functionName: string) => Promise<Handler> {
  const handlers = new Map<string, Promise<Handler>>();
  const open = async (functionName: string): Promise<Handler> => {
    const { handler } = await load(functionName);
    if (typeof handler !== 'function') throw new Error(`${functionName} exports no handler.`);
    return handler as Handler;
  };
  return (functionName) => {
    const known = handlers.get(functionName) ?? open(functionName);
    handlers.set(functionName, known);
    return known;
  };
}

/** The context that Lambda passes to a handler. */
function contextOf(functionName: string, timeoutSeconds: number): object {
  const deadline = performance.now() + timeoutSeconds * 1_000;
  return {
    awsRequestId: randomUUID(),
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${localAws.region}:${localAws.account}:function:${functionName}`,
    memoryLimitInMB: '256',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - performance.now()),
  };
}

interface LoadedFunctions {
  invoke: Invoke;
  /** Loads functions before their first call. If loading fails, the error appears when the function is called. */
  warmUp(functionNames: readonly string[]): Promise<void>;
}

/** Calls functions like Lambda. The first call loads a function, and it stays loaded. */
export function functionsOf(load: LoadFunction): LoadedFunctions {
  const handlerOf = handlersOf(load);
  return {
    async invoke(functionName, event) {
      const handler = await handlerOf(functionName);
      return handler(event, contextOf(functionName, 30));
    },
    async warmUp(functionNames) {
      for (const functionName of functionNames) await handlerOf(functionName).catch(() => {});
    },
  };
}
