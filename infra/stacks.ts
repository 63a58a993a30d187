import type { Construct } from 'constructs';
import { MerchantStack, type MerchantStackProps } from './merchant-stack.ts';
import { ProtectionStack } from './protection-stack.ts';

/** Adds the stack of a stage. A protected stage has a second stack with the web ACL, which is deployed first. */
export function addStacks(app: Construct, props: Omit<MerchantStackProps, 'webAclArn'>): MerchantStack {
  const { config, stage } = props;
  if (!config.stages[stage].protection) return new MerchantStack(app, props);
  const { webAclArn } = new ProtectionStack(app, { merchant: config.merchant.id, stage });
  return new MerchantStack(app, { ...props, webAclArn });
}
