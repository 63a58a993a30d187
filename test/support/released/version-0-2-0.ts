import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { describe } from 'vitest';
import type { endpoints } from '../../../infra/endpoints.ts';
import { functionsOf, type Invoke } from '../../../infra/local-aws/functions.ts';
import { logSink } from '../../../shared/log.ts';
import type { Table } from '../../../shared/store/table/table.ts';
import { realPace } from '../../../shared/use-cases/retry.ts';
import { world } from '../../../shared/wiring/runtime.ts';
import { type Api, type Calling, callingOf } from '../shop/api.ts';
import { goAroundSdk } from '../table/without-sdk.ts';
import { bundleRelease, isInHistory } from './bundle-release.ts';
import { version020 } from './releases.ts';

/**
 * A `describe` for tests that run version 0.2.0 beside this one. The tests are skipped if the repository's history does
 * not contain that version.
 *
 * ```ts
 * describeWith020('A sale during a deployment', () => {
 *   let api: Api;
 *   let before: Release;
 *   beforeAll(async () => {
 *     api = await startApi();
 *     before = await open020(api); // after `startApi`, which sets the environment of both
 *   });
 *   afterAll(() => api.stop());
 *
 *   it('is paid by the function of 0.2.0, and refunded by this version', async () => {
 *     const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]); // today's `POST /checkouts`
 *     await before.call(`POST /checkout/${sessionId}/pay`, { key: null, body: {…} }); // the handler of 0.2.0, by its route table
 *     await before.invoke('events/sweep-due', {}); // any of its functions, with any event
 *     const { payCheckout } = await before.load<typeof import('…/shared/use-cases/checkout/pay-checkout.ts')>(
 *       'shared/use-cases/checkout/pay-checkout.ts'); // any of its modules: use cases, stores, `shared/runtime.ts`
 *     sendThrough(before.table.client, …); // faults between its functions and the table
 *   });
 * });
 * ```
 *
 * It uses today's clock, ids, random numbers, pauses and log: `clock` and `logSink` work for both versions. It reads the
 * same variables of `process.env`, and each function reads them at its first call. Each `open020` returns a separate
 * instance with its own singletons.
 */
export const describeWith020 = (name: string, tests: () => void): unknown =>
  isInHistory(version020)
    ? describe(name, tests)
    : describe.skip(
        `${name} (the history of this clone does not reach back to version 0.2.0: git fetch --unshallow)`,
        tests,
      );

/** A released version that works on the table of a test. */
export interface Release extends Calling {
  /**
   * Loads a module by its path in the repository. The caller gives the type, because today's module may have another
   * one.
   */
  load<Module>(path: string): Promise<Module>;
  /** Calls a function by its name in the route table: `webhooks/dispatch-webhook`. */
  invoke: Invoke;
  /** The database client of its stores. */
  table: Table;
}

type Modules = Readonly<Record<string, () => Promise<unknown>>>;

/** Makes the functions of a released version's object call today's object, from now on. */
function follow(released: object, today: object): void {
  for (const name of Object.keys(today) as (keyof typeof today)[])
    Object.assign(released, { [name]: (...values: unknown[]) => Reflect.apply(today[name], today, values) });
}

/** Opens version 0.2.0 on the table of a test. Its functions read and write the same rows as today's functions. */
export async function open020(api: Pick<Api, 'table'>): Promise<Release> {
  const file = pathToFileURL(await bundleRelease(version020));
  const { modules }: { modules: Modules } = await import(`${file.href}?${randomUUID()}`);
  const load = async <Module>(path: string): Promise<Module> => {
    const loading = modules[path];
    if (!loading) throw new Error(`Version 0.2.0 has no ${path}.`);
    return (await loading()) as Module;
  };
  const runtime = await load<{ world: object; table: () => Table }>('shared/runtime.ts');
  follow(runtime.world, world);
  follow((await load<{ logSink: object }>('shared/log.ts')).logSink, logSink);
  follow((await load<{ realPace: object }>('shared/use-cases/retry.ts')).realPace, realPace);
  const table = runtime.table();
  api.table.connect(table.client);
  if (api.table.engine) goAroundSdk(table.client, api.table.engine);
  const { invoke } = functionsOf((name) => load(`functions/${name}.ts`));
  const { endpoints: routes } = await load<{ endpoints: typeof endpoints }>('infra/endpoints.ts');
  return { load, invoke, table, ...callingOf(routes, invoke) };
}
