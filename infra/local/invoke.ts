import { randomUUID } from 'node:crypto';
import { localAws } from '../local-aws/local-aws.ts';

/** Calls a function by its name in the route table: `products/create-product`. */
export type Invoke = (functionName: string, event: unknown) => Promise<unknown>;

type Handler = (event: unknown, context: object) => unknown;

/** Loads the module of a function by its name. */
type LoadFunction = (functionName: string) => Promise<{ handler?: unknown }>;

/** Each file is imported once: a repeated `import()` is looked up by its address, which takes longer than many a handler. */
function handlersOf(load: LoadFunction): (functionName: string) => Promise<Handler> {
  const handlers = new Map<string, Promise<Handler>>();
  const open = async (functionName: string): Promise<Handler> => {
    const { handler } = await load(functionName);
    if (typeof handler !== 'function') throw new Error(`functions/${functionName}.ts exports no handler.`);
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

const invokingBy =
  (handlerOf: (functionName: string) => Promise<Handler>): Invoke =>
  async (functionName, event) => {
    const handler = await handlerOf(functionName);
    return handler(event, contextOf(functionName, 30));
  };

/** Calls functions that are loaded from somewhere. Each is loaded on first use, as on Lambda. */
export const invoking = (load: LoadFunction): Invoke => invokingBy(handlersOf(load));

/** The function of the documentation imports its pages, so they are made first. */
async function loadFunction(name: string): Promise<{ handler?: unknown }> {
  if (name === 'contract/show-docs') (await import('../reference/make-site.ts')).makeSite();
  return import(new URL(`../../functions/${name}.ts`, import.meta.url).href);
}

const handlerOf = handlersOf(loadFunction);

/** Calls the functions of this repository. */
export const invokeFunction: Invoke = invokingBy(handlerOf);

/** Loads the files before the first call. A file that fails reports it when it is called. */
export async function warmUp(functionNames: readonly string[]): Promise<void> {
  for (const functionName of functionNames) await handlerOf(functionName).catch(() => {});
}
