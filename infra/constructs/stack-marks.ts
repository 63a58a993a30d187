import { CfnResource, type Stack, TagManager, Tags } from 'aws-cdk-lib';
import type { Stage } from '../../shared/domain/merchant.ts';

interface StackMarks {
  /** The merchant and stage of the stack. */
  merchant: string;
  stage: Stage;
  /** The deployed version, such as `0.2.0+97cf8f7a`. */
  version: string;
  /** The permissions boundary of every role. By default, there is none. */
  permissionsBoundary: string | undefined;
}

/**
 * Gives a stack its tags and its version, and gives every role the account's permissions boundary. It also applies to
 * nested stacks.
 */
export function markStack(stack: Stack, { merchant, stage, ...marks }: StackMarks): void {
  const tags = { merchant, service: 'tillstack', stage };
  for (const [name, value] of Object.entries(tags)) Tags.of(stack).add(name, value);
  stack.tags.setTag('version', marks.version);
  stack.node.addValidation({ validate: () => markRaw(stack, tags, marks.permissionsBoundary) });
}

const role = 'AWS::IAM::Role';
const tagged = new Set([role, 'AWS::Lambda::Function']);

/**
 * Marks resources that the CDK adds late. It adds the roles and functions that pass a value to another region after the
 * aspects have run, and as raw resources without tags. Validation is the next step, so the work is done there. It
 * reports no faults.
 */
function markRaw(stack: Stack, tags: Record<string, string>, permissionsBoundary: string | undefined): [] {
  const list = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  for (const node of stack.node.findAll().filter(CfnResource.isCfnResource)) {
    const isRaw = !TagManager.isTaggable(node) && !TagManager.isTaggableV2(node);
    if (isRaw && tagged.has(node.cfnResourceType)) node.addPropertyOverride('Tags', list);
    if (node.cfnResourceType === role) node.addPropertyOverride('PermissionsBoundary', permissionsBoundary);
  }
  return [];
}
