import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { copyTable, dropCopy } from '../../infra/commands/books/table-copy.ts';
import { playedClients } from './operator-context.ts';

const now = new Date('2026-03-01T12:30:15.000Z');
const source = 'tillstack-shop-live-DataTable1-2';
const copy = `${source}-restored-20260301123015`;

/** A table that is being restored for a while. */
function play() {
  const states = [undefined, 'CREATING', 'ACTIVE'];
  return playedClients({
    RestoreTableToPointInTime: () => ({}),
    DescribeTable: () => {
      const TableStatus = states.length > 1 ? states.shift() : states[0];
      if (TableStatus) return { Table: { TableStatus } };
      throw new ResourceNotFoundException({ message: 'Requested resource not found', $metadata: {} });
    },
    DeleteTable: () => ({}),
  });
}

it.each([
  { at: undefined, asked: { UseLatestRestorableTime: true } },
  { at: '2026-02-28T08:00:00Z', asked: { RestoreDateTime: new Date('2026-02-28T08:00:00Z') } },
])(
  'the command copies a table as it was at $at, and prints the copy’s name when it is ready',
  async ({ at, asked }) => {
    const { clients, sent } = play();
    expect(await copyTable(clients.table, { source, at, now, pauseMs: 0 })).toBe(copy);
    expect(sent[0]).toEqual([
      'RestoreTableToPointInTime',
      { SourceTableName: source, TargetTableName: copy, ...asked },
    ]);
    expect(sent.filter(([name]) => name === 'DescribeTable')).toHaveLength(3);
  },
);

it.each(['yesterday', '2026-02-30', '2026-13-01T00:00:00Z'])(
  'the command refuses to copy a table as it was at %s',
  async (at) => {
    const { clients, sent } = play();
    await expect(copyTable(clients.table, { source, at, now })).rejects.toThrow('--at must be a time such as');
    expect(sent).toEqual([]);
  },
);

it('the command removes a copy, and refuses to remove any other table', async () => {
  const { clients, sent } = playedClients({
    DescribeTable: () => ({ Table: { TableStatus: 'ACTIVE' } }),
    DeleteTable: () => ({}),
  });
  for (const name of [source, `${source}-restored`])
    await expect(dropCopy(clients.table, name)).rejects.toThrow('so it stays');
  expect(sent).toEqual([]);
  await dropCopy(clients.table, copy);
  expect(sent.at(-1)).toEqual(['DeleteTable', { TableName: copy }]);
});
