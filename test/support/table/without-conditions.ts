import { table } from '../../../shared/wiring/runtime.ts';
import { sendThrough } from './send-through.ts';

/** Removes the conditions from writes of these entities, until it is undone. */
export const withoutConditions = (entities: readonly string[]): (() => void) =>
  sendThrough(table().client, (send) => (command) => {
    const items = (command.input['TransactItems'] ?? []) as { Put: Record<string, unknown> }[];
    const alone = command.input['Item'] ? [command.input as Record<string, unknown>] : [];
    for (const put of [...items.map(({ Put }) => Put), ...alone])
      if (entities.includes((put['Item'] as { entity: string }).entity))
        for (const part of ['ConditionExpression', 'ExpressionAttributeNames', 'ExpressionAttributeValues'])
          delete put[part];
    return send(command);
  });
