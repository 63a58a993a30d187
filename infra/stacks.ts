import type { Construct } from 'constructs';
import { TillstackStack, type TillstackStackProps } from './merchant-stack.ts';
import { ProtectionStack } from './protection-stack.ts';

/** Adds the stack of a stage. A protected stage also has a stack with the web ACL, which is deployed first. */
export function addStacks(app: Construct, props: Omit<TillstackStackProps, 'webAclArn'>): TillstackStack {
  const { config, stage, version } = props;
  const { protection, account, permissionsBoundary } = config.stages[stage];
  if (!protection) return new TillstackStack(app, props);
  const owner = { merchant: config.merchant.id, stage, version };
  const { webAclArn } = new ProtectionStack(app, { ...owner, account, permissionsBoundary });
  return new TillstackStack(app, { ...props, webAclArn });
}
