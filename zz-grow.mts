import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { startService, inParallel } from './test/functions/webhooks/service.ts';
for (const [name, extra] of Object.entries({
  plain: () => ({}),
  'list index, one partition': (i: number) => ({ listPk: 'L', listSk: `k${i}`, row: { a: 1 } }),
  'list index, many partitions': (i: number) => ({ listPk: `L${i}`, listSk: `k${i}`, row: { a: 1 } }),
  'ttl': (i: number) => ({ ttl: 1_999_999_999 + i }),
}) as [string, (i: number) => object][]) {
  const s = await startService();
  const out: number[] = [];
  for (let round = 0; round < 5; round++) {
    const t = performance.now();
    await inParallel(Array.from({ length: 1500 }, (_, i) => round * 1500 + i), (i) => s.table.client.send(new PutCommand({ TableName: s.table.name, Item: { pk: `P${i}`, sk: 'x', data: 'y'.repeat(200), ...extra(i) } })), 16);
    out.push(Math.round((performance.now() - t) / 1500 * 100) / 100);
  }
  console.log(name, out.join(' '), 'ms per put');
  await s.stop();
}
