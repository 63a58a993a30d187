import type { Construct } from 'constructs';
import { MerchantStack, type MerchantStackProps } from './merchant-stack.ts';
import { ProtectionStack } from './protection-stack.ts';

/** Adds the stack of a stage. A protected stage also has a stack with the web ACL, which is deployed first. */
export function addStacks(app: Construct, props: Omit<MerchantStackProps, 'webAclArn'>): MerchantStack {
  const { config, stage, version } = props;
  const { protection, account, permissionsBoundary } = config.stages[stage];
  if (!protection) return new MerchantStack(app, props);
  const owner = { merchant: config.merchant.id, stage, version };
  const { webAclArn } = new ProtectionStack(app, { ...owner, account, permissionsBoundary });
  return new MerchantStack(app, { ...props, webAclArn });
}
