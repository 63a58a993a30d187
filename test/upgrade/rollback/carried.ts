import { table } from '../../../shared/wiring/runtime.ts';
import { scanRows } from '../../support/shop/books.ts';
import { type ChangingStack, sellOn, type Version, type Versions } from '../version-0-2-0/changing-stack.ts';
import type { CrossReading } from './form.ts';

export const allWorkers = (version: Version): Versions => ({
  relay: version,
  dispatcher: version,
  sweep: version,
  issuer: version,
});

/** What waits goes its way, with the workers of these versions. */
export async function workOn(stack: ChangingStack, versions: Versions): Promise<void> {
  await stack.relay(versions.relay);
  await stack.handOver(versions);
  await stack.sweep(versions.sweep);
  await stack.handOver(versions);
}

const sold = 3;

const rows = () => scanRows(table().client, table().name);

type Counted = (row: Record<string, unknown>) => boolean;

/**
 * Sells on one version, whose relay sends what is new, and has it taken by these versions at once, before any sweep.
 * Returns how much of it is done.
 */
async function taken(stack: ChangingStack, by: Versions, isDone: Counted): Promise<string> {
  const productId = (await stack.api.call('GET /products', { query: 'page_size=1' })).body.items[0].product_id;
  await workOn(stack, allWorkers(by.relay));
  const known = new Set((await rows()).map(({ pk, sk }) => `${pk} ${sk}`));
  const version = by.relay === 'today' ? stack.api : stack.before;
  for (let sale = 0; sale < sold; sale += 1) await sellOn(version, productId);
  await stack.relay(by.relay);
  await stack.handOver(by, by.relay === '0.2.0'); // only 0.2.0 has a rule from the bus to the queue
  const done = (await rows()).filter((row) => !known.has(`${row.pk} ${row.sk}`) && isDone(row)).length;
  return done === sold ? '✓' : `✓, ${done} of ${sold} at once`;
}

const isDispatched: Counted = ({ entity, dispatchedTo }) => entity === 'EVENT' && dispatchedTo !== undefined;
const isDocumented: Counted = ({ entity }) => entity === 'DOCUMENT';

/** The lines about what is on its way between the workers, not in the table. */
export async function linesOfCarried(stack: ChangingStack): Promise<CrossReading[]> {
  const entry = (dispatcher: Version, writes: Version) =>
    taken(stack, { ...allWorkers(writes), dispatcher }, isDispatched);
  const message = (issuer: Version, writes: Version) => taken(stack, { ...allWorkers(writes), issuer }, isDocumented);
  return [
    {
      what: 'entries of the bus, of three sales at once',
      todayReads: await entry('today', '0.2.0'),
      earlierReads: await entry('0.2.0', 'today'),
      earlierChanges: '–',
      stepBack: 'nothing: the sweep publishes the others within three minutes, and replays of the archive too',
    },
    {
      what: 'messages in the queue of documents',
      todayReads: await message('today', '0.2.0'),
      earlierReads: await message('0.2.0', 'today'),
      earlierChanges: '–',
      stepBack: '',
    },
  ];
}
