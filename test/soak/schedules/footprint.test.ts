import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  deliveriesDuePartition,
  duePartition,
  grantsDuePartition,
  holdsDuePartition,
  keys,
  sessionsDuePartition,
} from '../../../shared/store/keys.ts';
import { areIndependent, footprintOf } from '../../support/schedules/footprint.ts';

const rows = [
  { row: 'a payment', key: keys.payment('pay_1'), due: duePartition('pay_1') },
  { row: 'a refund', key: keys.refund('ref_1'), due: duePartition('ref_1') },
  { row: 'a dispute', key: keys.dispute('du_1'), due: duePartition('du_1') },
  { row: 'an event', key: keys.event('evt_1'), due: duePartition('evt_1') },
  { row: 'a reserved use of a code', key: keys.discountHold('dsc_1', 'pay_1'), due: holdsDuePartition },
  { row: 'a delivery', key: keys.delivery('evt_1', 'whk_1'), due: deliveriesDuePartition('whk_1') },
  { row: 'a session', key: keys.session('cks_1'), due: sessionsDuePartition },
  { row: 'a duty of grants', key: keys.grantDuty('pay_1'), due: grantsDuePartition },
];
const partitions = [...new Set([...rows.map(({ due }) => due), ...[0, 1, 2, 3].map((part) => `DUE#${part}`)])];

const footprint = (command: object) => footprintOf(command as never);
const dueRows = (partition: string) =>
  footprint(
    new QueryCommand({ TableName: 't', IndexName: 'due', ExpressionAttributeValues: { ':partition': partition } }),
  );

describe('the order of calls that change rows with a due time', () => {
  it.each(rows)('matters between a write of $row and the query of its due rows, and no other query', ({ key, due }) => {
    const write = footprint(new UpdateCommand({ TableName: 't', Key: key }));
    const dependent = partitions.filter((partition) => !areIndependent(write, dueRows(partition)));
    expect(dependent).toEqual([due]);
  });

  it.each(rows)(
    'is complete, because a write that makes $row due in an unknown partition is refused',
    ({ key, due }) => {
      const put = (duePk: string) => () => footprint(new PutCommand({ TableName: 't', Item: { ...key, duePk } }));
      expect(put(due)).not.toThrow();
      expect(put('DUE#OTHER')).toThrow('is due in DUE#OTHER');
    },
  );

  it('is complete, because a row without a known query of due rows cannot become due', () => {
    const put = () => footprint(new PutCommand({ TableName: 't', Item: { ...keys.taxRules(), duePk: 'DUE#0' } }));
    expect(put).toThrow('is due in DUE#0');
  });
});
