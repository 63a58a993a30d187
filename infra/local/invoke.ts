import { randomUUID } from 'node:crypto';
import { localAws } from './aws/local-aws.ts';

/** Calls a function by its name in the route table: `products/create-product`. */
export type Invoke = (functionName: string, event: unknown) => Promise<unknown>;

type Handler = (event: unknown, context: object) => unknown;

const handlers = new Map<string, Promise<Handler>>();

/** Each file is imported once: a repeated `import()` is looked up by its address, which takes longer than many a handler. */
function handlerOf(functionName: string): Promise<Handler> {
  const known = handlers.get(functionName) ?? importHandler(functionName);
  handlers.set(functionName, known);
  return known;
}

async function importHandler(functionName: string): Promise<Handler> {
  const module = await import(new URL(`../../functions/${functionName}.ts`, import.meta.url).href);
  if (typeof module.handler !== 'function') throw new Error(`functions/${functionName}.ts exports no handler.`);
  return module.handler;
}

/** The context that Lambda passes to a handler. */
function contextOf(functionName: string, timeoutSeconds: number): object {
  const deadline = Date.now() + timeoutSeconds * 1_000;
  return {
    awsRequestId: randomUUID(),
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:${localAws.region}:${localAws.account}:function:${functionName}`,
    memoryLimitInMB: '256',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

/** Calls the functions of this repository. Each file is loaded on first use, as on Lambda. */
export const invokeFunction: Invoke = async (functionName, event) => {
  const handler = await handlerOf(functionName);
  return handler(event, contextOf(functionName, 30));
};

/** Loads the files before the first call. A file that fails reports it when it is called. */
export async function warmUp(functionNames: readonly string[]): Promise<void> {
  for (const functionName of functionNames) await handlerOf(functionName).catch(() => {});
}
