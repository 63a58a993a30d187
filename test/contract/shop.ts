import { seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';
import { world } from '../../shared/wiring/runtime.ts';
import { makeDeterministic } from '../support/contract/deterministic.ts';
import { takeExamples } from '../support/contract/examples.ts';
import { call } from '../support/shop/api.ts';

/** A sandbox on a loopback port whose table holds everything that the contract's examples name. */
export async function startExampleShop(port = 0): Promise<Sandbox> {
  const real = { ...world };
  makeDeterministic('2026-03-01T12:00:00.000Z', 17);
  const sandbox = await startSandbox({ port, quiet: true, sweepSeconds: 3_600 });
  await seedLocalKey(sandbox.table);
  await takeExamples({ call });
  Object.assign(world, real);
  return sandbox;
}
