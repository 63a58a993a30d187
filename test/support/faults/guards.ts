import { appendFileSync } from 'node:fs';
import { table } from '../../../shared/wiring/runtime.ts';
import { type Command, sendThrough } from '../table/send-through.ts';

/** A guard is the condition of one kind of write to one kind of row: `PAYMENT put if version = :version`. */
interface Guarded {
  Item?: { entity?: string };
  Key?: { sk: string };
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
}

function nameOf(write: Guarded): string {
  const kind = write.Item?.entity ?? String(write.Key?.sk).split('#')[0];
  const manner = write.UpdateExpression ? `update (${write.UpdateExpression.slice(0, 24)}…)` : 'put';
  return `${kind} ${manner} if ${write.ConditionExpression}`;
}

const writesOf = ({ constructor: { name }, input }: Command): Guarded[] => {
  if (name === 'TransactWriteCommand')
    return (input['TransactItems'] as Record<string, Guarded>[]).flatMap((item) => Object.values(item));
  return name === 'PutCommand' || name === 'UpdateCommand' ? [input as Guarded] : [];
};

/** Removes a condition, with the names and values that only the condition uses. */
function unguard(write: Guarded): void {
  delete write.ConditionExpression;
  for (const part of ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const) {
    const kept = Object.entries(write[part] ?? {}).filter(([name]) => write.UpdateExpression?.includes(name));
    if (kept.length > 0) Object.assign(write, { [part]: Object.fromEntries(kept) });
    else delete write[part];
  }
}

/**
 * Connects `npm run guards` to a test. With GUARDS_SEEN, every guard is recorded in that file. With GUARD_REMOVED, the
 * guard of that name is removed. Without these variables nothing happens.
 */
export function admitGuardScript(): void {
  const { GUARDS_SEEN: seen, GUARD_REMOVED: removed } = process.env;
  if (!seen && !removed) return;
  sendThrough(table().client, (send) => (command) => {
    for (const write of writesOf(command).filter(({ ConditionExpression }) => ConditionExpression)) {
      if (seen) appendFileSync(seen, `${nameOf(write)}\n`);
      if (nameOf(write) === removed) unguard(write);
    }
    return send(command);
  });
}
