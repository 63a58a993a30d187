import { dispatchRule } from '../../endpoints.ts';
import { constructIdOf } from '../../function-names.ts';
import { settlingRules } from './money.ts';
import { isConstruct, type StackPart } from './stack-parts.ts';

/** A rule of EventBridge in a stack. `key` has the members with which EventBridge's API names a rule. */
export interface DeployedRule {
  logicalId: string;
  key: { Name: string; EventBusName?: string };
}

/**
 * The path of the rule of the bus. Version 0.2 has another rule there, which sends events to the queue of documents.
 */
const onBus = `Events${constructIdOf(dispatchRule.function)}`;

/** The scheduled rules and the rules of the bus. For CloudFormation, the name of a rule of a bus is `bus|rule`. */
export function rulesIn(parts: readonly StackPart[]): DeployedRule[] {
  const bus = parts.find(({ type }) => type === 'AWS::Events::EventBus')?.physicalId ?? '';
  return parts
    .filter(({ type }) => type === 'AWS::Events::Rule')
    .map((part) => {
      const Name = part.physicalId.replace(/.*\|/, '');
      const isOnBus = part.physicalId.includes('|') || isConstruct(part, onBus);
      return { logicalId: part.logicalId, key: isOnBus ? { Name, EventBusName: bus } : { Name } };
    });
}

/** The schedules that finish work that was started. */
export const settlingRulesIn = (parts: readonly StackPart[]): DeployedRule[] => {
  const ids = parts.filter((part) => settlingRules.some((path) => isConstruct(part, path)));
  return rulesIn(parts).filter((rule) => ids.some(({ logicalId }) => logicalId === rule.logicalId));
};
