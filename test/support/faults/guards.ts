import { appendFileSync } from 'node:fs';
import { table } from '../../../shared/wiring/runtime.ts';
import { type Command, sendThrough } from '../table/send-through.ts';

/** A guard is what one kind of write to one kind of row depends on: `PAYMENT put if version = :version`. */
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

/** Takes a condition away, with the names and values that nothing else mentions. */
function unguard(write: Guarded): void {
  delete write.ConditionExpression;
  for (const part of ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const) {
    const kept = Object.entries(write[part] ?? {}).filter(([name]) => write.UpdateExpression?.includes(name));
    if (kept.length > 0) Object.assign(write, { [part]: Object.fromEntries(kept) });
    else delete write[part];
  }
}

/**
 * Lets the script of the guards into a test: with GUARDS_SEEN every guard is noted in that file, with GUARD_REMOVED the one of that
 * name is missing. Without either nothing happens.
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
